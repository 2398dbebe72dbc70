"""Queries of the personal data in orders and in the events of providers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, String, and_, cast, delete, false, func, or_, select, update

from licet_server.connectors.rules.erasure import BuyerIdentity
from licet_server.connectors.rules.facts import Fact
from licet_server.connectors.rules.model import ConnectorKind, InboxEventStatus
from licet_server.connectors.tables import (
    connector_buyers,
    connector_events,
    connectors,
    order_licenses,
    order_payments,
    orders,
)
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.kit.database import Connection, Id, Json
from licet_server.kit.database import String as Text
from licet_server.kit.personal import erase_rows, export_rows
from licet_server.kit.statements import Arrays, related
from licet_server.kit.text import ERASED_ADDRESS

_EMAIL = func.lower(connector_events.c.fact["buyer"]["email"].astext)
_REFERENCE = connector_events.c.fact["buyer"]["reference"].astext


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event that may be about a person, whose order may be their own or another customer's."""

    institution_id: UUID
    id: UUID
    connector_id: UUID
    kind: ConnectorKind
    external_id: str
    status: InboxEventStatus
    order_id: UUID | None
    is_own: bool
    is_other: bool
    fact: Fact | None
    body: str


async def fetch_identity(db: Connection, subject: DataSubject) -> BuyerIdentity:
    """Fetch what identifies a person as a buyer."""
    of_orders = select(orders.c.connector_id, orders.c.buyer_reference).where(
        _of_customer(subject), orders.c.buyer_reference.is_not(None)
    )
    of_buyers = select(connector_buyers.c.connector_id, connector_buyers.c.reference).where(
        _buyers(subject)
    )
    of_events = select(connector_events.c.connector_id, _REFERENCE).where(
        connector_events.c.institution_id == subject.institution_id,
        _EMAIL.in_(subject.addresses),
        _REFERENCE.is_not(None),
    )
    found = await db.execute(of_orders.union(of_buyers, of_events))
    return BuyerIdentity(subject.addresses, frozenset((row[0], row[1]) for row in found))


async def fetch_events(
    db: Connection, subject: DataSubject, identity: BuyerIdentity, order_ids: Collection[UUID]
) -> list[StoredEvent]:
    """Fetch the events that may be about a person, oldest first.

    `order_ids` are orders of theirs that may have no customer yet.
    """
    names = {reference for _, reference in identity.references}
    body = func.lower(connector_events.c.body)
    unread = and_(
        connector_events.c.fact.is_(None),
        or_(
            false(),
            *(func.strpos(body, item.lower()) > 0 for item in (*identity.addresses, *names)),
        ),
    )
    is_own = _orders(subject, order_ids)
    is_other = and_(orders.c.customer_id.is_not(None), ~is_own)
    statement = (
        select(
            connector_events.c.institution_id,
            connector_events.c.id,
            connector_events.c.connector_id,
            connectors.c.kind,
            connector_events.c.external_id,
            connector_events.c.status,
            connector_events.c.order_id,
            func.coalesce(is_own, False).label("is_own"),
            func.coalesce(is_other, False).label("is_other"),
            connector_events.c.fact,
            connector_events.c.body,
        )
        .select_from(connector_events.join(connectors))
        .outerjoin(orders, related(connector_events, orders))
        .where(
            connector_events.c.institution_id == subject.institution_id,
            or_(is_own, _EMAIL.in_(identity.addresses), _REFERENCE.in_(names), unread),
        )
        .order_by(connector_events.c.id)
    )
    return [msgspec.convert(row._mapping, StoredEvent) for row in await db.execute(statement)]


_ERASED = Arrays("erased", institution_id=Id, id=Id, status=Text, fact=Json, body=Text)
_SAVE = (
    update(connector_events)
    .where(
        connector_events.c.institution_id == _ERASED.c.institution_id,
        connector_events.c.id == _ERASED.c.id,
    )
    .values(status=_ERASED.c.status, fact=_ERASED.c.fact, body=_ERASED.c.body)
)


