"""Processes orders that are due: derives their licenses from their facts, and issues them."""

import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from licet_server.catalog.reading import fetch_clocks, test_products
from licet_server.catalog.rules.clocks import Clocked
from licet_server.connectors.rules.facts import Buyer
from licet_server.connectors.rules.lemon_squeezy import CUSTOMER
from licet_server.connectors.rules.licensing import decide
from licet_server.connectors.rules.model import (
    Connector,
    ConnectorKind,
    Order,
    OrderStatus,
    rules_of_mode,
)
from licet_server.connectors.rules.orders import OrderState, order_state
from licet_server.connectors.service.fulfilling import Fulfillment, fulfill
from licet_server.connectors.service.orders import record_order
from licet_server.connectors.storage import connectors, inbox
from licet_server.connectors.storage import orders as storage
from licet_server.connectors.storage.orders import ORDERS
from licet_server.connectors.storage.payments import replace_payments
from licet_server.customers.service.customers import (
    ensure_customer,
    find_by_reference,
    present_address,
    remember_locale,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.clock import going_by
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.outages import is_unavailable
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.policies import find_policies

RETRIES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=12),
    *(timedelta(days=1) for _ in range(30)),
)
"""Delays before the retries of an order that failed."""

_UNEXPECTED = (
    "The order could not be processed because of a fault in the service. It will be retried."
)

_log = structlog.get_logger("licet.connectors")


_Claim = Callable[[Connection, datetime], Awaitable[Order | None]]


async def settle_due(platform: Platform, hooks: LicenseHooks) -> int:
    """Process all orders that are due; return how many.

    An order that fails stores the reason, is retried later, and does not delay others.
    """
    return await _settle_all(platform, hooks, storage.claim_due)


async def settle_passed(
    platform: Platform, hooks: LicenseHooks, clocked: Clocked | None = None
) -> int:
    """Process the orders of test mode that time makes due; return how many.

    Those of a product that goes by its clock, or of all that go by the present. What is done to a
    license is done at the instant of its product, and all else in real time.
    """

    async def claim(db: Connection, now: datetime) -> Order | None:
        order = await storage.claim_passed(db, clocked.now if clocked else now, clocked)
        if order is not None and not order.is_test:
            await storage.replace_deadlines(db, order, {})  # it has none, so it would come again
        return order

    with going_by(None):
        return await _settle_all(platform, hooks, claim)


