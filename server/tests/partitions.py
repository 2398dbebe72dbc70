"""The schema with every tenant table in partitions by institution.

PostgreSQL asks of a partitioned table what a distributed one asks of its shards: each key contains
the institution, and a statement that names the institution touches one partition.
"""

from alembic import command
from placement_faults import placement_faults
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.ext.asyncio import create_async_engine

from licet_server.kit.database import metadata
from licet_server.kit.placement import Placement, tables_of
from licet_server.kit.routing import TENANT
from licet_server.migrations import config

PARTITIONS = 8
_NAME_LENGTH = 63

# As Citus does: the index of a part is called like that of the whole, with the part's number.
_RENAME_INDEXES = f"""
    DO $$
    DECLARE part record;
    BEGIN
        FOR part IN
            SELECT i.relname AS name, whole.relname AS whole, substring(t.relname from '\\d+$') AS n
            FROM pg_inherits
            JOIN pg_class i ON i.oid = inhrelid AND i.relkind = 'i'
            JOIN pg_class whole ON whole.oid = inhparent
            JOIN pg_index x ON x.indexrelid = i.oid
            JOIN pg_class t ON t.oid = x.indrelid
        LOOP
            EXECUTE format('ALTER INDEX %I RENAME TO %I',
                           part.name, left(part.whole, {_NAME_LENGTH - 2}) || '_' || part.n);
        END LOOP;
    END $$
"""


class NotPartitionable(Exception):
    """A tenant table that cannot be divided by institution."""


def partitioned(whole: MetaData = metadata) -> MetaData:
    """Return a copy of the tables in which those of tenants are divided by institution.

    Raises:
        NotPartitionable: when a key does not contain the institution.
    """
    if faults := placement_faults(whole):
        raise NotPartitionable("\n".join(faults))
    divided = MetaData(naming_convention=whole.naming_convention)
    for table in whole.sorted_tables:
        table.to_metadata(divided)
    for table in tables_of(divided, Placement.DISTRIBUTED):
        options = table.dialect_options["postgresql"]
        options["partition_by"] = f"HASH ({TENANT})"
        options["with"] = {}  # of the partitions
    return divided


async def migrate_partitioned(url: str) -> None:
    """Bring an empty database to the newest schema, with tenant tables in partitions."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(create_partitioned)
    await engine.dispose()


def create_partitioned(connection: Connection, whole: MetaData = metadata) -> None:
    """Create the newest schema in an empty database, with tenant tables in partitions."""
    partitioned(whole).create_all(connection)
    for table in tables_of(whole, Placement.DISTRIBUTED):
        storage = table.dialect_options["postgresql"]["with"] or {}
        given = ", ".join(f"{name} = {value}" for name, value in storage.items())
        for n in range(PARTITIONS):
            connection.execute(
                text(
                    f"CREATE TABLE {table.name}_{n} PARTITION OF {table.name} "
                    f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {n})"
                    + (f" WITH ({given})" if given else "")
                )
            )
    connection.exec_driver_sql(_RENAME_INDEXES)
    command.stamp(config(connection), "head")
