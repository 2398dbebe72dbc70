"""Reads the recorded expiry events, and issues licenses that expire soon."""

import uuid
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from licenses.factories import issue
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried

from licet_server.kit.platform import Platform
from licet_server.licenses.service import reminders
from licet_server.licenses.service.hooks import LicenseHooks

DAY = timedelta(days=1)
KINDS = ("license.expiring", "license.expired")
Reminder = tuple[str, str, datetime, int]
"""License, kind, end of the term, days left."""

COPIES = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, created_at, updated_at, expiration_date)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'copy-' || n, 'copy-' || n,
    license_name, activation_mode, created_at, updated_at,
    CAST(:first AS timestamptz) + n * CAST(:apart AS interval)
FROM licenses, generate_series(1, :count) AS n WHERE id = :id
"""


class ReminderLog:
    """The expiry events recorded since it was last read."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._read: set[uuid.UUID] = set()

    async def unread(self) -> Counter[Reminder]:
        statement = text(
            "SELECT id, subject_id, kind, data->>'expirationDate' AS ends, "
            "data->>'daysLeft' AS left FROM events WHERE kind = ANY(:kinds)"
        )
        async with self._platform.database.reading() as db:
            rows = (await db.execute(statement, {"kinds": list(KINDS)})).all()
        fresh = [row for row in rows if row.id not in self._read]
        self._read |= {row.id for row in fresh}
        return Counter(
            (str(row.subject_id), row.kind, datetime.fromisoformat(row.ends), int(row.left))
            for row in fresh
        )

    async def unread_kinds(self) -> Counter[tuple[str, int]]:
        """Kinds and days left of the unread events."""
        found: Counter[tuple[str, int]] = Counter()
        for (_, kind, _, left), count in (await self.unread()).items():
            found[kind, left] += count
        return found


def wire(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


async def trial(
    platform: Platform, owner: Owner, product: dict[str, Any], days: float, clock: FakeClock
) -> str:
    """Issue a trial a year ago that ends in so many days; return its id."""
    ends = wire(clock() + days * DAY)
    made = await issue(owner, product, "Trial", expirationDate=ends)
    await put_back(platform, made["id"], 365)
    return str(made["id"])


async def put_back(platform: Platform, license_id: str, days: int) -> None:
    """Let a license be issued so many days earlier."""
    statement = (
        "UPDATE licenses SET created_at = timezone('UTC', timezone('UTC', created_at) "
        "- make_interval(days => :days)) WHERE id = :id"
    )
    async with platform.database.transaction() as db:
        await db.execute(text(statement), {"id": license_id, "days": days})


async def remind(platform: Platform) -> int:
    """Run the job once."""
    return await reminders.remind_of_expiry(platform, LicenseHooks())


async def copies(
    platform: Platform, license_id: str, count: int, first: datetime, apart: timedelta
) -> None:
    given = {"id": license_id, "count": count, "first": first, "apart": apart}
    async with unhurried(platform) as db:
        await db.execute(text(COPIES), given)