async def next_deadline(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when an order of the product is due next without a new event."""
    return await storage.fetch_next_deadline(db, clocked)


async def _settle_all(platform: Platform, hooks: LicenseHooks, claim: _Claim) -> int:
    total = 0
    while await _settle_next(platform, hooks, claim):
        total += 1
    return total


async def _settle_next(platform: Platform, hooks: LicenseHooks, claim: _Claim) -> bool:
    order: Order | None = None
    try:
        async with platform.unit_of_work(Origin()) as work:
            order = await claim(work.db, work.now)
            if order is None:
                return False
            connector = await connectors.fetch_connector_of(work.db, order)
            await _settle(replace(work, origin=origin_of(connector)), connector, order, hooks)
    except Exception as error:
        if order is None or is_unavailable(error):
            raise
        await _postpone(platform, order, error)
    return True


def origin_of(connector: Connector) -> Origin:
    """Return the origin of a connector's actions."""
    return Origin(actor_kind="Connector", actor_id=connector.id, actor_name=connector.name)


async def _settle(
    work: UnitOfWork, connector: Connector, order: Order, hooks: LicenseHooks
) -> None:
    facts = await inbox.fetch_facts(work.db, order.institution_id, order.id)
    if not facts:
        await ORDERS.save(work.db, replace(order, due_at=None), buyer_reference=None)
        if order.is_test:
            await storage.replace_deadlines(work.db, order, {})
        return
    state = await _with_buyer(work, connector, order, order_state(facts))
    due = await _decided(work, connector, order, state)
    issued_to = await fulfill(
        work,
        due,
        hooks=hooks,
        buyer_name=state.buyer.name if state.buyer else None,
    )
    await _save(work, due, order, state, issued_to)


async def _decided(
    work: UnitOfWork, connector: Connector, order: Order, state: OrderState
) -> Fulfillment:
    desired = {rule.policy_id for rule in connector.rules if rule.policy_id is not None}
    policies = await find_policies(work.db, connector.institution_id, desired)
    found = await storage.fetch_licenses(work.db, [order.institution_id], [order.id])
    licenses = found.get(order.id, [])
    held = [item.license.plan for item in licenses]
    zone = (await time_zones(work.db, [connector.institution_id]))[connector.institution_id]
    tests = await test_products(work.db, [connector.institution_id])
    rules = rules_of_mode(connector.rules, policies, tests, is_test=state.is_test)
    clocks = await fetch_clocks(work.db, connector.institution_id) if state.is_test else {}
    decision = decide(state, rules, policies, connector.consequences, work.now, held, zone, clocks)
    is_erased = state.buyer is not None and state.buyer.email == ERASED_ADDRESS
    if is_erased and decision.licenses and not licenses:
        decision = replace(decision, status=OrderStatus.OPEN, licenses=None, problem=_ERASED)
    named = replace(order, external_id=state.external_id)
    return Fulfillment(connector, named, licenses, decision, policies, zone)


_ERASED = "The buyer was erased before the order had a license, so none is issued."


async def _save(
    work: UnitOfWork,
    due: Fulfillment,
    before: Order,
    state: OrderState,
    issued_to: tuple[str, UUID] | None,
) -> None:
    decision = due.decision
    lacks = state.lacks_lines or _can_be_asked(due.connector, state)
    again = _next_attempt(work, due, before) if lacks else None
    dates = [] if state.is_test else list(decision.deadlines.values())
    changed = replace(
        due.order,
        customer_id=await _customer(work, due, state, issued_to),
        email=state.buyer.email if state.buyer else None,
        amount=state.paid.amount,
        currency=state.paid.currency,
        refunded_amount=state.paid.refunded,
        disputed_at=state.disputed_at,
        is_test=state.is_test,
        status=decision.status,
        problem=decision.problem,
        lines=decision.lines,
        due_at=min([*dates, *([] if again is None else [again])], default=None),
        attempts=0 if again is None else before.attempts + 1,
        updated_at=work.now,
    )
    reference = state.buyer.reference if state.buyer else None
    await ORDERS.save(work.db, changed, buyer_reference=reference)
    await replace_payments(work.db, changed, state.payments)
    if before.is_test or state.is_test:
        passing = decision.deadlines if state.is_test else {}
        await storage.replace_deadlines(work.db, changed, passing)
    if (changed.status, changed.problem) != (before.status, before.problem):
        await record_order(work, _KINDS[changed.status], changed, before=before)


def _next_attempt(work: UnitOfWork, due: Fulfillment, before: Order) -> datetime | None:
    """Return when the shop is asked again for what an order lacks."""
    pauses = RETRIES[before.attempts :] if due.connector.has_api_key else ()
    return work.now + pauses[0] if pauses else None


def _can_be_asked(connector: Connector, state: OrderState) -> bool:
    """Return whether the shop can be asked for the address of a buyer who has paid."""
    buyer = state.buyer
    if buyer is None or buyer.reference is None or buyer.email is not None:
        return False
    is_paid = state.paid_at is not None and not state.is_test
    return is_paid and connector.kind is not ConnectorKind.GENERIC


async def _with_buyer(
    work: UnitOfWork, connector: Connector, order: Order, state: OrderState
) -> OrderState:
    """Complete the buyer of an order from events about the buyer only, then from the order.

    The newest address counts.
    """
    buyer = state.buyer
    if buyer is not None and buyer.reference is not None:
        known, named_at = await storage.fetch_buyer(work.db, connector, buyer.reference)
        buyer = state.with_buyer(known, named_at).buyer
    if (buyer is None or buyer.email is None) and order.email is None:
        buyer = await _with_known_address(work, order, buyer)
    if order.email is not None:
        buyer = (buyer or Buyer()).completed_by(Buyer(email=order.email))
    return replace(state, buyer=buyer)


async def _with_known_address(work: UnitOfWork, order: Order, buyer: Buyer | None) -> Buyer | None:
    """Return a buyer with the address of the customer who has their ID as external reference."""
    if buyer is None or buyer.reference is None:
        return buyer
    names = {buyer.reference, buyer.reference.removeprefix(CUSTOMER)}
    found = await find_by_reference(work.db, order.institution_id, names)
    if found is None or found.email == ERASED_ADDRESS:
        return buyer
    return buyer.completed_by(Buyer(email=found.email, name=found.name))


async def _customer(
    work: UnitOfWork, due: Fulfillment, state: OrderState, issued_to: tuple[str, UUID] | None
) -> UUID | None:
    """Return the customer with the buyer's address after a payment, created if missing.

    As long as the buyer is the same, the order stays with its customer, who may have been merged.
    `issued_to` is the customer who has just got licenses.
    """
    order, buyer = due.order, state.buyer
    if buyer is None or buyer.email in (None, ERASED_ADDRESS):
        return order.customer_id
    if state.paid_at is None or (state.is_test and not due.decision.licenses):
        return order.customer_id
    customer_id = order.customer_id
    email, known_id = issued_to or (
        await present_address(work, order.institution_id, buyer.email),
        None,
    )
    if customer_id is None or all(
        item.license.plan.issued_to != buyer.email for item in due.licenses
    ):
        customer_id = known_id or await ensure_customer(
            work, order.institution_id, email, name=buyer.name
        )
    await remember_locale(work, order.institution_id, email, buyer.locale)
    return customer_id


_KINDS = {
    OrderStatus.OPEN: EventKind.ORDER_UPDATED,
    OrderStatus.FULFILLED: EventKind.ORDER_FULFILLED,
    OrderStatus.REFUNDED: EventKind.ORDER_REFUNDED,
    OrderStatus.CANCELED: EventKind.ORDER_CANCELED,
    OrderStatus.UNMATCHED: EventKind.ORDER_UNMATCHED,
}


async def _postpone(platform: Platform, order: Order, error: Exception) -> None:
    problem = error.detail if isinstance(error, Refused) else _UNEXPECTED
    if not isinstance(error, Refused):
        # The message may contain data of a statement; the traceback is enough.
        place = "".join(traceback.format_tb(error.__traceback__)[-4:])
        _log.error("order_failed", order=str(order.id), error=type(error).__name__, place=place)
    async with platform.unit_of_work(Origin()) as work:
        pauses: Sequence[timedelta] = RETRIES[order.attempts :]
        due_at = work.now + pauses[0] if pauses else None
        status = OrderStatus.OPEN if order.status is OrderStatus.FULFILLED else order.status
        failed = replace(order, status=status, problem=problem, due_at=due_at)
        await storage.save_failure(work.db, failed, order.due_at, work.now)
        await storage.replace_deadlines(work.db, order, {})
        if order.problem != problem:
            await record_order(work, EventKind.ORDER_FAILED, failed, before=order)
