"""Lists of sessions, for operators."""

from datetime import datetime
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.sessions.rules.model import SeatSession, SessionStatus
from licet_server.sessions.storage import counts
from licet_server.sessions.storage import sessions as storage


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


async def measure_seats(db: Connection, now: datetime) -> Backlog:
    """Estimate how many seats of the instance are taken."""
    return await counts.estimate_live(db, now)
