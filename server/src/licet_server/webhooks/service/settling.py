"""What follows from attempts: deliveries settled or postponed, webhooks turned off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.rules.kinds import DISABLED
from licet_server.webhooks.rules.model import Answer, Delivery, Webhook
from licet_server.webhooks.rules.outcome import STOPPED, after_answer, after_attempt
from licet_server.webhooks.storage import attempts, deliveries, webhooks

_log = structlog.get_logger("licet.webhooks")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that is over."""

    delivery: Delivery
    answer: Answer
    ended_at: datetime


async def settle(work: UnitOfWork, ended: Sequence[Attempt]) -> list[Delivery]:
    """Store what attempts came to, in one transaction; answers the deliveries as they are now.

    Webhooks are locked before their deliveries, as whoever turns one off does.
    """
    after = [after_attempt(item.delivery, item.answer, item.ended_at) for item in ended]
    keys = {(item.institution_id, item.webhook_id) for item in after}
    known = {item.id: item for item in await webhooks.lock_webhooks(work.db, keys)}
    now_known = _after_all(known, ended)
    await webhooks.save_results(work.db, now_known.values())
    await attempts.save_attempts(work.db, after)
    for webhook_id, webhook in now_known.items():
        if known[webhook_id].is_enabled and not webhook.is_enabled:
            await _stop(work, webhook)
    return after


def _after_all(known: Mapping[UUID, Webhook], ended: Sequence[Attempt]) -> dict[UUID, Webhook]:
    """The webhooks after all answers, in the order in which they came."""
    found = dict(known)
    for item in sorted(ended, key=lambda item: item.ended_at):
        webhook = found.get(item.delivery.webhook_id)
        if webhook is not None:
            found[webhook.id] = after_answer(webhook, item.answer, item.ended_at)
    return found


async def _stop(work: UnitOfWork, webhook: Webhook) -> None:
    """Give up what waits for a webhook that was just turned off, and let its owners know."""
    reason = webhook.disabled_reason
    if reason is None:
        raise ValueError("a webhook that the service turned off has a reason")
    await deliveries.fail_pending(work.db, webhook, STOPPED[reason])
    await record_event(
        work,
        DISABLED,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={"id": webhook.id, "description": webhook.description, "reason": reason},
        changes={"enabled": [True, False]},
    )
    _log.warning("webhook_disabled", webhook=str(webhook.id), reason=reason.value)
