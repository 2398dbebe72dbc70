"""What happened last, for a page that people begin with."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, cast, func, select, true

from licet_server.events.tables import events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id


@dataclass(frozen=True, slots=True)
class Recent:
    """An event without what was changed and from where.

    `subject_name` is what the subject was called then, `license_id` the license that it is about.
    """

    id: UUID
    kind: str
    occurred_at: datetime
    subject_id: UUID
    product_id: UUID | None
    actor_kind: str
    actor_name: str | None
    subject_name: str | None
    license_id: UUID | None


_NAMES = [field.name for field in fields(Recent)]
_CALLED = ("licenseName", "deviceName", "name", "version", "email")
_TOLD = {
    "subject_name": func.coalesce(*(events.c.data[name].astext for name in _CALLED)),
    "license_id": case(
        (events.c.kind.startswith("license."), events.c.subject_id),
        (
            events.c.data["licenseId"].astext.is_not(None),
            cast(events.c.data["licenseId"].astext, Id),
        ),
    ),
}
_COLUMNS = [_TOLD[name].label(name) if name in _TOLD else events.c[name] for name in _NAMES]
_PRODUCTS = Arrays("wanted", product_id=Id)


async def fetch_newest(
    db: Connection, institution_id: UUID, without: Sequence[str], limit: int
) -> list[Recent]:
    """The newest of an institution first, but for kinds that begin with one of `without`."""
    statement = (
        select(*_COLUMNS)
        .where(events.c.institution_id == institution_id, *_not(without))
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [Recent(*row) for row in await db.execute(statement)]


async def fetch_newest_of_products(
    db: Connection,
    institution_id: UUID,
    product_ids: Sequence[UUID],
    without: Sequence[str],
    limit: int,
) -> list[Recent]:
    """The same of these products alone, so many of each looked at, however rare they are.

    In the order of an index that begins with the product: for the order of ids, the primary key
    would be read back until enough of a rare product were met.
    """
    of_one = (
        select(*_COLUMNS)
        .where(
            and_(
                events.c.institution_id == institution_id,
                events.c.product_id == _PRODUCTS.c.product_id,
                *_not(without),
            )
        )
        .order_by(events.c.occurred_at.desc(), events.c.id.desc())
        .limit(limit)
        .lateral("of_one")
    )
    statement = (
        select(*(of_one.c[name] for name in _NAMES))
        .select_from(_PRODUCTS.table.join(of_one, true()))
        .order_by(of_one.c.occurred_at.desc(), of_one.c.id.desc())
        .limit(limit)
    )
    given = _PRODUCTS.given([(item,) for item in product_ids])
    return [Recent(*row) for row in await db.execute(statement, given)]


def _not(starts: Sequence[str]) -> list[ColumnElement[bool]]:
    return [~events.c.kind.startswith(start, autoescape=True) for start in starts]
