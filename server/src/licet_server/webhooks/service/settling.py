"""Results of attempts: deliveries settled or postponed, webhooks disabled."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import structlog

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.rules.model import Webhook, WebhookAttempt, WebhookDelivery
from licet_server.webhooks.rules.outcome import DISABLED_BECAUSE, after_attempt, after_response
from licet_server.webhooks.storage import attempts, deliveries, webhooks

_log = structlog.get_logger("licet.webhooks")


async def settle(work: UnitOfWork, ended: Sequence[WebhookAttempt]) -> list[WebhookDelivery]:
    """Store the results of attempts in one transaction; returns the deliveries after them.

    Webhooks are locked before their deliveries, as they are when one is disabled.
    """
    after = [after_attempt(item.delivery, item.response, item.ended_at) for item in ended]
    keys = {(item.institution_id, item.webhook_id) for item in after}
    before = {item.id: item for item in await webhooks.lock_webhooks(work.db, keys)}
    webhooks_after = _after_all(before, ended)
    await webhooks.save_results(work.db, webhooks_after.values())
    await attempts.save_attempts(work.db, after)
    for webhook_id, webhook in webhooks_after.items():
        if before[webhook_id].is_enabled and not webhook.is_enabled:
            await _disable(work, webhook)
    return after


def _after_all(
    before: Mapping[UUID, Webhook], ended: Sequence[WebhookAttempt]
) -> dict[UUID, Webhook]:
    """Return the webhooks after all responses, in the order in which they came."""
    found = dict(before)
    for item in sorted(ended, key=lambda item: item.ended_at):
        webhook = found.get(item.delivery.webhook_id)
        if webhook is not None:
            found[webhook.id] = after_response(webhook, item.response, item.ended_at)
    return found


async def _disable(work: UnitOfWork, webhook: Webhook) -> None:
    """Fail the pending deliveries of a webhook that was just disabled, and record the event."""
    reason = webhook.disabled_reason
    if reason is None:
        raise ValueError("a webhook that the service disabled has a reason")
    await deliveries.fail_pending(work.db, webhook, DISABLED_BECAUSE[reason])
    await record_event(
        work,
        EventKind.WEBHOOK_DISABLED,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={"id": webhook.id, "description": webhook.description, "reason": reason},
        changes={"enabled": [True, False]},
    )
    _log.warning("webhook_disabled", webhook=str(webhook.id), reason=reason.value)
