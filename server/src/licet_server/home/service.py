"""Builds items that wait for an operator, with the action that settles each."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.connectors.rules.model import Connector
from licet_server.connectors.service.connectors import find_rejecting
from licet_server.connectors.service.orders import ShownOrder, find_disputed, find_unmatched
from licet_server.customers.service.customers import find_seen_names
from licet_server.home.schemas import (
    Home,
    SituationKind,
    SituationToTry,
    Waiting,
    WaitingAction,
    WaitingItem,
    WaitingKind,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.amounts import plain
from licet_server.kit.mail import StoredMail, find_failed
from licet_server.kit.settings import Situation
from licet_server.licenses.rules.model import License
from licet_server.offline.rules.requests import OfflineRequest
from licet_server.offline.service.operators import find_waiting
from licet_server.statistics.rules import period_of
from licet_server.statistics.schemas import Attention, AttentionLicense
from licet_server.statistics.service.licenses import SOON
from licet_server.statistics.service.overview import attention, comparison, count_current
from licet_server.statistics.service.scope import Scope
from licet_server.upgrades.rules import ServiceRelease
from licet_server.upgrades.service import find_upgrade
from licet_server.webhooks.rules import Webhook
from licet_server.webhooks.service.webhooks import find_failing


def of_attention(found: Attention, *, may_act: bool) -> Iterator[WaitingItem]:
    """Yield the devices, attempts, balances, full licenses and ends of terms."""
    for device in found.pending_activations.items:
        yield WaitingItem(
            kind=WaitingKind.PENDING_DEVICE,
            action=WaitingAction.APPROVE,
            may_act=may_act,
            id=device.activation_id,
            since=device.created_at,
            title=device.device_name or device.license_name,
            **_license(device),
        )
    for attempted in found.access_attempts.items if found.access_attempts else ():
        yield WaitingItem(
            kind=WaitingKind.ACCESS_ATTEMPT,
            action=WaitingAction.ACKNOWLEDGE,
            may_act=may_act,
            id=attempted.license_id,
            since=attempted.last_seen_at,
            title=attempted.license_name,
            attempts=attempted.attempts,
            **_license(attempted),
        )
    for low in found.low_balances.items:
        yield WaitingItem(
            kind=WaitingKind.LOW_BALANCE,
            action=WaitingAction.GRANT,
            may_act=may_act,
            id=low.license_id,
            since=None,
            title=low.license_name,
            balance=low.balance,
            low_balance_threshold=low.low_balance_threshold,
            **_license(low),
        )
    for full in found.full_licenses.items:
        yield WaitingItem(
            kind=WaitingKind.FULL_LICENSE,
            action=WaitingAction.READ,
            may_act=may_act,
            id=full.license_id,
            since=full.rejected_at,
            title=full.license_name,
            seats=full.seats,
            **_license(full),
        )
    for expiring in found.expiring_licenses.items:
        yield WaitingItem(
            kind=WaitingKind.EXPIRING_LICENSE,
            action=WaitingAction.EXTEND,
            may_act=may_act,
            id=expiring.license_id,
            since=expiring.expiration_date - SOON,
            title=expiring.license_name,
            issued_to=expiring.issued_to,
            expiration_date=expiring.expiration_date,
            **_license(expiring),
        )


def of_requests(
    waiting: Sequence[tuple[OfflineRequest, License]], customers: Mapping[UUID | None, str]
) -> Iterator[WaitingItem]:
    """Yield the requests of machines without a connection, for Owners and Admins."""
    for request, license_ in waiting:
        yield WaitingItem(
            kind=WaitingKind.OFFLINE_REQUEST,
            action=WaitingAction.APPROVE,
            may_act=True,
            id=request.id,
            since=request.asked_at,
            title=request.device_name or license_.license_name,
            license_id=license_.id,
            license_name=license_.license_name,
            customer_name=customers.get(license_.customer_id),
            product_id=license_.product_id,
        )


def _license(item: AttentionLicense) -> dict[str, Any]:
    return {name: getattr(item, name) for name in AttentionLicense.__struct_fields__}


def of_webhooks(failing: Sequence[Webhook]) -> Iterator[WaitingItem]:
    """Yield the webhooks that fail, for Owners and Admins."""
    for webhook in failing:
        yield WaitingItem(
            kind=WaitingKind.FAILING_WEBHOOK,
            action=WaitingAction.REPAIR,
            may_act=True,
            id=webhook.id,
            since=webhook.disabled_at or webhook.failing_since or webhook.last_attempt_at,
            title=webhook.description or webhook.url,
            reason=webhook.disabled_reason or webhook.last_status,
        )


def of_connectors(rejecting: Sequence[Connector]) -> Iterator[WaitingItem]:
    """Yield the connectors that reject the messages of their shops, for Owners and Admins."""
    for connector in rejecting:
        yield WaitingItem(
            kind=WaitingKind.FAILING_CONNECTOR,
            action=WaitingAction.REPAIR,
            may_act=True,
            id=connector.id,
            since=connector.last_rejected_at,
            title=connector.name,
            reason=connector.last_rejection,
        )


def of_orders(unmatched: Sequence[ShownOrder]) -> Iterator[WaitingItem]:
    """Yield the orders that no rule matches, for Owners and Admins."""
    for shown in unmatched:
        yield _order(shown, WaitingKind.UNMATCHED_ORDER, WaitingAction.REPAIR)


def of_disputes(disputed: Sequence[ShownOrder]) -> Iterator[WaitingItem]:
    """Yield the orders whose buyer disputes a payment, for Owners and Admins."""
    for shown in disputed:
        order = shown.order
        item = _order(shown, WaitingKind.DISPUTED_ORDER, WaitingAction.READ)
        amount = None if order.amount is None else plain(order.amount)
        yield replace(item, since=order.disputed_at, amount=amount, currency=order.currency)


def _order(shown: ShownOrder, kind: WaitingKind, action: WaitingAction) -> WaitingItem:
    sold = (line.price or line.product for line in shown.order.lines)
    return WaitingItem(
        kind=kind,
        action=action,
        may_act=True,
        id=shown.order.id,
        since=shown.order.created_at,
        title=shown.order.external_id,
        customer_name=shown.customer_name,
        reason=", ".join(name for name in sold if name) or None,
    )


def of_mails(failed: Sequence[StoredMail]) -> Iterator[WaitingItem]:
    """Yield the emails that could not be sent, for system Admins."""
    for mail in failed:
        yield WaitingItem(
            kind=WaitingKind.FAILED_MAIL,
            action=WaitingAction.READ,
            may_act=True,
            id=mail.id,
            since=mail.created_at,
            title=mail.subject,
            issued_to=mail.recipient,
        )


def of_upgrade(release: ServiceRelease) -> WaitingItem:
    """Return a newer release of the service, for system Admins."""
    return WaitingItem(
        kind=WaitingKind.UPGRADE,
        action=WaitingAction.READ,
        may_act=True,
        id=None,
        since=release.released_at,
        title=release.version,
        url=release.notes_url,
    )


SHOWN = 10
MAILS_SINCE = timedelta(days=7)
DISPUTES_SINCE = timedelta(days=90)
"""Banks decide within less; shops do not tell of every dispute that is lost."""


async def home(
    scope: Scope, operator: Operator, institution_id: UUID, situations: Sequence[Situation]
) -> Home:
    """Collect what waits for the operator in an institution, and its figures within the scope.

    Owners and Admins also see attempts, webhooks, connectors and orders, system Admins emails and
    upgrades.
    """
    counts, items = await _of_institution(scope, operator, institution_id)
    if operator.is_system_admin:
        of_instance = await _of_instance(scope)
        counts |= of_instance[0]
        items += of_instance[1]
    return Home(
        as_of=scope.now,
        waiting=Waiting(sum(counts.values()), counts, items),
        now=await count_current(scope.db, scope.visibility, scope.now),
        period=await comparison(scope, period_of(None, None, scope.now)),
        to_try=[
            SituationToTry(SituationKind(item.kind), item.id)
            for item in situations
            if item.institution_id == institution_id
        ],
    )


Found = tuple[dict[WaitingKind, int], list[WaitingItem]]


async def _of_institution(scope: Scope, operator: Operator, institution_id: UUID) -> Found:
    is_admin = operator.is_admin_of(institution_id)
    found = await attention(scope, operator, shown=SHOWN)
    counts = {
        WaitingKind.PENDING_DEVICE: found.pending_activations.count,
        WaitingKind.LOW_BALANCE: found.low_balances.count,
        WaitingKind.FULL_LICENSE: found.full_licenses.count,
        WaitingKind.EXPIRING_LICENSE: found.expiring_licenses.count,
    }
    items = list(of_attention(found, may_act=is_admin))
    if found.access_attempts is not None:
        counts[WaitingKind.ACCESS_ATTEMPT] = found.access_attempts.count
    if is_admin:
        failing = await find_failing(scope.db, institution_id)
        requests, longest = await find_waiting(scope.db, operator, institution_id, SHOWN, scope.now)
        counts[WaitingKind.OFFLINE_REQUEST] = requests
        holders = [(it.institution_id, it.customer_id) for _, it in longest]
        items += of_requests(longest, await find_seen_names(scope.db, operator, holders))
        counts[WaitingKind.FAILING_WEBHOOK] = len(failing)
        items += of_webhooks(failing[:SHOWN])
        rejecting = await find_rejecting(scope.db, institution_id, scope.now)
        counts[WaitingKind.FAILING_CONNECTOR] = len(rejecting)
        items += of_connectors(rejecting[:SHOWN])
        unmatched, oldest = await find_unmatched(scope.db, operator, institution_id, SHOWN)
        counts[WaitingKind.UNMATCHED_ORDER] = unmatched
        items += of_orders(oldest)
        since = scope.now - DISPUTES_SINCE
        disputes, first = await find_disputed(scope.db, operator, institution_id, since, SHOWN)
        counts[WaitingKind.DISPUTED_ORDER] = disputes
        items += of_disputes(first)
    return counts, items


async def _of_instance(scope: Scope) -> Found:
    count, failed = await find_failed(scope.db, scope.now - MAILS_SINCE, SHOWN)
    release = await find_upgrade(scope.db)
    counts = {WaitingKind.FAILED_MAIL: count, WaitingKind.UPGRADE: int(release is not None)}
    return counts, [*of_mails(failed), *([of_upgrade(release)] if release is not None else [])]
