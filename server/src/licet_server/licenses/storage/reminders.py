"""Claims the licenses with an expiry reminder that is due."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    UpdateBase,
    and_,
    bindparam,
    case,
    func,
    not_,
    or_,
    select,
    text,
    update,
)

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.reminders import EXPIRED, IN_GRACE, Stage
from licet_server.licenses.storage.terms import DAY, paid_until
from licet_server.licenses.tables import REMINDER_PENDING, licenses


def _is_pending(days: ColumnElement[Any], is_in_grace: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return whether the reminder of this stage was not sent yet for the present end of the term.

    In the grace the first condition is true, and costs nothing: the planner expects few rows by it.
    """
    end = licenses.c.expiration_date
    return and_(
        or_(licenses.c.reminded_for.is_distinct_from(end), licenses.c.reminded_days > days),
        or_(not_(is_in_grace), licenses.c.grace_reminded_for.is_distinct_from(end)),
    )


_STAGES = Arrays("stage", institution_id=Id, days=Integer, after=Instant, until=Instant)
_is_in_grace = and_(_STAGES.c.days == EXPIRED, paid_until > _STAGES.c.until)
_days = case((_is_in_grace, IN_GRACE), else_=_STAGES.c.days)
_due = select(
    licenses.c.institution_id,
    licenses.c.id,
    _days.label("days"),
    _STAGES.c.after,
    _STAGES.c.until,
).join(
    _STAGES.table,
    and_(
        licenses.c.institution_id == _STAGES.c.institution_id,
        licenses.c.expiration_date > _STAGES.c.after,
        licenses.c.expiration_date <= _STAGES.c.until,
    ),
)
# A term that is not longer than the reminder's days would be reminded of as soon as it begins. The
# end of a term is told in any case.
_is_long_enough = or_(
    _STAGES.c.days == EXPIRED,
    licenses.c.expiration_date
    > func.least(func.coalesce(licenses.c.term_began_at, licenses.c.created_at), _STAGES.c.until)
    + _STAGES.c.days * DAY,
)


def _claiming(*chosen: ColumnElement[bool]) -> UpdateBase:
    """Return the statement that claims the chosen licenses among those that are due."""
    found = (
        _due.where(
            text(REMINDER_PENDING),  # the exact predicate of the partial index, so that it is used
            _is_long_enough,
            _is_pending(_STAGES.c.days, _is_in_grace),
            *chosen,
        )
        .limit(bindparam("at_once", type_=Integer))
        .cte("found")
        .prefix_with("MATERIALIZED")
    )
    # Checked again on the locked row: another process may have claimed it first.
    locked = (
        select(licenses.c.institution_id, licenses.c.id, found.c.days)
        .join(
            found,
            and_(licenses.c.institution_id == found.c.institution_id, licenses.c.id == found.c.id),
        )
        .where(
            licenses.c.revoked_at.is_(None),
            licenses.c.suspended_at.is_(None),
            licenses.c.expiration_date > found.c.after,
            licenses.c.expiration_date <= found.c.until,
            _is_pending(found.c.days, found.c.days == IN_GRACE),
        )
        .with_for_update(skip_locked=True, key_share=True, of=licenses)
        .cte("locked")
        .prefix_with("MATERIALIZED")
    )
    told_of_grace = locked.c.days == IN_GRACE
    end = licenses.c.expiration_date
    return (
        update(licenses)
        .where(licenses.c.institution_id == locked.c.institution_id, licenses.c.id == locked.c.id)
        .values(
            reminded_for=case((told_of_grace, licenses.c.reminded_for), else_=end),
            reminded_days=case((told_of_grace, licenses.c.reminded_days), else_=locked.c.days),
            grace_reminded_for=case((told_of_grace, end), else_=licenses.c.grace_reminded_for),
        )
        .returning(licenses.c.institution_id, licenses.c.id, locked.c.days)
    )


_CLAIM = _claiming()
"""Needs no table but the index, and so is for the institutions that have no test clock."""

_CLAIM_OF_PRESENT = _claiming(goes_by(None, licenses.c.institution_id, licenses.c.product_id))
_CLAIM_OF_PRODUCT = _claiming(licenses.c.product_id == bindparam("of_product", type_=Id))


async def claim_due(
    db: Connection,
    stages: Sequence[tuple[UUID, Stage]],
    limit: int,
    clocked: Collection[UUID] = (),
    of_product: UUID | None = None,
) -> dict[LicenseId, int]:
    """Claim active licenses in one of these stages whose reminder was not sent yet.

    `clocked` are the institutions with products that go by clocks of their own, whose licenses are
    left out, and `of_product` is the only such product. Returns the stage of each in days. They
    count as reminded once the transaction commits. Rows locked by another process are skipped.
    """
    rows = [(item, stage.days, stage.after, stage.until) for item, stage in stages]
    if of_product is not None:
        given = {"at_once": limit, "of_product": of_product}
        return await _claim(db, _CLAIM_OF_PRODUCT, rows, given)
    given = {"at_once": limit}
    claimed = await _claim(db, _CLAIM, [row for row in rows if row[0] not in clocked], given)
    others = [row for row in rows if row[0] in clocked]
    return claimed | await _claim(db, _CLAIM_OF_PRESENT, others, given)


async def _claim(
    db: Connection, statement: UpdateBase, rows: Sequence[Sequence[Any]], given: Mapping[str, Any]
) -> dict[LicenseId, int]:
    if not rows:
        return {}
    found = await db.execute(statement, {**_STAGES.given(rows), **given})
    return {(row.institution_id, row.id): row.days for row in found}


_later = _STAGES.c.after + _STAGES.c.days * DAY
_NEXT = (
    select(func.min(licenses.c.expiration_date - _STAGES.c.days * DAY))
    .select_from(licenses)
    .join(
        _STAGES.table,
        and_(
            licenses.c.institution_id == _STAGES.c.institution_id,
            licenses.c.expiration_date > _later,
        ),
    )
    .where(
        licenses.c.product_id == bindparam("of_product", type_=Id),
        text(REMINDER_PENDING),
        or_(
            _STAGES.c.days == EXPIRED,
            licenses.c.expiration_date
            > func.coalesce(licenses.c.term_began_at, licenses.c.created_at) + _STAGES.c.days * DAY,
        ),
        or_(
            licenses.c.reminded_for.is_distinct_from(licenses.c.expiration_date),
            licenses.c.reminded_days > _STAGES.c.days,
        ),
    )
)
"""`after` of a stage is the instant of the clock here."""

_NEXT_END_OF_GRACE = select(func.min(paid_until)).where(
    licenses.c.institution_id == bindparam("of_institution", type_=Id),
    licenses.c.product_id == bindparam("of_product", type_=Id),
    text(REMINDER_PENDING),
    paid_until > bindparam("after", type_=Instant),
)


async def fetch_next_due(
    db: Connection, clocked: Clocked, reminder_days: Collection[int]
) -> datetime | None:
    """Fetch when the product's next reminder, or announcement of an end, is due."""
    rows = [
        (clocked.institution_id, days, clocked.now, clocked.now)
        for days in {EXPIRED, *reminder_days}
    ]
    product = {"of_product": clocked.product_id}
    next_end = (await db.execute(_NEXT, {**_STAGES.given(rows), **product})).scalar_one()
    given = {**product, "of_institution": clocked.institution_id, "after": clocked.now}
    end_of_grace = (await db.execute(_NEXT_END_OF_GRACE, given)).scalar_one()
    return min((item for item in (next_end, end_of_grace) if item is not None), default=None)
