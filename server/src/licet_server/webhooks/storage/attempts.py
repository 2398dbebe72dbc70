"""Claims of due deliveries, and results of attempts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Row, and_, bindparam, or_, select, true, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String, array_parameter
from licet_server.kit.signing_secrets import SealedSecrets
from licet_server.webhooks.rules.model import WebhookDelivery
from licet_server.webhooks.storage.deliveries import DELIVERIES
from licet_server.webhooks.tables import webhook_deliveries as deliveries
from licet_server.webhooks.tables import webhooks

CLAIMED_PER_WEBHOOK = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDelivery:
    """A claimed delivery, and what is needed to send it.

    `due_at` is when its attempt was due; `delivery.due_at` is the end of the claim.
    """

    delivery: WebhookDelivery
    due_at: datetime
    url: str
    secrets: SealedSecrets


_OF_WEBHOOK = (
    select(deliveries.c.institution_id, deliveries.c.id, deliveries.c.due_at)
    .where(
        deliveries.c.institution_id == webhooks.c.institution_id,
        deliveries.c.webhook_id == webhooks.c.id,
        deliveries.c.status == "Pending",
        deliveries.c.due_at <= bindparam("now", type_=Instant),
    )
    .order_by(deliveries.c.due_at)
    .limit(CLAIMED_PER_WEBHOOK)
    .with_for_update(skip_locked=True)
    .correlate(webhooks)
    .lateral("of_webhook")
)
_DUE = (
    select(
        _OF_WEBHOOK.c.institution_id,
        _OF_WEBHOOK.c.id,
        _OF_WEBHOOK.c.due_at,
        webhooks.c.url,
        webhooks.c.secret,
        webhooks.c.previous_secret,
        webhooks.c.previous_until,
    )
    .select_from(webhooks.join(_OF_WEBHOOK, true()))
    .where(webhooks.c.is_enabled, webhooks.c.id != array_parameter("busy", Id).all_())
    .order_by(_OF_WEBHOOK.c.due_at)
    .limit(bindparam("limit", type_=Integer))
    .cte("due")
    .prefix_with("MATERIALIZED")
)
_CLAIM = (
    update(deliveries)
    .where(
        deliveries.c.institution_id == _DUE.c.institution_id,
        deliveries.c.id == _DUE.c.id,
    )
    .values(due_at=bindparam("until", type_=Instant))
    .returning(
        *DELIVERIES.columns,
        _DUE.c.due_at.label("was_due_at"),
        _DUE.c.url,
        _DUE.c.secret,
        _DUE.c.previous_secret,
        _DUE.c.previous_until,
    )
)


async def claim_due(
    db: Connection, now: datetime, lease: timedelta, busy: Collection[UUID], limit: int
) -> list[DueDelivery]:
    """Claim due deliveries for `lease`, except those of busy webhooks; returns them oldest first.

    A delivery that is not settled by then is due again. Concurrent callers claim different
    deliveries.
    """
    given = {"now": now, "until": now + lease, "busy": list(busy), "limit": limit}
    rows = (await db.execute(_CLAIM, given)).all()
    return sorted(map(_due_delivery, rows), key=lambda item: item.due_at)


def _due_delivery(row: Row[Any]) -> DueDelivery:
    return DueDelivery(
        delivery=DELIVERIES.item(row),
        due_at=row.was_due_at,
        url=row.url,
        secrets=SealedSecrets(row.secret, row.previous_secret, row.previous_until),
    )


_SETTLED = Arrays(
    "settled",
    institution_id=Id,
    id=Id,
    status=String,
    attempts=Integer,
    due_at=Instant,
    delivered_at=Instant,
    response_status=Integer,
    response_body=String,
    error=String,
    duration_ms=Integer,
)
_RESULTS = [column.name for column in _SETTLED.c][2:]
# If two processes attempted the same delivery because the first was slow to settle it, one attempt
# counts. A delivery that arrived stays delivered, even if its webhook was disabled in the meantime.
_SETTLE = (
    update(deliveries)
    .where(
        deliveries.c.institution_id == _SETTLED.c.institution_id,
        deliveries.c.id == _SETTLED.c.id,
        deliveries.c.attempts == _SETTLED.c.attempts - 1,
        or_(
            deliveries.c.status == "Pending",
            and_(deliveries.c.status == "Failed", _SETTLED.c.status == "Delivered"),
        ),
    )
    .values({name: _SETTLED.c[name] for name in _RESULTS})
)


async def save_attempts(db: Connection, settled: Sequence[WebhookDelivery]) -> None:
    """Store deliveries after their attempts; the caller has locked their webhooks."""
    rows: Iterable[list[Any]] = (
        [getattr(item, column.name) for column in _SETTLED.c] for item in settled
    )
    await db.execute(_SETTLE, _SETTLED.given(rows))
