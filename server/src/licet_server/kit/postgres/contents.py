"""A fingerprint of everything that a database holds, to prove that a copy is one."""

from licet_server.kit.postgres.address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.tools import identifier, query

_SESSION = "SET timezone = 'UTC'; SET extra_float_digits = 3; SET datestyle = 'ISO, YMD';"
_OUTSIDE = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'"

# The order of rows is not part of a table, so the hashes of its rows are summed: no sort, and
# no more memory for a million rows than for one.
_ROWS = """
SELECT {label}, count(*),
    coalesce(sum(('x' || left(h, 16))::bit(64)::bigint::numeric), 0),
    coalesce(sum(('x' || right(h, 16))::bit(64)::bigint::numeric), 0)
FROM (SELECT md5(t::text) AS h FROM ONLY {table} AS t) AS hashes;
"""


def fingerprint(binaries: Binaries, address: Address) -> dict[str, tuple[str, ...]]:
    """Of each table the number of rows and a checksum; the sequences; the names of the rest."""
    tables = query(
        binaries,
        address,
        "SELECT n.nspname, c.relname FROM pg_class c"  # noqa: S608 - constants
        f" JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND {_OUTSIDE};",
    )
    sql = [_SESSION, _SEQUENCES, _DEFINITIONS]
    for schema, table in tables:
        name = f"{identifier(schema)}.{identifier(table)}"
        label = "'table " + name.replace("'", "''") + "'"
        sql.append(_ROWS.format(label=label, table=name))
    rows = query(binaries, address, "\n".join(sql))
    return {row[0]: tuple(row[1:]) for row in rows}


def differences(old: dict[str, tuple[str, ...]], new: dict[str, tuple[str, ...]]) -> list[str]:
    """What is not the same in both, by name."""
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


_SEQUENCES = (
    "SELECT 'sequence ' || schemaname || '.' || sequencename, coalesce(last_value::text, 'unused')"  # noqa: S608 - constants
    f" FROM pg_sequences JOIN pg_namespace n ON n.nspname = schemaname WHERE {_OUTSIDE};"
)

# Not-null constraints have names of their own since PostgreSQL 18 only.
_DEFINITIONS = f"""
SELECT 'index ' || n.nspname || '.' || c.relname, pg_get_indexdef(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('i', 'I') AND {_OUTSIDE};
SELECT 'constraint ' || coalesce(k.conrelid::regclass::text, '') || '.' || k.conname,
    pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
WHERE k.contype <> 'n' AND {_OUTSIDE};
SELECT 'relation ' || n.nspname || '.' || c.relname, c.relkind
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm', 'p', 'f') AND {_OUTSIDE};
"""  # noqa: S608 - constants
