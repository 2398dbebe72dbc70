"""One attempt: an event sent to its receiver, and the response."""

import asyncio
import ssl
import time
from datetime import datetime

from httpcore import (
    URL,
    AsyncConnectionPool,
    ConnectTimeout,
    NetworkError,
    ProtocolError,
    Response,
    TimeoutException,
)

from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.outbound.network import NameUnknown, NotPublic
from licet_server.kit.signing_secrets import open_secrets
from licet_server.webhooks.rules import WebhookResponse, headers_of
from licet_server.webhooks.service.webhooks import secret_of
from licet_server.webhooks.storage.deliveries import DueDelivery

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
