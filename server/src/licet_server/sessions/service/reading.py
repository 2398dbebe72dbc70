"""Lists of sessions, for operators."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.service import reading
from licet_server.sessions.rules.allocation import SeatAllocation, cap_of
from licet_server.sessions.rules.model import FullestLicense, Peak, SeatSession, SessionFilter
from licet_server.sessions.storage import counts, peaks
from licet_server.sessions.storage import sessions as storage


async def list_sessions(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    *,
    filters: SessionFilter,
    paging: Paging,
    now: datetime,
) -> Listing[SeatSession]:
    """List the live or the past sessions of a license, newest first."""
    license_ = await reading.fetch_license(db, operator, license_id)
    return await list_sessions_of(db, license_, filters=filters, paging=paging, now=now)


async def list_sessions_of(
    db: Connection,
    license_: License,
    *,
    filters: SessionFilter,
    paging: Paging,
    now: datetime,
) -> Listing[SeatSession]:
    """List the live or the past sessions of a license that the caller may read, newest first."""
    owner = (license_.institution_id, license_.id)
    return await storage.list_sessions(
        db,
        owner,
        term_end=license_.valid_until,
        filters=filters,
        paging=paging,
        now=license_.instant(now),
    )


async def search_sessions(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[SeatSession]:
    """Find live sessions by ID, or by the beginning of a device's hardware ID or name.

    They are a few, in no order.
    """
    identifier = id_in(text)
    found = await storage.fetch_matching(db, visibility, text, limit, now)
    if identifier is not None:
        found += await storage.fetch_live_session(db, visibility, identifier, now)
    return list({item.id: item for item in found}.values())


async def count_seats(db: Connection, license_: License, now: datetime) -> tuple[int, int | None]:
    """Return how many sessions of a license are live, and how many may be (`None`: any number).

    This reads every slot of the license.
    """
    live = await counts.count_live(db, [(license_.institution_id, license_.id)], now)
    return live[license_.id], cap_of(license_)


async def measure_seats(db: Connection, now: datetime) -> Backlog:
    """Estimate how many seats of the instance are taken."""
    return await counts.estimate_live(db, now)


KEPT_FOR = timedelta(days=800)
"""Longer than the longest period of a statistic."""


@dataclass(frozen=True, slots=True)
class Concurrency:
    """The sums of the peaks of licenses by day, and the licenses that were the fullest."""

    by_day: Mapping[date, int]
    fullest: list[FullestLicense]


def changes_of_peaks(
    licenses: Mapping[UUID, LicenseTerms], allocations: Mapping[UUID, SeatAllocation]
) -> list[Change]:
    """Return what raises the peaks of the licenses whose sessions start, where these are limited.

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
    return [peaks.raising(reached)] if reached else []


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
