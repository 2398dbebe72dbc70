"""Sending of due deliveries: many at a time, few to the same webhook.

An attempt sends an event to its receiver and keeps the response. No database connection is held
while one is under way.
"""

import asyncio
import ssl
import time
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from httpcore import (
    URL,
    AsyncConnectionPool,
    ConnectTimeout,
    NetworkError,
    ProtocolError,
    Response,
    TimeoutException,
)
from prometheus_client import CollectorRegistry, Counter, Histogram

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.service.recording import record_event
from licet_server.events.storage.reading import fetch_events
from licet_server.kit.database import Connection
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.outbound.network import (
    Connections,
    NameUnknown,
    Network,
    NotPublic,
    admits_public,
    open_connections,
    public_trust,
)
from licet_server.kit.platform import Platform
from licet_server.kit.signing_secrets import open_secrets
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.reading import keys_to_send
from licet_server.webhooks.rules import (
    DISABLED_BECAUSE,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookDeliveryStatus,
    WebhookResponse,
    after_attempt,
    after_response,
    body_of,
    headers_of,
)
from licet_server.webhooks.service.deliveries import find_tests
from licet_server.webhooks.service.webhooks import secret_of
from licet_server.webhooks.storage import deliveries, webhooks
from licet_server.webhooks.storage.deliveries import CLAIMED_PER_WEBHOOK, DueDelivery, claim_due

CONNECT_SECONDS = 10.0
ATTEMPT_SECONDS = 15.0
READ_BYTES = 64 * 1024
KEPT_BYTES = 2 * 1024


class BadUrl(Exception):
    """What is stored is no URL that a request can be sent to."""


_TIMEOUTS = {
    "connect": CONNECT_SECONDS,
    "read": ATTEMPT_SECONDS,
    "write": ATTEMPT_SECONDS,
    "pool": ATTEMPT_SECONDS,
}
_FAILURES = (BadUrl, NameUnknown, NotPublic, NetworkError, ProtocolError, TimeoutException)


async def send(
    pool: AsyncConnectionPool,
    keyring: Keyring,
    due: DueDelivery,
    body: bytes,
    now: datetime,
) -> WebhookResponse:
    """Send a delivery once; returns the response. Redirects are not followed."""
    started = time.perf_counter()
    exchange = _Exchange(pool)
    try:
        await exchange.run(keyring, due, body, now)
    except (TimeoutError, CannotOpen, *_FAILURES) as error:
        exchange.fail(error)
    return WebhookResponse(
        status=exchange.status,
        body=exchange.text(),
        error=exchange.error,
        duration_ms=round((time.perf_counter() - started) * 1000),
    )


class _Exchange:
    """What is known so far of an attempt, which may end at any moment."""

    def __init__(self, pool: AsyncConnectionPool) -> None:
        self.status: int | None = None
        self.error: str | None = None
        self._pool = pool
        self._body = bytearray()
        self._is_plain = True

    async def run(self, keyring: Keyring, due: DueDelivery, body: bytes, now: datetime) -> None:
        delivery = due.delivery
        secrets = open_secrets(keyring, secret_of(delivery.webhook_id), due.secrets, now)
        headers = headers_of(due.url, secrets, delivery.event_id, body, now)
        async with (
            asyncio.timeout(ATTEMPT_SECONDS),
            self._pool.stream(
                "POST",
                _url(due.url),
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": _TIMEOUTS},
            ) as response,
        ):
            await self._read(response)

    async def _read(self, response: Response) -> None:
        self.status = response.status
        if not 200 <= response.status < 300:
            self.error = f"The receiver responded with {response.status}."
        self._is_plain = not any(
            name.lower() == b"content-encoding" and value.strip().lower() != b"identity"
            for name, value in response.headers
        )
        async for chunk in response.aiter_stream():
            self._body += chunk[: READ_BYTES - len(self._body)]
            if len(self._body) >= READ_BYTES:
                return

    def fail(self, error: BaseException) -> None:
        """Store the failure that ended the attempt, unless a status came before."""
        if self.status is None:
            self.error = _sentence(error)

    def text(self) -> str | None:
        """Return the start of the body if it is text; compressed bodies are not unpacked."""
        if not self._body or not self._is_plain:
            return None
        return self._body[:KEPT_BYTES].decode(errors="replace").replace("\0", "\ufffd")


def _url(stored: str) -> URL:
    try:
        url = URL(stored)
    except (TypeError, ValueError):
        raise BadUrl from None
    if url.scheme not in {b"http", b"https"} or not url.host:
        raise BadUrl
    return url


