"""Reads sessions: lists for operators, counts for statistics."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading
from licet_server.sessions.rules.model import Session, SessionStatus
from licet_server.sessions.storage import counts
from licet_server.sessions.storage import sessions as storage

TOP_LICENSES = 10


@dataclass(frozen=True, slots=True)
class LicenseSessions:
    """How many sessions of a license live."""

    institution_id: UUID
    license_id: UUID
    live: int


@dataclass(frozen=True, slots=True)
class SessionStatistics:
    """How many sessions live, and the licenses with the most of them."""

    live: int
    top_licenses: list[LicenseSessions]


async def list_sessions(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    status: SessionStatus,
    paging: Paging,
    now: datetime,
) -> Listing[Session]:
    """The live or the past sessions of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    owner = (license_.institution_id, license_.id)
    return await storage.list_sessions(db, owner, status, paging, now)


async def live_counts(
    db: Connection, license_ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, int]:
    """How many sessions of each license live at `now`; each license is there.

    This reads every slot that the licenses ever needed at a time.
    """
    if not license_ids:
        return {}
    return await counts.count_live(db, list(dict.fromkeys(license_ids)), now)


async def session_statistics(
    db: Connection, visibility: Visibility, now: datetime
) -> SessionStatistics:
    """What lives at `now` in these institutions, or in one product of theirs.

    This reads every slot of these institutions.
    """
    live, ranked = await counts.rank_by_live(db, visibility, TOP_LICENSES, now)
    return SessionStatistics(live, [LicenseSessions(*owner, count) for owner, count in ranked])
