"""What orders and the events of shops hold of a person."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, String, and_, cast, delete, func, or_, select, update

from licet_server.connectors.rules.facts import Fact
from licet_server.connectors.rules.model import ConnectorKind, InboxEventStatus
from licet_server.connectors.rules.persons import Buyers
from licet_server.connectors.tables import (
    connector_buyers,
    connector_events,
    connectors,
    order_licenses,
    orders,
)
from licet_server.customers.rules.persons import Person
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Json
from licet_server.kit.database import String as Text
from licet_server.kit.personal import erase_rows, export_rows
from licet_server.kit.text import ERASED_ADDRESS

_EMAIL = func.lower(connector_events.c.fact["buyer"]["email"].astext)
_REFERENCE = connector_events.c.fact["buyer"]["reference"].astext


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopEvent:
    """An event that may be about a person.

    `of_own`: its order is theirs. `of_other`: its order is another customer's.
    """

    institution_id: UUID
    id: UUID
    connector_id: UUID
    kind: ConnectorKind
    external_id: str
    status: InboxEventStatus
    order_id: UUID | None
    of_own: bool
    of_other: bool
    fact: Fact | None
    body: str


async def fetch_buyers(db: Connection, person: Person) -> Buyers:
    """Fetch the names that shops have of a person."""
    of_orders = select(orders.c.connector_id, orders.c.buyer_reference).where(
        _of_customer(person), orders.c.buyer_reference.is_not(None)
    )
    told = select(connector_buyers.c.connector_id, connector_buyers.c.reference).where(
        _buyers(person)
    )
    said = select(connector_events.c.connector_id, _REFERENCE).where(
        connector_events.c.institution_id == person.institution_id,
        _EMAIL.in_(person.addresses),
        _REFERENCE.is_not(None),
    )
    found = await db.execute(of_orders.union(told, said))
    return Buyers(person.addresses, frozenset((row[0], row[1]) for row in found))


async def fetch_events(
    db: Connection, person: Person, buyers: Buyers, waiting: Collection[UUID]
) -> list[ShopEvent]:
    """Fetch the events that may be about a person, oldest first.

    `waiting` are orders of theirs that have no customer yet.
    """
    names = {reference for _, reference in buyers.references}
    body = func.lower(connector_events.c.body)
    unread = and_(
        connector_events.c.fact.is_(None),
        or_(*(func.strpos(body, item.lower()) > 0 for item in (*buyers.addresses, *names))),
    )
    of_own = _orders(person, waiting)
    of_other = and_(orders.c.customer_id.is_not(None), ~of_own)
    statement = (
        select(
            connector_events.c.institution_id,
            connector_events.c.id,
            connector_events.c.connector_id,
            connectors.c.kind,
            connector_events.c.external_id,
            connector_events.c.status,
            connector_events.c.order_id,
            func.coalesce(of_own, False).label("of_own"),
            func.coalesce(of_other, False).label("of_other"),
            connector_events.c.fact,
            connector_events.c.body,
        )
        .join(
            connectors,
            and_(
                connectors.c.institution_id == connector_events.c.institution_id,
                connectors.c.id == connector_events.c.connector_id,
            ),
        )
        .outerjoin(
            orders,
            and_(
                orders.c.institution_id == connector_events.c.institution_id,
                orders.c.id == connector_events.c.order_id,
            ),
        )
        .where(
            connector_events.c.institution_id == person.institution_id,
            or_(of_own, _EMAIL.in_(buyers.addresses), _REFERENCE.in_(names), unread),
        )
        .order_by(connector_events.c.id)
    )
    return [_event(row._mapping) for row in await db.execute(statement)]


def _event(row: Any) -> ShopEvent:
    fact = None if row["fact"] is None else msgspec.convert(row["fact"], Fact)
    kinds = {"kind": ConnectorKind(row["kind"]), "status": InboxEventStatus(row["status"])}
    return ShopEvent(**{**row, **kinds, "fact": fact})


_LEFT = Arrays("remaining", institution_id=Id, id=Id, status=Text, fact=Json, body=Text)
_SAVE = (
    update(connector_events)
    .where(
        connector_events.c.institution_id == _LEFT.c.institution_id,
        connector_events.c.id == _LEFT.c.id,
    )
    .values(status=_LEFT.c.status, fact=_LEFT.c.fact, body=_LEFT.c.body)
)


async def save_left(db: Connection, left: Sequence[ShopEvent]) -> None:
    """Store what is left of events of which a person was erased."""
    rows = [(item.institution_id, item.id, item.status, item.fact, item.body) for item in left]
    await db.execute(_SAVE, _LEFT.given(rows))


async def export_events(
    db: Connection, person: Person, ids: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return these rows of events."""
    condition = and_(
        connector_events.c.institution_id == person.institution_id, connector_events.c.id.in_(ids)
    )
    return await export_rows(db, connector_events, condition)


async def export_orders(
    db: Connection, person: Person, waiting: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return the rows of the person's orders; `waiting` are those without a customer."""
    return await export_rows(db, orders, _orders(person, waiting))


async def export_licenses(
    db: Connection, person: Person, waiting: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return the rows of what the licenses of the person's orders are to be."""
    return await export_rows(db, order_licenses, _licenses(person, waiting))


async def export_buyers(db: Connection, person: Person) -> list[dict[str, Any]]:
    """Return the rows of what shops have said of the person as a buyer."""
    return await export_rows(db, connector_buyers, _buyers(person))


async def erase_orders(db: Connection, person: Person, waiting: Collection[UUID]) -> int:
    """Erase the person from their orders; returns in how many."""
    return await erase_rows(db, orders, _orders(person, waiting))


async def erase_licenses(db: Connection, person: Person, waiting: Collection[UUID]) -> int:
    """Erase to whom licenses of orders are to be issued; returns of how many."""
    erased = func.to_jsonb(cast(ERASED_ADDRESS, String))
    statement = (
        update(order_licenses)
        .where(
            _licenses(person, waiting),
            order_licenses.c.plan["issued_to"].astext != ERASED_ADDRESS,
        )
        .values(plan=func.jsonb_set(order_licenses.c.plan, ["issued_to"], erased))
    )
    return int((await db.execute(statement)).rowcount)


async def delete_buyers(db: Connection, person: Person) -> int:
    """Delete what shops have said of the person as a buyer; returns how many rows."""
    return int((await db.execute(delete(connector_buyers).where(_buyers(person)))).rowcount)


def _of_customer(person: Person) -> ColumnElement[bool]:
    return and_(
        orders.c.institution_id == person.institution_id,
        orders.c.customer_id.in_(person.customer_ids),
    )


def _orders(person: Person, waiting: Collection[UUID]) -> ColumnElement[bool]:
    return and_(
        orders.c.institution_id == person.institution_id,
        or_(
            orders.c.customer_id.in_(person.customer_ids),
            and_(orders.c.customer_id.is_(None), orders.c.id.in_(waiting)),
        ),
    )


def _licenses(person: Person, waiting: Collection[UUID]) -> ColumnElement[bool]:
    """Those of the person's orders, and those in other orders that are to be issued to them."""
    found = select(orders.c.id).where(_orders(person, waiting))
    return and_(
        order_licenses.c.institution_id == person.institution_id,
        or_(
            order_licenses.c.order_id.in_(found),
            func.lower(order_licenses.c.plan["issued_to"].astext).in_(person.addresses),
        ),
    )


def _buyers(person: Person) -> ColumnElement[bool]:
    return and_(
        connector_buyers.c.institution_id == person.institution_id,
        func.lower(connector_buyers.c.email).in_(person.addresses),
    )
