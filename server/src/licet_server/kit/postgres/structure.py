"""Lists what is in a database besides rows, above all what can run code.

Everything that is not PostgreSQL's own counts, of any kind: the server itself names the catalogs to
look into.
"""

import json
from collections.abc import Iterator, Set
from typing import NamedTuple

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.tools import query

_SAFE = "SET search_path = pg_catalog, pg_temp; SET quote_all_identifiers = off;"
_FIRST_OWN = 16384
"""Objects with smaller IDs are PostgreSQL's own."""

_CATALOGS = """
SELECT c.relname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'oid'
WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r' AND NOT c.relisshared
AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1;
"""

_ANY = """
SELECT json_build_array({catalog}, coalesce(
    (SELECT value FROM jsonb_each_text(to_jsonb(x)) WHERE key ~ 'name$' LIMIT 1), x.oid::text
), '') FROM {table} x WHERE oid >= {first};
"""

_KNOWN = {
    "pg_class": """
SELECT json_build_array('relation', n.nspname || '.' || c.relname,
    c.relkind::text || c.relpersistence::text || c.relrowsecurity::text)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid >= {first} AND c.relkind NOT IN ('i', 'I', 't');
SELECT json_build_array('column', n.nspname || '.' || c.relname || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || a.attgenerated::text || a.attidentity::text)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid >= {first} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped;
SELECT json_build_array(
    CASE WHEN i.indexprs IS NULL AND i.indpred IS NULL THEN 'plain index' ELSE 'index' END,
    i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid))
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE i.indexrelid >= {first} AND c.relkind <> 't';
""",
    "pg_type": """
SELECT json_build_array('type', t.oid::regtype::text, t.typtype::text) FROM pg_type t
WHERE t.oid >= {first} AND t.typrelid = 0
AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid);
""",
    "pg_attrdef": """
SELECT json_build_array('default', d.adrelid::regclass::text || '.' || a.attname,
    pg_get_expr(d.adbin, d.adrelid))
FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum;
""",
    # Not-null constraints are named only since PostgreSQL 18.
    "pg_constraint": """
SELECT json_build_array('constraint', k.conrelid::regclass::text || '.' || k.conname,
    pg_get_constraintdef(k.oid))
FROM pg_constraint k WHERE k.oid >= {first} AND k.contype <> 'n';
""",
    # The creator may choose any ID.
    "pg_largeobject_metadata": """
SELECT json_build_array('large object', oid::text, '') FROM pg_largeobject_metadata;
""",
    "pg_statistic_ext": """
SELECT json_build_array('statistics', x.stxrelid::regclass::text || '.' || x.stxname,
    pg_get_statisticsobjdef(x.oid))
FROM pg_statistic_ext x;
""",
    "pg_trigger": """
SELECT json_build_array('trigger', t.tgrelid::regclass::text || '.' || t.tgname, '')
FROM pg_trigger t WHERE NOT t.tgisinternal;
""",
}

_MAY_BE_MORE = {"plain index"}
"""Administrators add these, and they run nothing."""
_TABLES = "rp"
"""The kinds of relations that have rows of their own, or partitions with them."""
_MUST_BE_THERE = {"relation", "column"}


class Item(NamedTuple):
    """An object of a database, and how it is defined."""

    kind: str
    name: str
    definition: str


def structure(binaries: Binaries, address: Address) -> frozenset[Item]:
    """Return all objects of a database that are not PostgreSQL's own.

    The role in the address runs nothing of the database.
    """
    catalogs = [name for [name] in query(binaries, address, _SAFE + _CATALOGS)]
    statements = [
        _KNOWN.get(name, _ANY).format(catalog=f"'{name}'", table=name, first=_FIRST_OWN)
        for name in catalogs
    ]
    rows = query(binaries, address, _SAFE + "".join(statements))
    return frozenset(Item(*json.loads(line)) for [line] in rows)


def tables(found: Set[Item]) -> set[str]:
    """Return the names of the tables in the schema `public`."""
    names = (
        item.name.partition(".")
        for item in found
        if item.kind == "relation" and item.definition[0] in _TABLES
    )
    return {name for schema, _, name in names if schema == "public"}


def differing(found: Set[Item], expected: Set[Item]) -> Iterator[str]:
    """Yield the names of what is there but not expected, and of what is missing."""
    for item in sorted(found - expected):
        if item.kind not in _MAY_BE_MORE:
            yield f"{item.kind} {item.name}"
    for item in sorted(expected - found):
        if item.kind in _MUST_BE_THERE:
            yield f"{item.kind} {item.name}"
