"""The canary, and a few sealed values of a database that has none yet."""

from sqlalchemy import Boolean, CheckConstraint, Column, Table, select, text
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import GLOBAL, SEALED, Bytes, Connection, metadata

master_key_canary = Table(
    "master_key_canary",
    metadata,
    Column("is_only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("sealed", Bytes, nullable=False),
    CheckConstraint("is_only_row", name="is_only_row"),
    info=GLOBAL,
)


_SAMPLES = 20


async def fetch_canary(db: Connection) -> bytes | None:
    return (await db.execute(select(master_key_canary.c.sealed))).scalar()


async def insert_canary(db: Connection, sealed: bytes) -> None:
    """Store the canary unless another process was faster."""
    await db.execute(insert(master_key_canary).values(sealed=sealed).on_conflict_do_nothing())


async def replace_canary(db: Connection, sealed: bytes) -> None:
    new = insert(master_key_canary).values(sealed=sealed)
    await db.execute(
        new.on_conflict_do_update(
            constraint=master_key_canary.primary_key, set_={"sealed": new.excluded.sealed}
        )
    )


async def sample_sealed(db: Connection) -> list[tuple[str, bytes]]:
    """Fetch some of the newest sealed values of every column, each with its place."""
    samples: list[tuple[str, bytes]] = []
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.info == SEALED:
                newest = (
                    select(table.c.id, column)
                    .where(column.is_not(None))
                    .order_by(table.c.id.desc())
                    .limit(_SAMPLES)
                )
                place = f"{table.name}.{column.name}"
                samples += [(f"{place}:{id_}", sealed) for id_, sealed in await db.execute(newest)]
    return samples
