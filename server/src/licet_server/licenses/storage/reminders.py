"""Claims the licenses with an expiry reminder that is due."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
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
_found = (
    _due.where(
        text(REMINDER_PENDING),  # the exact predicate of the partial index, so that it is used
        _is_long_enough,
        _is_pending(_STAGES.c.days, _is_in_grace),
    )
    .limit(bindparam("at_once", type_=Integer))
    .cte("found")
    .prefix_with("MATERIALIZED")
)
# Checked again on the locked row: another process may have claimed it first.
_locked = (
    select(licenses.c.institution_id, licenses.c.id, _found.c.days)
    .join(
        _found,
        and_(licenses.c.institution_id == _found.c.institution_id, licenses.c.id == _found.c.id),
    )
    .where(
        licenses.c.revoked_at.is_(None),
        licenses.c.suspended_at.is_(None),
        licenses.c.expiration_date > _found.c.after,
        licenses.c.expiration_date <= _found.c.until,
        _is_pending(_found.c.days, _found.c.days == IN_GRACE),
    )
    .with_for_update(skip_locked=True, key_share=True, of=licenses)
    .cte("locked")
    .prefix_with("MATERIALIZED")
)
_told_of_grace = _locked.c.days == IN_GRACE
_end = licenses.c.expiration_date
_CLAIM = (
    update(licenses)
    .where(
        licenses.c.institution_id == _locked.c.institution_id,
        licenses.c.id == _locked.c.id,
    )
    .values(
        reminded_for=case((_told_of_grace, licenses.c.reminded_for), else_=_end),
        reminded_days=case((_told_of_grace, licenses.c.reminded_days), else_=_locked.c.days),
        grace_reminded_for=case((_told_of_grace, _end), else_=licenses.c.grace_reminded_for),
    )
    .returning(licenses.c.institution_id, licenses.c.id, _locked.c.days)
)


async def claim_due(
    db: Connection, stages: Sequence[tuple[UUID, Stage]], limit: int
) -> dict[LicenseId, int]:
    """Claim active licenses in one of these stages whose reminder was not sent yet.

    Returns the stage of each in days. They count as reminded once the transaction commits. Rows
    locked by another process are skipped.
    """
    rows = [(item, stage.days, stage.after, stage.until) for item, stage in stages]
    given = {**_STAGES.given(rows), "at_once": limit}
    return {(row.institution_id, row.id): row.days for row in await db.execute(_CLAIM, given)}
