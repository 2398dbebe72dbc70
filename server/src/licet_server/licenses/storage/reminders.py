"""Claims the licenses whose end the world has yet to be told of."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Integer, and_, bindparam, or_, select, text, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.reminders import Stage
from licet_server.licenses.tables import STILL_TO_REMIND_OF, licenses

_STAGES = Arrays("stage", institution_id=Id, days=Integer, after=Instant, until=Instant)
_due = select(
    licenses.c.institution_id,
    licenses.c.id,
    _STAGES.c.days,
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
_found = (
    _due.where(
        text(STILL_TO_REMIND_OF),  # word for word what the index holds, so that it serves
        or_(
            licenses.c.reminded_for.is_distinct_from(licenses.c.expiration_date),
            licenses.c.reminded_days > _STAGES.c.days,
        ),
    )
    .limit(bindparam("at_once", type_=Integer))
    .cte("found")
    .prefix_with("MATERIALIZED")
)
# Asked again of the row as it is once it is held: another process may have been faster.
_held = (
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
        or_(
            licenses.c.reminded_for.is_distinct_from(licenses.c.expiration_date),
            licenses.c.reminded_days > _found.c.days,
        ),
    )
    .with_for_update(skip_locked=True, key_share=True, of=licenses)
    .cte("held")
    .prefix_with("MATERIALIZED")
)
_CLAIM = (
    update(licenses)
    .where(
        licenses.c.institution_id == _held.c.institution_id,
        licenses.c.id == _held.c.id,
    )
    .values(reminded_for=licenses.c.expiration_date, reminded_days=_held.c.days)
    .returning(licenses.c.institution_id, licenses.c.id, licenses.c.reminded_days)
)


async def claim_due(
    db: Connection, stages: Sequence[tuple[UUID, Stage]], limit: int
) -> dict[LicenseId, int]:
    """Active licenses in one of these stages of their institution that nobody was told of.

    Answers their stages in days; they count as told of, once the transaction commits. What another
    process holds is skipped.
    """
    rows = [(item, stage.days, stage.after, stage.until) for item, stage in stages]
    given = {**_STAGES.given(rows), "at_once": limit}
    return {
        (row.institution_id, row.id): row.reminded_days for row in await db.execute(_CLAIM, given)
    }
