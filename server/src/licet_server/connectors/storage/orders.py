"""Reads and writes orders, their references and licenses, buyers, and the deadlines of test sales.

A deadline is when an order of test mode is decided again, by the time of a product.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Delete,
    Select,
    Update,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.connectors.rules.facts import Buyer, Fact
from licet_server.connectors.rules.licensing import CurrentLicense, LicenseState, Plan
from licet_server.connectors.rules.model import (
    Connector,
    ConnectorKind,
    Order,
    OrderStatus,
)
from licet_server.connectors.rules.orders import stamp
from licet_server.connectors.rules.providers import ORDER
from licet_server.connectors.rules.reading import buyer_in
from licet_server.connectors.tables import (
    connector_buyers,
    connectors,
    order_licenses,
    order_references,
    orders,
)
from licet_server.connectors.tables import order_deadlines as deadlines
from licet_server.kit.database import Connection
from licet_server.kit.fitting import Members, read_as
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import insert_rows, related
from licet_server.licenses.rules.model import LicenseId

_USES = Members(LicenseState)

_within = orders.c.institution_id.in_

ORDERS = Rows(
    orders,
    Order,
    _within,
    sortable={"createdAt": orders.c.id, "updatedAt": orders.c.updated_at},
)


@dataclass(frozen=True, slots=True)
class OrderLicense:
    """A license of an order; `is_suspended` and `is_revoked` if the connector did that.

    `granted` are the renewals that were counted, with what each added to the balance; it is `None`
    for licenses from before renewals were counted.
    """

    license: CurrentLicense
    is_suspended: bool
    is_revoked: bool = False
    granted: Mapping[str, str | None] | None = None


async def insert_orders(
    db: Connection, connector: Connector, order_ids: Iterable[UUID], now: datetime
) -> None:
    """Insert orders that are due now."""
    rows = [
        {
            "institution_id": connector.institution_id,
            "id": order_id,
            "connector_id": connector.id,
            "external_id": "",
            "status": OrderStatus.OPEN,
            "lines": [],
            "due_at": now,
            "attempts": 0,
            "created_at": now,
            "updated_at": now,
        }
        for order_id in order_ids
    ]
    await insert_rows(db, orders, rows)


async def fetch_references(
    db: Connection, connector: Connector, references: Collection[str]
) -> dict[str, UUID]:
    """Fetch the orders of known references."""
    known = _known(connector.institution_id, connector.id, references)
    return {row.reference: row.order_id for row in await db.execute(*known)}


@kept
def _known(institution_id: UUID, connector_id: UUID, references: Collection[str]) -> Select[Any]:
    return select(order_references.c.reference, order_references.c.order_id).where(
        order_references.c.institution_id == institution_id,
        order_references.c.connector_id == connector_id,
        order_references.c.reference.in_(references),
    )


async def insert_references(
    db: Connection, connector: Connector, references: Mapping[str, UUID]
) -> None:
    rows = [
        {
            "institution_id": connector.institution_id,
            "connector_id": connector.id,
            "reference": reference,
            "order_id": order_id,
        }
        for reference, order_id in references.items()
    ]
    await insert_rows(db, order_references, rows)


async def merge_order(db: Connection, institution_id: UUID, merged: UUID, into: UUID) -> None:
    """Move the references and licenses of an order to the order that it is part of.

    Both are locked before, so that no process works on them. An address that only the merged one
    has is kept.
    """
    await db.execute(
        select(orders.c.id)
        .where(orders.c.institution_id == institution_id, orders.c.id.in_([merged, into]))
        .order_by(orders.c.id)
        .with_for_update()
    )
    known = select(orders.c.email).where(
        orders.c.institution_id == institution_id, orders.c.id == merged
    )
    await db.execute(
        update(orders)
        .where(
            orders.c.institution_id == institution_id, orders.c.id == into, orders.c.email.is_(None)
        )
        .values(email=known.scalar_subquery())
    )
    for table in (order_references, order_licenses):
        await db.execute(
            update(table)
            .where(table.c.institution_id == institution_id, table.c.order_id == merged)
            .values(order_id=into)
        )


async def delete_order(db: Connection, institution_id: UUID, order_id: UUID) -> None:
    """Delete an order that was merged into another one."""
    await db.execute(
        delete(orders).where(orders.c.institution_id == institution_id, orders.c.id == order_id)
    )


async def mark_due(
    db: Connection, institution_id: UUID, order_ids: Collection[UUID], now: datetime
) -> None:
    """Make orders due now."""
    await db.execute(*_making_due(institution_id, order_ids, now))


@kept
def _making_due(of_institution: UUID, order_ids: Collection[UUID], now: datetime) -> Update:
    return (
        update(orders)
        .where(orders.c.institution_id == of_institution, orders.c.id.in_(order_ids))
        .values(due_at=now, attempts=0)
    )


async def mark_due_for_buyers(
    db: Connection, connector: Connector, references: Collection[str], now: datetime
) -> None:
    """Make the orders of buyers due now."""
    await db.execute(
        update(orders)
        .where(
            orders.c.institution_id == connector.institution_id,
            orders.c.connector_id == connector.id,
            orders.c.buyer_reference.in_(references),
        )
        .values(due_at=now, attempts=0)
    )


async def mark_waiting_due(db: Connection, connector: Connector, now: datetime) -> int:
    """Make the orders due that failed, or that no rule matched; return how many.

    Those that only wait for a payment stay as they are.
    """
    waits = or_(orders.c.status == OrderStatus.UNMATCHED, orders.c.problem.is_not(None))
    result = await db.execute(
        update(orders)
        .where(
            orders.c.institution_id == connector.institution_id,
            orders.c.connector_id == connector.id,
            waits,
        )
        .values(due_at=now, attempts=0)
    )
    return int(result.rowcount)


async def claim_due(db: Connection, now: datetime) -> Order | None:
    """Lock an order that is due and that no process has locked."""
    return await ORDERS.one(db, *_claiming(now))


@kept
def _claiming(now: datetime) -> Select[Any]:
    return (
        ORDERS.select(orders.c.due_at <= now, is_enabled())
        .order_by(orders.c.due_at)
        .limit(1)
        .with_for_update(skip_locked=True, of=orders)
    )


def is_enabled() -> ColumnElement[bool]:
    """Return the condition that the connector of an order is enabled."""
    return exists().where(related(orders, connectors), connectors.c.is_enabled)


async def save_failure(
    db: Connection, failed: Order, was_due_at: datetime | None, now: datetime
) -> None:
    """Store why processing an order failed, unless a new event has made it due meanwhile."""
    await db.execute(
        update(orders)
        .where(ORDERS.same(failed), orders.c.due_at == was_due_at)
        .values(
            status=failed.status,
            problem=failed.problem,
            due_at=failed.due_at,
            attempts=orders.c.attempts + 1,
            updated_at=now,
        )
    )


async def count_waiting(
    db: Connection, institution_ids: Collection[UUID], connector_ids: Collection[UUID]
) -> dict[UUID, int]:
    """Count the orders of connectors that no rule matches."""
    statement = (
        select(orders.c.connector_id, func.count().label("waiting"))
        .where(
            orders.c.institution_id.in_(institution_ids),
            orders.c.connector_id.in_(connector_ids),
            orders.c.status == OrderStatus.UNMATCHED,
            ~orders.c.is_test,
        )
        .group_by(orders.c.connector_id)
    )
    return {row.connector_id: row.waiting for row in await db.execute(statement)}


@kept
def _licenses_of(institution_ids: Collection[UUID], order_ids: Collection[UUID]) -> Select[Any]:
    return (
        select(order_licenses)
        .where(
            order_licenses.c.institution_id.in_(institution_ids),
            order_licenses.c.order_id.in_(order_ids),
        )
        .order_by(order_licenses.c.license_id)
    )


async def fetch_licenses(
    db: Connection, institution_ids: Collection[UUID], order_ids: Collection[UUID]
) -> dict[UUID, list[OrderLicense]]:
    """Fetch the licenses of orders, oldest first."""
    found: dict[UUID, list[OrderLicense]] = {}
    for row in await db.execute(*_licenses_of(institution_ids, order_ids)):
        current = CurrentLicense(row.license_id, read_as(Plan, row.plan), _USES[row.use])
        item = OrderLicense(current, row.is_suspended, row.is_revoked, row.granted)
        found.setdefault(row.order_id, []).append(item)
    return found


_STORED = upsert(order_licenses)
_SAVE_LICENSE = _STORED.on_conflict_do_update(
    constraint="order_licenses_pkey",
    set_={
        name: _STORED.excluded[name]
        for name in ("plan", "use", "is_suspended", "is_revoked", "granted")
    },
)


async def save_license(db: Connection, order: Order, license_: OrderLicense) -> None:
    """Store a license of an order as the connector leaves it."""
    current = license_.license
    stored = {
        "institution_id": order.institution_id,
        "order_id": order.id,
        "license_id": current.license_id,
        "plan": current.plan,
        "use": current.state,
        "is_suspended": license_.is_suspended,
        "is_revoked": license_.is_revoked,
        "granted": license_.granted,
    }
    await db.execute(_SAVE_LICENSE, stored)


async def fetch_buyer(
    db: Connection, connector: Connector, reference: str
) -> tuple[Buyer | None, str | None]:
    """Fetch a buyer by the provider's ID, and the time at which they were named, as text."""
    found = connector_buyers.c
    statement = select(
        found.reference, found.email, found.name, found.locale, found.event_time
    ).where(
        found.institution_id == connector.institution_id,
        found.connector_id == connector.id,
        found.reference == reference,
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None, None
    return buyer_in(row.reference, row.email, row.name, row.locale), row.event_time[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnamedBuyer:
    """A buyer whose address no event has named, and what it is fetched with.

    `order` is a reference of an order, where the shop has such.
    """

    institution_id: UUID
    connector_id: UUID
    kind: ConnectorKind
    reference: str
    order: str | None
    api_url: str | None
    api_key: bytes = field(repr=False)


async def fetch_unnamed(db: Connection, now: datetime, limit: int) -> list[UnnamedBuyer]:
    """Fetch the buyers of due orders that lack an address, of connectors that have an API key."""
    found = [dict(row) for row in (await db.execute(*_unnamed(now, limit))).mappings()]
    return [UnnamedBuyer(**{**row, "kind": ConnectorKind(row["kind"])}) for row in found]


@kept
def _unnamed(now: datetime, limit: int) -> Select[Any]:
    reference = (
        select(func.min(order_references.c.reference))
        .where(related(order_references, orders), order_references.c.reference.startswith(ORDER))
        .correlate(orders)
        .scalar_subquery()
    )
    return (
        select(
            orders.c.institution_id,
            orders.c.connector_id,
            connectors.c.kind,
            orders.c.buyer_reference.label("reference"),
            reference.label("order"),
            connectors.c.api_url,
            connectors.c.api_key,
        )
        .join(connectors)
        .where(
            orders.c.due_at <= now,
            orders.c.email.is_(None),
            orders.c.buyer_reference.is_not(None),
            orders.c.status == OrderStatus.OPEN,
            ~orders.c.is_test,
            connectors.c.is_enabled,
            connectors.c.api_key.is_not(None),
            connectors.c.kind != ConnectorKind.GENERIC,
        )
        .order_by(orders.c.due_at, orders.c.id)
        .limit(limit)
    )


async def save_buyers(
    db: Connection, institution_id: UUID, connector_id: UUID, facts: Sequence[Fact]
) -> Collection[str]:
    """Store the buyers of facts, unless a later fact is stored; return their references."""
    latest = {
        fact.buyer.reference: fact
        for fact in sorted(facts, key=lambda item: item.time)
        if fact.buyer is not None
        and fact.buyer.reference is not None
        and (fact.buyer.email or fact.buyer.unusable)
    }
    rows = [
        {
            "institution_id": institution_id,
            "connector_id": connector_id,
            "reference": reference,
            "email": fact.buyer.email or fact.buyer.unusable,
            "name": fact.buyer.name,
            "locale": fact.buyer.locale,
            "event_time": [
                stamp(fact.occurred_at),
                fact.rank,
                fact.event_id,
            ],
        }
        for reference, fact in latest.items()
        if fact.buyer is not None
    ]
    if not rows:
        return ()
    statement = upsert(connector_buyers).values(rows)
    given = statement.excluded
    await db.execute(
        statement.on_conflict_do_update(
            constraint="connector_buyers_pkey",
            set_={
                "email": given.email,
                "name": given.name,
                "locale": given.locale,
                "event_time": given.event_time,
            },
            where=connector_buyers.c.event_time < given.event_time,
        )
    )
    return latest.keys()


async def lock_of_customer(db: Connection, institution_id: UUID, customer_id: UUID) -> None:
    """Lock the connectors of an institution, and the orders that are or may become a customer's.

    An order gets its customer when it is fulfilled, so those that are due are waited for, too.
    """
    await db.execute(
        select(connectors.c.id)
        .where(connectors.c.institution_id == institution_id)
        .order_by(connectors.c.id)
        .with_for_update(key_share=True)
    )
    is_of_customer = or_(
        orders.c.customer_id == customer_id,
        and_(orders.c.customer_id.is_(None), orders.c.due_at.is_not(None)),
    )
    await db.execute(
        select(orders.c.id)
        .where(orders.c.institution_id == institution_id, is_of_customer)
        .order_by(orders.c.id)
        .with_for_update(key_share=True)
    )


async def move_customer(db: Connection, institution_id: UUID, merged: UUID, into: UUID) -> None:
    """Move the orders of a customer to another one."""
    await db.execute(
        update(orders)
        .where(orders.c.institution_id == institution_id, orders.c.customer_id == merged)
        .values(customer_id=into)
    )


async def claim_passed(db: Connection, now: datetime, clocked: Clocked | None) -> Order | None:
    """Lock an order with a deadline that has passed, and that no process has locked.

    The deadline is of one product, or of any that goes by the present.
    """
    return await ORDERS.one(db, *_claiming_passed(now, clocked))


@kept
def _claiming_passed(now: datetime, clocked: Clocked | None) -> Select[Any]:
    return (
        ORDERS.select(deadlines.c.due_at <= now, _deadlines_of(clocked), is_enabled())
        .join(deadlines)
        .order_by(deadlines.c.due_at)
        .limit(1)
        .with_for_update(skip_locked=True, of=orders)
    )


async def fetch_next_deadline(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch the next deadline of a product."""
    statement = select(func.min(deadlines.c.due_at)).where(
        _deadlines_of(clocked), deadlines.c.due_at > clocked.now
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return found


def _deadlines_of(clocked: Clocked | None) -> ColumnElement[bool]:
    return goes_by(clocked, deadlines.c.institution_id, deadlines.c.product_id)


async def replace_deadlines(db: Connection, order: Order, due: Mapping[UUID, datetime]) -> None:
    """Store the deadlines of an order, by product, in place of those that it had."""
    await db.execute(*_deleting_deadlines(order.institution_id, order.id))
    rows = [
        {
            "institution_id": order.institution_id,
            "order_id": order.id,
            "product_id": product_id,
            "due_at": at,
        }
        for product_id, at in sorted(due.items())
    ]
    await insert_rows(db, deadlines, rows)


@kept
def _deleting_deadlines(institution_id: UUID, order_id: UUID) -> Delete:
    return delete(deadlines).where(
        deadlines.c.institution_id == institution_id, deadlines.c.order_id == order_id
    )


async def list_purchases(
    db: Connection, license_id: LicenseId, buyer: str, paging: Paging
) -> Listing[Order]:
    """List the orders of a license with the buyer's address, in lower case, without test sales."""
    return await ORDERS.page(db, [license_id[0]], paging, _bought, license_id[1], buyer)


async def list_all_purchases(
    db: Connection, vendors: Collection[UUID], buyer: str, paging: Paging
) -> Listing[Order]:
    """List the orders of institutions with the buyer's address, in lower case, without tests."""
    return await ORDERS.page(db, sorted(vendors), paging, _placed_by, buyer)


def _bought(license_id: UUID, buyer: str) -> list[ColumnElement[bool]]:
    is_of_license = exists().where(
        related(order_licenses, orders), order_licenses.c.license_id == license_id
    )
    return [is_of_license, *_placed_by(buyer)]


def _placed_by(buyer: str) -> list[ColumnElement[bool]]:
    return [func.lower(orders.c.email) == buyer, ~orders.c.is_test]
