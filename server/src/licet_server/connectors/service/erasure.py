"""Exports and erases the personal data in orders and in the events of providers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec

from licet_server.connectors.rules.erasure import BuyerIdentity, erased_body, erased_fact
from licet_server.connectors.rules.facts import Fact, FactKind, UnreadableEvent
from licet_server.connectors.rules.model import InboxEventStatus
from licet_server.connectors.rules.providers import fact_of
from licet_server.connectors.storage import erasure as storage
from licet_server.connectors.storage.erasure import StoredEvent
from licet_server.connectors.storage.reports import delete_reports, export_reports
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork


class PersonalDataOfSales:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return the orders of a person, and the events of providers about them."""
        events = await _events(db, subject)
        order_ids = _orders_of(events)
        return {
            "orders": await storage.export_orders(db, subject, order_ids),
            "orderLicenses": await storage.export_licenses(db, subject, order_ids),
            "orderPayments": await storage.export_payments(db, subject, order_ids),
            "connectorEvents": await storage.export_events(db, subject, [e.id for e in events]),
            "connectorBuyers": await storage.export_buyers(db, subject),
            "orderReports": await export_reports(db, subject.institution_id, subject.addresses),
        }

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Erase the person from orders, and from the events of providers.

        The purchases are kept, so that orders have the same licenses as before.
        """
        events = await _events(work.db, subject)
        changed = [item for event in events if (item := _erased(event)) != event]
        if changed:
            await storage.save_erased(work.db, changed)
        order_ids = _orders_of(events)
        return {
            "connectorEvents": len(changed),
            "orderLicenses": await storage.erase_licenses(work.db, subject, order_ids),
            "connectorBuyers": await storage.delete_buyers(work.db, subject),
            "orders": await storage.erase_orders(work.db, subject, order_ids),
            "orderReports": await delete_reports(
                work.db, subject.institution_id, subject.addresses
            ),
        }


async def _events(db: Connection, subject: DataSubject) -> list[StoredEvent]:
    identity = await storage.fetch_identity(db, subject)
    named = await storage.fetch_events(db, subject, identity, ())
    order_ids = _orders_of([event for event in named if _is_about(event, identity)])
    found = await storage.fetch_events(db, subject, identity, order_ids)
    return [event for event in found if _is_about(event, identity)]


def _is_about(event: StoredEvent, identity: BuyerIdentity) -> bool:
    """Check whether an event is about a person.

    An event names its buyer, or belongs to an order. In an event that does neither, or that cannot
    be read, any whole text may be an address of the person, or a provider's ID of them.
    """
    fact = _fact(event)
    buyer = None if fact is None else fact.buyer
    if event.is_own and (buyer is None or buyer.email is None):
        return True
    if buyer is not None:
        is_comparable = buyer.email is not None or not event.is_other
        return is_comparable and identity.matches(event.connector_id, buyer)
    return event.fact is None and identity.occurs_in(event.connector_id, _decoded(event.body))


def _fact(event: StoredEvent) -> Fact | None:
    """Return the fact of an event, which may not have been processed yet."""
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


def _erased(event: StoredEvent) -> StoredEvent:
    """Return an event without the person."""
    fact = _fact(event)
    if fact is not None and fact.kind is FactKind.BUYER:
        is_pending = event.status is InboxEventStatus.PENDING
        status = InboxEventStatus.IGNORED if is_pending else event.status
        return replace(event, status=status, fact=None, body="")
    body = _decoded(event.body)
    return replace(
        event,
        fact=None if event.fact is None else erased_fact(event.fact),
        body="" if body is None else msgspec.json.encode(erased_body(body)).decode(),
    )


def _orders_of(events: Sequence[StoredEvent]) -> list[UUID]:
    return [event.order_id for event in events if event.order_id is not None]
