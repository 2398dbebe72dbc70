"""The state of pools: how many slots they have, and how many sessions are live."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, and_, bindparam, case, false, func, not_, select, true, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Id, Instant
from licet_server.kit.statements import Arrays
from licet_server.kit.together import Change, Found, Query
from licet_server.licenses.rules.model import LicenseId
from licet_server.sessions.rules.model import Slot
from licet_server.sessions.rules.pools import PoolState
from licet_server.sessions.tables import session_pools as pools
from licet_server.sessions.tables import session_slots as slots

_KEY = ("institution_id", "license_id")
_NOW = bindparam("now", type_=Instant)

_POOLS = Arrays(
    "pool",
    institution_id=Id,
    license_id=Id,
    count_to=Integer,
    top_to=Integer,
    sum_to=Integer,
)
_TOP = (
    select(slots.c.n)
    .where(_POOLS.same(slots, *_KEY), slots.c.n <= _POOLS.c.top_to)
    .order_by(slots.c.n.desc())
    .limit(1)
    .lateral("highest")
)
_KNOWN = select(pools.c.quiet_until).where(_POOLS.same(pools, *_KEY)).limit(1).lateral("known")
_IS_SUMMED = func.coalesce(and_(_KNOWN.c.quiet_until > _NOW, _TOP.c.n <= _POOLS.c.sum_to), false())
# The same for what counts slots, which must not depend on rows that are found beside it: Citus runs
# no such statement.
_beyond = slots.alias("beyond")
_SUMS = and_(
    select(pools.c.quiet_until)
    .where(_POOLS.same(pools, *_KEY), pools.c.quiet_until > _NOW)
    .correlate_except(pools)
    .exists(),
    not_(
        select(_beyond.c.n)
        .where(_POOLS.same(_beyond, *_KEY), _beyond.c.n > _POOLS.c.sum_to)
        .correlate_except(_beyond)
        .exists()
    ),
)
_FREE = (
    select(func.count().label("number"))
    .where(
        _SUMS,
        _POOLS.same(slots, *_KEY),
        slots.c.n <= _POOLS.c.count_to,
        slots.c.session_id.is_(None),
    )
    .lateral("free")
)
_COUNTED = (
    select(
        func.count().filter(slots.c.expires_at > _NOW).label("live"),
        func.min(slots.c.expires_at).label("first_timeout"),
    )
    .where(not_(_SUMS), _POOLS.same(slots, *_KEY), slots.c.n <= _POOLS.c.count_to)
    .lateral("counted")
)
_FETCH = select(
    _POOLS.c.license_id,
    _TOP.c.n,
    case((_IS_SUMMED, _TOP.c.n - _FREE.c.number), else_=_COUNTED.c.live).label("live"),
    _IS_SUMMED.label("is_summed"),
    _KNOWN.c.quiet_until,
    _COUNTED.c.first_timeout,
).select_from(
    _POOLS.table.join(_TOP, true())
    .outerjoin(_KNOWN, true())
    .join(_FREE, true())
    .join(_COUNTED, true())
)


def counting(asked: Sequence[tuple[UUID, UUID, int, int, int]], now: datetime) -> Query:
    """Return what fetches the state of pools; live sessions are counted up to a given slot.

    `asked` are (institution, license, last slot to count, greatest number of a slot, last slot up
    to which free ones may be counted instead). Licenses without slots up to that number are
    omitted.
    """
    return _FETCH, {**_POOLS.given(asked), "now": now}


def pools_in(rows: Found) -> dict[UUID, PoolState]:
    """Return the state of pools by license ID."""
    return {license_id: PoolState(*state) for license_id, *state in rows}


_QUIET = Arrays("quiet", institution_id=Id, license_id=Id, until=Instant)
_INSERT = insert(pools).from_select(
    [*_KEY, "quiet_until"],
    select(*_QUIET.c).order_by(_QUIET.c.institution_id, _QUIET.c.license_id),
)
_STORE = _INSERT.on_conflict_do_update(
    index_elements=_KEY, set_={"quiet_until": _INSERT.excluded.quiet_until}
)


def storing(quiet: Sequence[tuple[LicenseId, datetime]]) -> list[Change]:
    """Return what stores until when no session of these licenses, which are locked, times out."""
    return [(_STORE, _QUIET.given([(*key, until) for key, until in quiet]))] if quiet else []


_FIRST = bindparam("first_timeout", type_=Instant)
_LOWER = (
    update(pools)
    .where(
        pools.c.institution_id == bindparam("of_institution", type_=Id),
        pools.c.license_id == bindparam("of_license", type_=Id),
        pools.c.quiet_until > _FIRST,
    )
    .values(quiet_until=_FIRST)
)


def lowering(item: Slot) -> list[Change]:
    """Return what keeps the pool of a slot no quieter than the session in it."""
    given = {
        "of_institution": item.institution_id,
        "of_license": item.license_id,
        "first_timeout": item.expires_at,
    }
    return [(_LOWER, given)]
