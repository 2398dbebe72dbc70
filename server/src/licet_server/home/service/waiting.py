"""Builds items that wait for an operator, with the action that settles each."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from licet_server.connectors.service.orders import ShownOrder
from licet_server.home.schemas import WaitingAction, WaitingItem, WaitingKind
from licet_server.kit.mail import FailedMail
from licet_server.statistics.schemas.attention import Attention, AttentionLicense
from licet_server.statistics.service.licenses import SOON
from licet_server.upgrades.rules.releases import ServiceRelease
from licet_server.webhooks.rules.model import Webhook

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def of_attention(found: Attention, *, may_act: bool) -> Iterator[WaitingItem]:
    """Yield the devices, attempts, balances and ends of terms."""
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


def of_orders(unmatched: Sequence[ShownOrder]) -> Iterator[WaitingItem]:
    """Yield the orders that no rule matches, for Owners and Admins."""
    for shown in unmatched:
        sold = (line.price or line.product for line in shown.order.lines)
        yield WaitingItem(
            kind=WaitingKind.UNMATCHED_ORDER,
            action=WaitingAction.REPAIR,
            may_act=True,
            id=shown.order.id,
            since=shown.order.created_at,
            title=shown.order.external_id,
            issued_to=shown.customer_name,
            reason=", ".join(name for name in sold if name) or None,
        )


def of_mails(failed: Sequence[FailedMail]) -> Iterator[WaitingItem]:
    """Yield the e-mails that could not be sent, for system Admins."""
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


def newest_first(items: Sequence[WaitingItem]) -> list[WaitingItem]:
    """Sort items by the time since when they wait; those of unknown times are last."""
    return sorted(items, key=lambda item: item.since or _LONG_AGO, reverse=True)
