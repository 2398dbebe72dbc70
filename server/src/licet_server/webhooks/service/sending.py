"""One attempt: an event handed to its receiver, and what he answered."""

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
from licet_server.webhooks.rules.message import body_of, headers_of
from licet_server.webhooks.rules.model import Answer
from licet_server.webhooks.service.network import NameUnknown, NotPublic
from licet_server.webhooks.service.secrets import open_secrets
from licet_server.webhooks.storage.attempts import Claimed

CONNECT_SECONDS = 10.0
ATTEMPT_SECONDS = 15.0
READ_BYTES = 64 * 1024
KEPT_BYTES = 2 * 1024

_TIMEOUTS = {
    "connect": CONNECT_SECONDS,
    "read": ATTEMPT_SECONDS,
    "write": ATTEMPT_SECONDS,
    "pool": ATTEMPT_SECONDS,
}
_FAILURES = (NameUnknown, NotPublic, NetworkError, ProtocolError, TimeoutException)


async def send(
    pool: AsyncConnectionPool, keyring: Keyring, claimed: Claimed, now: datetime
) -> Answer:
    """Send what was claimed, once, and answer what came of it; no redirect is followed."""
    started = time.perf_counter()
    exchange = _Exchange(pool)
    try:
        await exchange.run(keyring, claimed, now)
    except (TimeoutError, CannotOpen, *_FAILURES) as error:
        exchange.note(error)
    duration = round((time.perf_counter() - started) * 1000)
    return Answer(exchange.status, exchange.text(), exchange.error, duration)


class _Exchange:
    """What is known so far of an attempt, which may end at any moment."""

    def __init__(self, pool: AsyncConnectionPool) -> None:
        self.status: int | None = None
        self.error: str | None = None
        self._pool = pool
        self._body = bytearray()
        self._is_plain = True

    async def run(self, keyring: Keyring, claimed: Claimed, now: datetime) -> None:
        delivery = claimed.delivery
        secrets = open_secrets(keyring, delivery.webhook_id, claimed.secrets, now)
        body = body_of(claimed.event)
        headers = headers_of(claimed.url, secrets, delivery.event_id, body, now)
        async with (
            asyncio.timeout(ATTEMPT_SECONDS),
            self._pool.stream(
                "POST",
                URL(claimed.url),
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": _TIMEOUTS},
            ) as response,
        ):
            await self._read(response)

    async def _read(self, response: Response) -> None:
        self.status = response.status
        if not 200 <= response.status < 300:
            self.error = f"The receiver answered {response.status}."
        self._is_plain = not any(
            name.lower() == b"content-encoding" and value.strip().lower() != b"identity"
            for name, value in response.headers
        )
        async for chunk in response.aiter_stream():
            self._body += chunk[: READ_BYTES - len(self._body)]
            if len(self._body) >= READ_BYTES:
                return

    def note(self, error: BaseException) -> None:
        """A failure that ends the attempt; what was answered before stays what it is."""
        if self.status is None:
            self.error = _sentence(error)

    def text(self) -> str | None:
        """The start of the body, as far as it is text; nothing is unpacked."""
        if not self._body or not self._is_plain:
            return None
        return self._body[:KEPT_BYTES].decode(errors="replace").replace("\0", "\ufffd")


_SENTENCES: tuple[tuple[type[BaseException], str], ...] = (
    (CannotOpen, "The secret of the webhook cannot be read. Restore the master key, or rotate it."),
    (NameUnknown, "The name of the receiver cannot be resolved."),
    (NotPublic, "The name of the receiver leads to an address that is not public."),
    (ConnectTimeout, f"No connection was made within {CONNECT_SECONDS:.0f} seconds."),
    (TimeoutError, f"No answer came within {ATTEMPT_SECONDS:.0f} seconds."),
    (TimeoutException, f"No answer came within {ATTEMPT_SECONDS:.0f} seconds."),
    (ssl.SSLError, "No TLS connection could be agreed on with the receiver."),
    (ProtocolError, "The receiver closed the connection, or answered something that is no HTTP."),
)
_BROKEN = "The connection could not be made, or it broke before an answer came."


def _sentence(error: BaseException) -> str:
    cause = error.__context__  # the pool drops the cause, and leaves this
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = cause.verify_message.rstrip(".")
        return f"The receiver's certificate is refused: {reason}."
    told = cause if isinstance(cause, ssl.SSLError) else error
    return next((said for kind, said in _SENTENCES if isinstance(told, kind)), _BROKEN)
