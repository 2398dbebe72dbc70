"""What is in a database or in a backup of one: rows, definitions, and what can run code."""

import json
import re
import subprocess
from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import plain_environment
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import NotOurs
from licet_server.kit.postgres.programs import Program, identifier, query

_SESSION = (
    "SET search_path = pg_catalog, pg_temp; SET timezone = 'UTC'; SET extra_float_digits = 3;"
    " SET datestyle = 'ISO, YMD';"
)
_NOT_SYSTEM = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'"

# Rows have no order, so the sum of their hashes is compared: no sorting, and constant memory.
_ROWS = """
SELECT {label}, count(*),
    coalesce(sum(('x' || left(h, 16))::bit(64)::bigint::numeric), 0),
    coalesce(sum(('x' || right(h, 16))::bit(64)::bigint::numeric), 0)
FROM (SELECT md5(t::text) AS h FROM ONLY {table} AS t) AS hashes;
"""


def fingerprint(binaries: Binaries, address: Address) -> dict[str, tuple[str, ...]]:
    """Return row count and checksum of each table, the sequences, and all other definitions."""
    tables = query(
        binaries,
        address,
        "SELECT n.nspname, c.relname FROM pg_class c"  # noqa: S608 - constants
        f" JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND {_NOT_SYSTEM};",
    )
    sql = [_SESSION, _SEQUENCES, _DEFINITIONS]
    for schema, table in tables:
        name = f"{identifier(schema)}.{identifier(table)}"
        label = "'table " + name.replace("'", "''") + "'"
        sql.append(_ROWS.format(label=label, table=name))
    rows = query(binaries, address, "\n".join(sql))
    return {row[0]: tuple(row[1:]) for row in rows}


def differences(old: dict[str, tuple[str, ...]], new: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the names of the entries that differ."""
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


_SEQUENCES = (
    "SELECT 'sequence ' || schemaname || '.' || sequencename, coalesce(last_value::text, 'unused')"  # noqa: S608 - constants
    f" FROM pg_sequences JOIN pg_namespace n ON n.nspname = schemaname WHERE {_NOT_SYSTEM};"
)

# Not-null constraints are named only since PostgreSQL 18.
_DEFINITIONS = f"""
SELECT 'index ' || n.nspname || '.' || c.relname, pg_get_indexdef(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('i', 'I') AND {_NOT_SYSTEM};
SELECT 'constraint ' || coalesce(k.conrelid::regclass::text, '') || '.' || k.conname,
    pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
WHERE k.contype <> 'n' AND {_NOT_SYSTEM};
SELECT 'relation ' || n.nspname || '.' || c.relname, c.relkind
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm', 'p', 'f') AND {_NOT_SYSTEM};
"""  # noqa: S608 - constants


LARGEST_DEFINITIONS = 64 * 1024 * 1024

_KINDS = (
    "TABLE DATA",
    "TABLE",
    "FK CONSTRAINT",
    "CHECK CONSTRAINT",
    "CONSTRAINT",
    "INDEX",
    "DEFAULT",
    "SEQUENCE OWNED BY",
    "SEQUENCE SET",
    "SEQUENCE",
    "STATISTICS",
    "COMMENT",
    "ACL",
)
_ENTRY = re.compile(rf"\d+; \d+ \d+ (?:(?P<kind>{'|'.join(_KINDS)}) public (?P<name>.*) \S+|.*)")
_FIRST_OID_AND_SO_ON = re.compile(r"\d+; \d+ \d+ ")


@dataclass(frozen=True, slots=True)
class Entry:
    """One object in a backup. `kind` is None if it is of a kind or schema that Licet never has."""

    kind: str | None
    name: str


def list_contents(binaries: Binaries, backup: BinaryIO) -> list[Entry]:
    """List the objects in a backup.

    Raises:
        ToolFailed: when the file is no backup.
    """
    text = output_of(reading(binaries, backup, "--list")).decode(errors="replace")
    return [_entry(line) for line in text.splitlines() if line and not line.startswith(";")]


def require_tables(entries: Collection[Entry], tables: Collection[str]) -> None:
    """Check that a backup has these tables, and nothing but what belongs to them.

    Raises:
        NotOurs: when it has something else, or lacks a table.
    """
    foreign = [
        entry.name
        for entry in entries
        if entry.kind is None
        or (entry.kind in {"TABLE", "TABLE DATA"} and entry.name not in tables)
    ]
    if foreign:
        raise NotOurs(f"it contains what Licet never has: {', '.join(foreign[:5])}")
    missing = set(tables) - {entry.name for entry in entries if entry.kind == "TABLE"}
    if missing:
        raise NotOurs(f"it lacks the tables {', '.join(sorted(missing)[:5])}")


def only_value(binaries: Binaries, backup: BinaryIO, table: str) -> str | None:
    """Return the value in a backup of a table with one column and one row; None without it."""
    options = ("--data-only", "--schema=public", f"--table={table}", "--file=-")
    text = output_of(reading(binaries, backup, *options))
    rows = rb"^COPY public\.%b \(\w+\) FROM stdin;\n(.*)\n" % table.encode()
    found = re.search(rows, text, re.MULTILINE)
    return found[1].decode(errors="replace") if found and found[1] != rb"\." else None


def reading(binaries: Binaries, backup: BinaryIO, *options: str) -> Program:
    """Return the program that reads a backup, from its beginning."""
    command: list[str | Path] = [binaries.program("pg_restore"), *options]
    return Program(command, plain_environment(), stdin=backup)


def output_of(program: Program) -> bytes:
    """Return what a program writes, which must not be long.

    Raises:
        NotOurs: when it is longer than the definitions of any Licet.
        ToolFailed: when the program fails.
    """
    with program.running(stdout=subprocess.PIPE) as running:
        assert running.process.stdout is not None  # noqa: S101 - it is a pipe
        written = running.process.stdout.read(LARGEST_DEFINITIONS + 1)
        if len(written) > LARGEST_DEFINITIONS:
            raise NotOurs("its definitions are too long")
        running.process.wait()
        if running.has_failed:
            raise running.failure()
    return written


def _entry(line: str) -> Entry:
    found = _ENTRY.fullmatch(line)
    if found is None or found["kind"] is None:
        return Entry(None, _FIRST_OID_AND_SO_ON.sub("", line))
    return Entry(found["kind"], found["name"])


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
