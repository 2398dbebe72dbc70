"""Peaks of sessions: noted as sessions start, and read for statistics."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.sessions.rules.allocation import SeatAllocation
from licet_server.sessions.rules.peaks import FullestLicense, Peak
from licet_server.sessions.storage import peaks

KEPT_FOR = timedelta(days=800)
"""Longer than the longest period of a statistic."""


@dataclass(frozen=True, slots=True)
class Concurrency:
    """The sums of the peaks of licenses by day, and the licenses that were the fullest."""

    by_day: Mapping[date, int]
    fullest: list[FullestLicense]


async def note_peaks(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    allocations: Mapping[UUID, SeatAllocation],
) -> None:
    """Raise the peaks of the licenses whose sessions have just started, where these are limited.

    The licenses are locked.
    """
    reached = [
        Peak(
            institution_id=licenses[license_id].institution_id,
            license_id=license_id,
            day=allocation.now.date(),
            product_id=licenses[license_id].product_id,
            peak=allocation.live_after,
        )
        for license_id, allocation in allocations.items()
        if allocation.sessions and allocation.cap is not None
    ]
    if reached:
        await peaks.raise_peaks(db, reached)


async def keep_peaks(platform: Platform) -> int:
    """Count sessions that began on an earlier day, and delete old peaks. Returns how many."""
    now = platform.clock()
    async with platform.database.reading() as db:
        raised = await peaks.raise_to_live(db, now)
        return raised + await peaks.delete_before(db, (now - KEPT_FOR).date())


async def read_concurrency(
    db: Connection, visibility: Visibility, first: date, last: date, limit: int
) -> Concurrency:
    """Read the peaks of days, the last one included, and up to `limit` of the fullest licenses."""
    return Concurrency(
        by_day=await peaks.sum_by_day(db, visibility, first, last),
        fullest=await peaks.rank_by_fullness(db, visibility, first, last, limit),
    )
