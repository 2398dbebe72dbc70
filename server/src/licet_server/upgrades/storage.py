"""Reads and writes the last check of the feed, and the release that it named."""

from datetime import datetime, timedelta

from sqlalchemy import delete, literal, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Connection
from licet_server.upgrades.rules import ServiceRelease
from licet_server.upgrades.tables import upgrade_check

_RELEASE = ("version", "released_at", "notes_url")


async def claim_check(db: Connection, now: datetime, interval: timedelta) -> bool:
    """Check whether a check is due; only one of several processes gets `True`."""
    claimed = insert(upgrade_check).values(checked_at=now)
    claimed = claimed.on_conflict_do_update(
        index_elements=[upgrade_check.c.is_only_row],
        set_={"checked_at": now},
        where=upgrade_check.c.checked_at <= now - interval,
    )
    return (await db.execute(claimed.returning(literal(1)))).first() is not None


_AVAILABLE = select(*(upgrade_check.c[name] for name in _RELEASE)).where(
    upgrade_check.c.version.is_not(None)
)


async def fetch_available(db: Connection) -> ServiceRelease | None:
    """Fetch the release that the last successful check found."""
    row = (await db.execute(_AVAILABLE)).first()
    return None if row is None else ServiceRelease(*row)


async def store_available(db: Connection, release: ServiceRelease) -> None:
    """Store the release that the feed names now."""
    values = {name: getattr(release, name) for name in _RELEASE}
    await db.execute(update(upgrade_check).values(values))


async def forget_check(db: Connection) -> None:
    """Forget the last check and its release."""
    await db.execute(delete(upgrade_check))
