"""What orders and the events of shops hold of persons."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec

from licet_server.connectors.rules.facts import Fact, FactKind, UnreadableEvent
from licet_server.connectors.rules.model import InboxEventStatus
from licet_server.connectors.rules.persons import Buyers, body_without, fact_without
from licet_server.connectors.rules.providers import fact_of
from licet_server.connectors.storage import persons as storage
from licet_server.connectors.storage.persons import ShopEvent
from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork


class SalesOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return the orders of a person, with what shops have sent about them."""
        events = await _events(db, person)
        waiting = _orders_of(events)
        return {
            "orders": await storage.export_orders(db, person, waiting),
            "orderLicenses": await storage.export_licenses(db, person, waiting),
            "connectorEvents": await storage.export_events(db, person, [e.id for e in events]),
            "connectorBuyers": await storage.export_buyers(db, person),
        }

    async def erase(self, work: UnitOfWork, person: Person) -> Counts:
        """Erase the person from orders, and from what shops have sent.

        What they bought, and when, is kept: the same follows from it as before.
        """
        events = await _events(work.db, person)
        left = [item for event in events if (item := _without(event)) != event]
        if left:
            await storage.save_left(work.db, left)
        waiting = _orders_of(events)
        return {
            "connectorEvents": len(left),
            "orderLicenses": await storage.erase_licenses(work.db, person, waiting),
            "connectorBuyers": await storage.delete_buyers(work.db, person),
            "orders": await storage.erase_orders(work.db, person, waiting),
        }


async def _events(db: Connection, person: Person) -> list[ShopEvent]:
    buyers = await storage.fetch_buyers(db, person)
    named = await storage.fetch_events(db, person, buyers, ())
    waiting = _orders_of([event for event in named if _is_about(event, buyers)])
    found = await storage.fetch_events(db, person, buyers, waiting)
    return [event for event in found if _is_about(event, buyers)]


def _is_about(event: ShopEvent, buyers: Buyers) -> bool:
    """Tell whether an event is about a person.

    An event names its buyer, or is of an order. Of what does neither, or cannot be read, any whole
    text may be an address of the person, or a shop's name for them.
    """
    fact = _fact(event)
    buyer = None if fact is None else fact.buyer
    if event.of_own and (buyer is None or buyer.email is None):
        return True
    if buyer is not None:
        is_comparable = buyer.email is not None or not event.of_other
        return is_comparable and buyers.is_named(event.connector_id, buyer)
    return event.fact is None and buyers.are_in(event.connector_id, _decoded(event.body))


def _fact(event: ShopEvent) -> Fact | None:
    """Return what an event says, also before it is read."""
    if event.fact is not None:
        return event.fact
    try:
        return fact_of(event.kind, event.external_id, event.body.encode())
    except UnreadableEvent:
        return None


def _decoded(body: str) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _without(event: ShopEvent) -> ShopEvent:
    """Return what is left of an event about a person."""
    fact = _fact(event)
    if fact is not None and fact.kind is FactKind.BUYER:
        is_pending = event.status is InboxEventStatus.PENDING
        status = InboxEventStatus.IGNORED if is_pending else event.status
        return replace(event, status=status, fact=None, body="")
    body = _decoded(event.body)
    return replace(
        event,
        fact=None if event.fact is None else fact_without(event.fact),
        body="" if body is None else msgspec.json.encode(body_without(body)).decode(),
    )


def _orders_of(events: Sequence[ShopEvent]) -> list[UUID]:
    return [event.order_id for event in events if event.order_id is not None]
