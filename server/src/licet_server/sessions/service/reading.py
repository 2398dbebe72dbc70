"""Reads sessions: lists for operators, counts for statistics."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.service import reading
from licet_server.sessions.rules.model import SeatSession, SessionStatus
from licet_server.sessions.storage import counts
from licet_server.sessions.storage import sessions as storage

TOP_LICENSES = 10


@dataclass(frozen=True, slots=True)
class LicenseSessions:
    """How many live sessions a license has."""

    institution_id: UUID
    license_id: UUID
    live: int


@dataclass(frozen=True, slots=True)
class LiveSessions:
    """The number of live sessions, and the licenses with the most of them."""

    live: int
    top_licenses: list[LicenseSessions]


async def list_sessions(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    *,
    status: SessionStatus,
    paging: Paging,
    now: datetime,
) -> Listing[SeatSession]:
    """List the live or the past sessions of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    return await list_sessions_of(db, license_, status=status, paging=paging, now=now)


async def list_sessions_of(
    db: Connection, license_: License, *, status: SessionStatus, paging: Paging, now: datetime
) -> Listing[SeatSession]:
    """List the live or the past sessions of a license that the caller may read, newest first."""
    owner = (license_.institution_id, license_.id)
    return await storage.list_sessions(
        db, owner, term_end=license_.valid_until, status=status, paging=paging, now=now
    )


async def count_live(
    db: Connection, license_ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, int]:
    """Count the sessions of each license that are live at `now`; every license is included.

    This reads every slot of the licenses.
    """
    if not license_ids:
        return {}
    return await counts.count_live(db, list(dict.fromkeys(license_ids)), now)


async def find_live(
    db: Connection, sessions: Sequence[tuple[UUID, UUID, UUID]], now: datetime
) -> set[UUID]:
    """Find which of these sessions (institution, license, session) are live at `now`."""
    return await counts.fetch_live(db, list(dict.fromkeys(sessions)), now) if sessions else set()


async def find_live_sessions(db: Connection, visibility: Visibility, now: datetime) -> LiveSessions:
    """Count the visible sessions that are live at `now`, and find the licenses with the most.

    This reads every slot of the visible institutions.
    """
    live, ranked = await counts.rank_by_live(db, visibility, TOP_LICENSES, now)
    return LiveSessions(
        live=live,
        top_licenses=[
            LicenseSessions(institution_id=institution_id, license_id=license_id, live=count)
            for (institution_id, license_id), count in ranked
        ],
    )


async def count_by_version(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[tuple[UUID, UUID, str | None], int]:
    """Count the visible live sessions by institution, product and version of the application."""
    return await counts.count_by_version(db, visibility, now)


async def measure_seats(db: Connection, now: datetime) -> Backlog:
    """Estimate how many seats of the instance are taken."""
    return await counts.estimate_live(db, now)