async def save_erased(db: Connection, events: Sequence[StoredEvent]) -> None:
    """Store events that a person was erased from."""
    rows = [(item.institution_id, item.id, item.status, item.fact, item.body) for item in events]
    await db.execute(_SAVE, _ERASED.given(rows))


async def export_events(
    db: Connection, subject: DataSubject, ids: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return these rows of events."""
    condition = and_(
        connector_events.c.institution_id == subject.institution_id, connector_events.c.id.in_(ids)
    )
    return await export_rows(db, connector_events, condition)


async def export_orders(
    db: Connection, subject: DataSubject, order_ids: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return the rows of the person's orders; `order_ids` may have no customer."""
    return await export_rows(db, orders, _orders(subject, order_ids))


async def export_licenses(
    db: Connection, subject: DataSubject, order_ids: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return the rows of the licenses in the person's orders."""
    return await export_rows(db, order_licenses, _licenses(subject, order_ids))


async def export_payments(
    db: Connection, subject: DataSubject, order_ids: Collection[UUID]
) -> list[dict[str, Any]]:
    """Return the rows of what was paid for the person's orders."""
    condition = and_(
        order_payments.c.institution_id == subject.institution_id,
        order_payments.c.order_id.in_(select(orders.c.id).where(_orders(subject, order_ids))),
    )
    return await export_rows(db, order_payments, condition)


async def export_buyers(db: Connection, subject: DataSubject) -> list[dict[str, Any]]:
    """Return the rows of the person as a buyer."""
    return await export_rows(db, connector_buyers, _buyers(subject))


async def erase_orders(db: Connection, subject: DataSubject, order_ids: Collection[UUID]) -> int:
    """Erase the person from their orders; return how many rows were."""
    return await erase_rows(db, orders, _orders(subject, order_ids))


async def erase_licenses(db: Connection, subject: DataSubject, order_ids: Collection[UUID]) -> int:
    """Erase the holder of licenses in orders; return how many rows were."""
    erased = func.to_jsonb(cast(ERASED_ADDRESS, String))
    statement = (
        update(order_licenses)
        .where(
            _licenses(subject, order_ids),
            order_licenses.c.plan["issued_to"].astext != ERASED_ADDRESS,
        )
        .values(plan=func.jsonb_set(order_licenses.c.plan, ["issued_to"], erased))
    )
    return int((await db.execute(statement)).rowcount)


async def delete_buyers(db: Connection, subject: DataSubject) -> int:
    """Delete the person as a buyer; return how many rows were."""
    return int((await db.execute(delete(connector_buyers).where(_buyers(subject)))).rowcount)


def _of_customer(subject: DataSubject) -> ColumnElement[bool]:
    return and_(
        orders.c.institution_id == subject.institution_id,
        orders.c.customer_id.in_(subject.customer_ids),
    )


def _orders(subject: DataSubject, order_ids: Collection[UUID]) -> ColumnElement[bool]:
    return and_(
        orders.c.institution_id == subject.institution_id,
        or_(
            orders.c.customer_id.in_(subject.customer_ids),
            and_(
                orders.c.customer_id.is_(None),
                or_(orders.c.id.in_(order_ids), func.lower(orders.c.email).in_(subject.addresses)),
            ),
        ),
    )


def _licenses(subject: DataSubject, order_ids: Collection[UUID]) -> ColumnElement[bool]:
    """Match licenses of the person's orders, and those in other orders that are issued to them."""
    found = select(orders.c.id).where(_orders(subject, order_ids))
    return and_(
        order_licenses.c.institution_id == subject.institution_id,
        or_(
            order_licenses.c.order_id.in_(found),
            func.lower(order_licenses.c.plan["issued_to"].astext).in_(subject.addresses),
        ),
    )


def _buyers(subject: DataSubject) -> ColumnElement[bool]:
    return and_(
        connector_buyers.c.institution_id == subject.institution_id,
        func.lower(connector_buyers.c.email).in_(subject.addresses),
    )
