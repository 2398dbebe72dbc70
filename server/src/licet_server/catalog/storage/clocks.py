"""Queries of test clocks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    select,
    true,
    type_coerce,
    update,
)

from licet_server.catalog import errors
from licet_server.catalog.rules.clocks import Clocked, ClockStatus, ProductClock
from licet_server.catalog.rules.model import Product
from licet_server.catalog.tables import test_clocks
from licet_server.kit.database import Connection, Instant
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import visible_to
from licet_server.kit.visibility import Visibility


def _visible(visibility: Visibility) -> ColumnElement[bool]:
    return visible_to(visibility, test_clocks.c.institution_id, test_clocks.c.product_id)


CLOCKS = Rows(
    test_clocks,
    ProductClock,
    _visible,
    sortable={"createdAt": test_clocks.c.id},
    refusals={"test_clocks_product_key": errors.product_has_clock},
)


def clock_of(
    test: ColumnElement[bool], institution_id: ColumnElement[Any], product_id: ColumnElement[Any]
) -> ColumnElement[Any]:
    """Return where the clock of a row's product stands; null if it goes by the present.

    It is read in the same statement as the row, and for live products not at all.
    """
    now = (
        select(test_clocks.c.now)
        .where(
            test_clocks.c.institution_id == institution_id,
            test_clocks.c.product_id == product_id,
        )
        .correlate_except(test_clocks)
        .scalar_subquery()
    )
    return case((test, now))


def instant_by(
    institution_id: ColumnElement[Any], product_id: ColumnElement[Any], now: datetime
) -> ColumnElement[Any]:
    """Return the instant that a row's product goes by at the present `now`, in lists of several."""
    return func.coalesce(clock_of(true(), institution_id, product_id), type_coerce(now, Instant))


def goes_by(
    clocked: Clocked | None, institution: ColumnElement[Any], product: ColumnElement[Any]
) -> ColumnElement[bool]:
    """Return the condition that a row is of this product, or of any that goes by the present.

    It is the one filter of all work that time makes due.
    """
    if clocked is not None:
        return and_(institution == clocked.institution_id, product == clocked.product_id)
    return ~exists().where(
        test_clocks.c.institution_id == institution, test_clocks.c.product_id == product
    )


_CLOCKED_INSTITUTIONS = select(test_clocks.c.institution_id).distinct()


async def clocked_institutions(db: Connection) -> set[UUID]:
    """Return the institutions with products that go by clocks of their own."""
    return set((await db.execute(_CLOCKED_INSTITUTIONS)).scalars())


async def fetch_instants(
    db: Connection, institution_ids: Sequence[UUID], now: datetime
) -> tuple[datetime, datetime]:
    """Fetch the earliest and the latest instant that products of these institutions go by."""
    earliest, latest = (await db.execute(*_instants(tuple(institution_ids), now))).one()
    return earliest, latest


@kept
def _instants(institution_ids: tuple[UUID, ...], now: datetime) -> Select[Any]:
    clock = test_clocks.c.now
    return select(func.least(func.min(clock), now), func.greatest(func.max(clock), now)).where(
        test_clocks.c.institution_id.in_(institution_ids)
    )


async def fetch_now(db: Connection, product: Product) -> datetime | None:
    """Fetch where the clock of a product stands, if it has one."""
    statement = select(test_clocks.c.now).where(
        test_clocks.c.institution_id == product.institution_id,
        test_clocks.c.product_id == product.id,
    )
    found: datetime | None = (await db.execute(statement)).scalar_one_or_none()
    return found


async def fetch_clocks(db: Connection, institution_id: UUID) -> dict[UUID, datetime]:
    """Fetch where the clocks of an institution's products stand, by product."""
    rows = await db.execute(_CLOCKS_OF, {"institution": institution_id})
    return {row.product_id: row.now for row in rows}


_CLOCKS_OF = select(test_clocks.c.product_id, test_clocks.c.now).where(
    test_clocks.c.institution_id == bindparam("institution")
)


async def list_clocks(
    db: Connection, visibility: Visibility, product_id: UUID | None, paging: Paging
) -> Listing[ProductClock]:
    """List the clocks of the visible products, or of one of them."""
    return await CLOCKS.page(db, visibility, paging, _of_product, product_id)


def _of_product(product_id: UUID | None) -> Sequence[ColumnElement[bool]]:
    return [] if product_id is None else [test_clocks.c.product_id == product_id]


async def lock_next_advancing(db: Connection) -> ProductClock | None:
    """Lock a clock that is on its way, unless another transaction moves it already."""
    statement = (
        CLOCKS.select(test_clocks.c.status == ClockStatus.ADVANCING)
        .order_by(test_clocks.c.updated_at)
        .limit(1)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return await CLOCKS.one(db, statement)


async def set_status(
    db: Connection, clock: ProductClock, status: ClockStatus, now: datetime
) -> None:
    """Set the status of a clock that is on its way."""
    statement = (
        update(test_clocks)
        .where(CLOCKS.same(clock), test_clocks.c.status == ClockStatus.ADVANCING)
        .values(status=status, updated_at=now)
    )
    await db.execute(statement)
