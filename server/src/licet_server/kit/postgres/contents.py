"""Fingerprints the content of a database, to verify a copy."""

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.tools import identifier, query

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