_SENTENCES: tuple[tuple[type[BaseException], str], ...] = (
    (
        CannotOpen,
        "The secret of the webhook cannot be read. Restore the master key, or rotate the secret.",
    ),
    (BadUrl, "The address of the webhook is not a URL. Correct it."),
    (NameUnknown, "The receiver's host name cannot be resolved."),
    (NotPublic, "The receiver's host name resolves to an address that is not public."),
    (ConnectTimeout, f"No connection was established within {CONNECT_SECONDS:.0f} seconds."),
    (TimeoutError, f"No response arrived within {ATTEMPT_SECONDS:.0f} seconds."),
    (TimeoutException, f"No response arrived within {ATTEMPT_SECONDS:.0f} seconds."),
    (ssl.SSLError, "The TLS connection to the receiver failed."),
    (ProtocolError, "The receiver closed the connection, or its response is not valid HTTP."),
)
_BROKEN = "The connection failed, or broke before a response arrived."


def _sentence(error: BaseException) -> str:
    cause = error.__context__  # the pool drops the cause, and leaves this
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = cause.verify_message.rstrip(".")
        return f"The receiver's certificate is not valid: {reason}."
    shown = cause if isinstance(cause, ssl.SSLError) else error
    return next((said for kind, said in _SENTENCES if isinstance(shown, kind)), _BROKEN)


_DELAYS = (0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 15.0)
_OUTCOMES = {
    WebhookDeliveryStatus.DELIVERED: "delivered",
    WebhookDeliveryStatus.PENDING: "postponed",
    WebhookDeliveryStatus.FAILED: "failed",
}


class WebhookMetrics:
    """Counts attempts by outcome, how late they started, and how long they took."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._attempts = Counter(
            "licet_webhook_attempts_total",
            "Attempts to deliver an event.",
            ["outcome"],
            registry=registry,
        )
        for outcome in _OUTCOMES.values():
            self._attempts.labels(outcome)
        self._delay = Histogram(
            "licet_webhook_delay_seconds",
            "Time from when an attempt was due to its start.",
            buckets=_DELAYS,
            registry=registry,
        )
        self._seconds = Histogram(
            "licet_webhook_attempt_seconds",
            "Duration of an attempt.",
            buckets=_SECONDS,
            registry=registry,
        )

    def started(self, delay: timedelta) -> None:
        """Count the start of an attempt."""
        self._delay.observe(max(delay.total_seconds(), 0.0))

    def ended(self, delivery: WebhookDelivery) -> None:
        """Count the end of an attempt, by the delivery as it is after it."""
        self._attempts.labels(_OUTCOMES[delivery.status]).inc()
        self._seconds.observe((delivery.duration_ms or 0) / 1000)


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
    await deliveries.save_attempts(work.db, after)
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


LEASE = timedelta(seconds=60)
START_WITHIN_SECONDS = 30.0
"""After its claim; a delivery that waits longer is dropped, so no lease ends during an attempt."""
CONCURRENT_ATTEMPTS = 200
CONCURRENT_PER_WEBHOOK = 4
CLAIMED_AT_ONCE = 2_000

_CLAIM_EVERY_SECONDS = 1.0


async def deliver_webhooks(platform: Platform) -> int:
    """Send all due deliveries; return the number of attempts."""
    network = Network(admits_public(platform.settings.webhooks_allow_private), public_trust)
    return await deliver_due(platform, network)


async def deliver_due(platform: Platform, network: Network) -> int:
    """Send what is due and what becomes due in the meantime; returns the number of attempts.

    This continues while any attempt is under way, so that a slow receiver delays no one else.
    Attempts that are under way when the process dies are due again when their lease ends.
    """
    metrics = platform.metrics.of(WebhookMetrics)
    first = await _claim(platform, Tally(), CLAIMED_AT_ONCE)
    if not first:
        return 0
    async with open_connections(network) as connections:
        attempts = _Attempts(platform, connections, metrics)
        try:
            return await attempts.send_all(first)
        finally:
            await attempts.cancel()


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A claimed delivery with the event that it sends, and the license key if that is sent, too."""

    due: DueDelivery
    event: RecordedEvent
    license_key: str | None = field(default=None, repr=False)
    test: bool = False

    @property
    def webhook_id(self) -> UUID:
        return self.due.delivery.webhook_id


