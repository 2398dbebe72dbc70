"""Reads pending events, and links them to orders."""

import traceback
from collections.abc import Sequence
from datetime import tzinfo
from uuid import UUID

import structlog
from msgspec.structs import replace

from licet_server.connectors.rules.facts import Fact, FactKind, UnreadableEvent
from licet_server.connectors.rules.model import Connector, InboxEvent, InboxEventStatus
from licet_server.connectors.rules.orders import link
from licet_server.connectors.rules.providers import fact_of
from licet_server.connectors.storage import connectors, inbox, orders
from licet_server.connectors.storage.inbox import ReadEvent
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_AT_ONCE = 200

_log = structlog.get_logger("licet.connectors")


async def link_pending(platform: Platform) -> int:
    """Read all pending events; return how many."""
    total = 0
    finished: set[UUID] = set()
    while True:
        async with platform.unit_of_work(Origin()) as work:
            connector = await connectors.claim_connector(work.db, finished)
            if connector is None:
                return total
            pending = await inbox.fetch_pending(work.db, connector, EVENTS_AT_ONCE)
            await _link(work, connector, pending)
        total += len(pending)
        if len(pending) < EVENTS_AT_ONCE:
            finished.add(connector.id)


async def _link(work: UnitOfWork, connector: Connector, pending: Sequence[InboxEvent]) -> None:
    zones = await time_zones(work.db, [connector.institution_id])
    read = [_read(connector, event, zones[connector.institution_id]) for event in pending]
    buyer_facts = [
        item.fact
        for item in read
        if item.fact
        and item.fact.kind is FactKind.BUYER
        # A simulated event may name a real buyer; a sandbox has none.
        and (connector.is_sandbox or not item.fact.is_test)
    ]
    buyers = await orders.save_buyers(work.db, connector.institution_id, connector.id, buyer_facts)
    about_orders = {item.event.id: item.fact for item in read if _is_about_order(item.fact)}
    references = {name for fact in about_orders.values() if fact for name in fact.references}
    known = await orders.fetch_references(work.db, connector, references)
    named = [(event_id, fact.references) for event_id, fact in about_orders.items() if fact]
    links = link(named, known, work.new_id)
    await orders.insert_orders(work.db, connector, links.created, work.now)
    for merged, into in links.merged.items():
        await orders.merge_order(work.db, connector.institution_id, merged, into)
        await inbox.move_events(work.db, connector.institution_id, merged, into)
        await orders.delete_order(work.db, connector.institution_id, merged)
    await orders.insert_references(work.db, connector, links.references)
    await inbox.save_read(
        work.db, [_with_order(item, links.orders.get(item.event.id)) for item in read]
    )
    changed = {*links.orders.values(), *links.merged.values()}
    await orders.mark_due(work.db, connector.institution_id, changed, work.now)
    if buyers:
        await orders.mark_due_for_buyers(work.db, connector, buyers, work.now)


def _is_about_order(fact: Fact | None) -> bool:
    return fact is not None and fact.kind is not FactKind.BUYER and bool(fact.references)


def _read(connector: Connector, event: InboxEvent, zone: tzinfo) -> ReadEvent:
    try:
        fact = fact_of(connector.kind, event.external_id, event.body.encode(), zone)
    except UnreadableEvent as reason:
        return ReadEvent(event=event, status=InboxEventStatus.FAILED, error=str(reason))
    except Exception as error:  # noqa: BLE001 - one event must not keep others from being read
        place = "".join(traceback.format_tb(error.__traceback__)[-4:])
        _log.error(
            "event_unreadable", event_id=str(event.id), error=type(error).__name__, place=place
        )
        return ReadEvent(event=event, status=InboxEventStatus.FAILED, error=_UNEXPECTED)
    if fact is None:
        return ReadEvent(event=event, status=InboxEventStatus.IGNORED)
    if connector.is_sandbox:
        fact = replace(fact, is_test=True)
    return ReadEvent(event=event, status=InboxEventStatus.PROCESSED, fact=fact)


_UNEXPECTED = "The event could not be read, through a fault of the service."


def _with_order(item: ReadEvent, order_id: UUID | None) -> ReadEvent:
    return ReadEvent(
        event=item.event,
        status=item.status,
        error=item.error,
        order_id=order_id or item.event.order_id,
        fact=item.fact,
    )
