"""Live and past sessions, as they are stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    true,
    update,
)

from licet_server.catalog.reading import instant_by
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.folded_columns import folded_column
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.old_rows import OldRows, deleted, lines_of
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.personal import PersonalLines
from licet_server.kit.statements import Arrays, SoughtDevice, named_like, visible_to
from licet_server.kit.text import part_pattern
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.storage.terms import status_dates
from licet_server.sessions.rules.model import (
    EndReason,
    SeatSession,
    SessionEnd,
    SessionFilter,
    SessionKey,
    SessionStatus,
    UsedProof,
)
from licet_server.sessions.tables import session_slots as slots
from licet_server.sessions.tables import sessions

_OF_SLOT = {"expires_at", "lease_id"}
_STORED = [item.name for item in fields(SeatSession) if item.name not in _OF_SLOT]
_KINDS = {name: sessions.c[name].type for name in _STORED}
_NEW = Arrays("started", **_KINDS)
_INSERT = insert(sessions).from_select(_STORED, select(*(_NEW.c[name] for name in _STORED)))

_PROOFS = Arrays("shown", institution_id=Id, license_id=Id, proof_jti=String)
_USED = (
    select(sessions.c.institution_id, sessions.c.license_id, sessions.c.proof_jti)
    .select_from(_PROOFS.table.join(sessions, true()))
    .where(
        sessions.c.institution_id == _PROOFS.c.institution_id,
        sessions.c.license_id == _PROOFS.c.license_id,
        sessions.c.proof_jti == _PROOFS.c.proof_jti,
    )
)


async def fetch_used_proofs(db: Connection, proofs: Sequence[UsedProof]) -> set[UsedProof]:
    """Fetch which of these proofs began a session before."""
    if not proofs:
        return set()
    rows = await db.execute(_USED, _PROOFS.given(proofs))
    return {(row.institution_id, row.license_id, row.proof_jti) for row in rows}


_ENDED = Arrays(
    "ended",
    institution_id=Id,
    id=Id,
    ended_at=Instant,
    end_reason=String,
    last_heartbeat_at=Instant,
)
_END = (
    update(sessions)
    .where(
        sessions.c.institution_id == _ENDED.c.institution_id,
        sessions.c.id == _ENDED.c.id,
        sessions.c.ended_at.is_(None),
    )
    .values({name: _ENDED.c[name] for name in ("ended_at", "end_reason", "last_heartbeat_at")})
    .returning(*(sessions.c[name] for name in _STORED))
)


def _session(row: Any) -> SeatSession:
    stored = row._mapping
    values = {name: stored[name] for name in _STORED}
    reason = values.pop("end_reason")
    return SeatSession(
        **values,
        expires_at=stored.get("expires_at"),
        lease_id=stored.get("lease_id"),
        end_reason=EndReason(reason) if reason is not None else None,
    )


def inserting(items: Sequence[SeatSession]) -> list[Change]:
    """Return what inserts sessions that start."""
    rows = [[getattr(item, name) for name in _STORED] for item in items]
    return [(_INSERT, _NEW.given(rows))] if rows else []


async def end_sessions(db: Connection, ends: Sequence[SessionEnd]) -> dict[SessionKey, SeatSession]:
    """Store the ends of these sessions, whose slots the caller has locked. Returns the sessions."""
    if not ends:
        return {}
    rows = [
        (
            item.institution_id,
            item.session_id,
            item.ended_at,
            item.reason.value,
            item.last_heartbeat_at,
        )
        for item in ends
    ]
    ended = [_session(row) for row in await db.execute(_END, _ENDED.given(rows))]
    return {(item.institution_id, item.id): item for item in ended}


_SLOT = and_(
    slots.c.institution_id == sessions.c.institution_id, slots.c.session_id == sessions.c.id
)


_DATES = status_dates(sessions.c.institution_id, sessions.c.license_id)
_ANY = sessions.outerjoin(slots, _SLOT).outerjoin(_DATES, true())


def _read(now: datetime | ColumnElement[datetime], term_end: ColumnElement[Any]) -> Select[Any]:
    """Select sessions as of `now`.

    One that timed out, or whose license's term is over, has ended, whether or not that is stored.
    """
    over_at = func.least(slots.c.expires_at, term_end)
    has_ended = or_(sessions.c.ended_at.is_not(None), over_at <= now)
    timed_out = literal(EndReason.TIMED_OUT.value)
    ends_with_term = term_end < slots.c.expires_at
    reason = case((ends_with_term, literal(EndReason.LICENSE_EXPIRED.value)), else_=timed_out)
    is_stored = sessions.c.end_reason == timed_out
    shown: Mapping[str, ColumnElement[Any]] = {
        "last_heartbeat_at": func.coalesce(slots.c.last_heartbeat_at, sessions.c.last_heartbeat_at),
        "ended_at": case((has_ended, func.coalesce(sessions.c.ended_at, over_at))),
        "end_reason": case((has_ended, func.coalesce(sessions.c.end_reason, reason))),
        "expires_at": case(
            (is_stored, sessions.c.ended_at),
            (and_(ends_with_term, term_end <= now), None),
            else_=slots.c.expires_at,
        ),
        "lease_id": case((not_(has_ended), slots.c.lease_id)),
    }
    plain = [sessions.c[name] for name in _STORED if name not in shown]
    return select(*plain, *(column.label(name) for name, column in shown.items()))


async def fetch_sessions(
    db: Connection, keys: Sequence[SessionKey], now: datetime
) -> dict[SessionKey, SeatSession]:
    """Fetch these sessions as of `now`."""
    wanted = Arrays("wanted", institution_id=Id, id=Id)
    statement = (
        _read(now, _DATES.c.valid_until)
        .select_from(_ANY)
        .where(sessions.c.institution_id == wanted.c.institution_id, sessions.c.id == wanted.c.id)
    )
    found = [_session(row) for row in await db.execute(statement, wanted.given(keys))]
    return {(item.institution_id, item.id): item for item in found}


async def fetch_session(
    db: Connection, institution_ids: Collection[UUID], session_id: UUID, now: datetime
) -> SeatSession | None:
    """Fetch a session of these institutions as of `now`."""
    statement = (
        _read(now, _DATES.c.valid_until)
        .select_from(_ANY)
        .where(sessions.c.institution_id.in_(institution_ids), sessions.c.id == session_id)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _session(row)


async def fetch_live_session(
    db: Connection, visibility: Visibility, session_id: UUID, now: datetime
) -> list[SeatSession]:
    """Fetch the session with this ID, if it is live."""
    statement = _visible_live(visibility, now).where(sessions.c.id == session_id)
    return [_session(row) for row in await db.execute(statement)]


async def fetch_matching(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[SeatSession]:
    """Fetch live sessions on devices whose name or hardware ID begins with the text.

    Up to `limit` of each kind.
    """
    statement, given = _named_like(visibility, SoughtDevice.of(text), limit, now)
    return [_session(row) for row in await db.execute(statement, given)]


@kept
def _named_like(
    visibility: Visibility, sought: SoughtDevice, limit: int, now: datetime
) -> CompoundSelect[Any]:
    return named_like(_visible_live(visibility, now), sessions, sought, limit)


def _visible_live(visibility: Visibility, now: datetime) -> Select[Any]:
    """Select live sessions of several products, each by the clock that it may have."""
    of = sessions.c
    instant = instant_by(of.institution_id, of.product_id, now)
    return (
        _read(instant, _DATES.c.valid_until)
        .select_from(sessions.join(slots, _SLOT).outerjoin(_DATES, true()))
        .where(
            visible_to(visibility, of.institution_id, of.product_id),
            of.ended_at.is_(None),
            slots.c.expires_at > instant,
            or_(_DATES.c.valid_until.is_(None), _DATES.c.valid_until > instant),
        )
    )


_HEARD_AT = case(
    (slots.c.lease_id.is_(None), func.coalesce(slots.c.last_heartbeat_at, sessions.c.connected_at))
)
"""When a session was last heard of: without a heartbeat when it connected, and never while away."""

_SORTABLE_LIVE: Mapping[str, ColumnElement[Any]] = {
    "connectedAt": sessions.c.id,  # UUIDv7: the order of ids is the order of creation
    "lastHeartbeatAt": slots.c.last_heartbeat_at,
    "lastSeenAt": _HEARD_AT,
    "expiresAt": slots.c.expires_at,
    "deviceName": sessions.c.device_name,
}
_SORTABLE_ENDED: Mapping[str, ColumnElement[Any]] = {
    "connectedAt": sessions.c.id,
    "endedAt": func.coalesce(sessions.c.ended_at, slots.c.expires_at),
    "deviceName": sessions.c.device_name,
}


async def list_sessions(
    db: Connection,
    license_id: LicenseId,
    *,
    term_end: datetime | None,
    filters: SessionFilter,
    paging: Paging,
    now: datetime,
) -> Listing[SeatSession]:
    """List the live or the past sessions of a license, whose term ends at `term_end`."""
    end = literal(term_end, Instant)
    if filters.status is SessionStatus.LIVE:
        statement = _live(license_id, end, now)
        sortable = _SORTABLE_LIVE
    else:
        statement = _past(license_id, end, now)
        sortable = _SORTABLE_ENDED
    if filters.reason is not None:
        statement = statement.where(statement.selected_columns["end_reason"] == filters.reason)
    if filters.search is not None:
        named, hardware = map(part_pattern, (folded(filters.search), filters.search.lower()))
        statement = statement.where(
            or_(
                folded_column(sessions.c.device_name).like(named),
                func.lower(sessions.c.hardware_id).like(hardware),
            )
        )
    listing = await fetch_listing(db, statement, paging, id_column=sessions.c.id, sortable=sortable)
    return listing.of(_session)


def _live(license_id: LicenseId, term_end: ColumnElement[Any], now: datetime) -> Select[Any]:
    return (
        _read(now, term_end)
        .select_from(slots.join(sessions, _SLOT))
        .where(
            slots.c.institution_id == license_id[0],
            slots.c.license_id == license_id[1],
            slots.c.expires_at > now,
            or_(term_end.is_(None), term_end > now),
            sessions.c.institution_id == license_id[0],
            sessions.c.license_id == license_id[1],
        )
    )


def _past(license_id: LicenseId, term_end: ColumnElement[Any], now: datetime) -> Select[Any]:
    return (
        _read(now, term_end)
        .select_from(sessions.outerjoin(slots, _SLOT))
        .where(
            sessions.c.institution_id == license_id[0],
            sessions.c.license_id == license_id[1],
            or_(
                sessions.c.ended_at.is_not(None),
                func.least(slots.c.expires_at, term_end) <= now,
            ),
        )
    )


LINES = PersonalLines(sessions)
"""Rows in archives."""

ended_sessions = OldRows(sessions, sessions.c.ended_at)

_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_DELETE = lines_of(
    deleted(
        delete(sessions).where(
            sessions.c.institution_id == _ARCHIVED.c.institution_id, sessions.c.id == _ARCHIVED.c.id
        )
    )
)


async def delete_sessions(
    db: Connection, institution_id: UUID, session_ids: Sequence[UUID]
) -> list[str]:
    """Delete sessions, and return them as JSON."""
    given = _ARCHIVED.given([(institution_id, item) for item in session_ids])
    return list((await db.execute(_DELETE, given)).scalars())
