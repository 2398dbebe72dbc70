"""Reads and writes the release to upgrade to."""

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Connection
from licet_server.upgrades.rules.releases import ServiceRelease
from licet_server.upgrades.tables import available_upgrade

_COLUMNS = ("version", "released_at", "notes_url")


async def fetch_available(db: Connection) -> ServiceRelease | None:
    """The release that the feed named at the last check."""
    row = (await db.execute(select(*(available_upgrade.c[name] for name in _COLUMNS)))).first()
    return None if row is None else ServiceRelease(*row)


async def store_available(db: Connection, release: ServiceRelease) -> None:
    """Store the release that the feed names now."""
    values = {name: getattr(release, name) for name in _COLUMNS}
    statement = insert(available_upgrade).values(is_only_row=True, **values)
    await db.execute(statement.on_conflict_do_update(index_elements=["is_only_row"], set_=values))


async def forget_available(db: Connection) -> None:
    """Forget the release of the last check."""
    await db.execute(delete(available_upgrade))