async def _claim(platform: Platform, held: Tally[UUID], limit: int) -> list[_Claimed]:
    """Claim more deliveries for webhooks that have fewer in hand than one claim returns."""
    busy = [webhook_id for webhook_id, count in held.items() if count >= CLAIMED_PER_WEBHOOK]
    async with platform.database.reading() as db:
        claimed = await claim_due(db, platform.clock(), LEASE, busy, limit)
        if not claimed:
            return []
        keys = {(item.delivery.institution_id, item.delivery.event_id) for item in claimed}
        events = await fetch_events(db, keys)
        license_keys = await _license_keys(db, claimed, events)
        tests = await find_tests(db, events.values())
    # An event is missing only if its institution was deleted, and the delivery with it.
    return [
        _Claimed(
            item,
            event,
            license_keys.get(item.delivery.id),
            test=event.id in tests,
        )
        for item in claimed
        if (event := events.get(item.delivery.event_id)) is not None
    ]


async def _license_keys(
    db: Connection, claimed: Sequence[DueDelivery], events: Mapping[UUID, RecordedEvent]
) -> dict[UUID, str]:
    """Fetch the license keys that are sent, by the IDs of their deliveries.

    They are those of now, since no event holds a key.
    """
    licenses = {
        item.delivery.id: (item.delivery.institution_id, events[item.delivery.event_id].subject_id)
        for item in claimed
        if item.include_keys
        and item.delivery.event_type is EventKind.LICENSE_CREATED
        and item.delivery.event_id in events
    }
    if not licenses:
        return {}
    found = await keys_to_send(db, licenses.values())
    return {
        delivery_id: found[license_id]
        for delivery_id, (_, license_id) in licenses.items()
        if license_id in found
    }


class _Attempts:
    """Attempts that are under way or queued, each in its own task."""

    def __init__(
        self, platform: Platform, connections: Connections, metrics: WebhookMetrics
    ) -> None:
        self._platform = platform
        self._connections = connections
        self._metrics = metrics
        self._slots = asyncio.Semaphore(CONCURRENT_ATTEMPTS)
        self._slots_of_webhooks: defaultdict[UUID, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(CONCURRENT_PER_WEBHOOK)
        )
        self._tasks: dict[asyncio.Task[WebhookResponse | None], _Claimed] = {}

    async def send_all(self, claimed: list[_Claimed]) -> int:
        """Send these, and everything that is due by then; returns the number of attempts."""
        ended = 0
        while True:
            self._start(claimed)
            if not self._tasks:
                return ended
            done, _ = await asyncio.wait(
                self._tasks,
                timeout=_CLAIM_EVERY_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            ended += await self._settle(done)
            room = CLAIMED_AT_ONCE - len(self._tasks)
            held = Tally(item.webhook_id for item in self._tasks.values())
            claimed = await _claim(self._platform, held, room) if room else []
            held.update(item.webhook_id for item in claimed)
            await self._connections.close_others(held)

    def _start(self, claimed: list[_Claimed]) -> None:
        start_by = asyncio.get_running_loop().time() + START_WITHIN_SECONDS
        for item in claimed:
            task = asyncio.create_task(self._attempt(item, start_by), name="webhook")
            self._tasks[task] = item

    async def _attempt(self, item: _Claimed, start_by: float) -> WebhookResponse | None:
        """Return the response, or `None` if no slot was free in time."""
        async with self._slots_of_webhooks[item.webhook_id], self._slots:
            if asyncio.get_running_loop().time() > start_by:
                return None
            now = self._platform.clock()
            self._metrics.started(now - item.due.due_at)
            pool = self._connections.of(item.webhook_id)
            body = body_of(item.event, item.license_key, test=item.test)
            return await send(pool, self._platform.keyring, item.due, body, now)

    async def _settle(self, done: set[asyncio.Task[WebhookResponse | None]]) -> int:
        now = self._platform.clock()
        results = [(self._tasks.pop(task).due.delivery, task.result()) for task in done]
        ended = [
            WebhookAttempt(delivery, response, now)
            for delivery, response in results
            if response is not None
        ]
        if not ended:
            return 0
        async with self._platform.unit_of_work(Origin()) as work:
            settled = await settle(work, ended)
        for item in settled:
            self._metrics.ended(item)
            if item.status is not WebhookDeliveryStatus.DELIVERED:
                _log.info(
                    "webhook_attempt_failed",
                    webhook=str(item.webhook_id),
                    delivery=str(item.id),
                    attempt=item.attempts,
                    status=item.response_status,
                )
        return len(ended)

    async def cancel(self) -> None:
        """Cancel what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
