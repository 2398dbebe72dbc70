"""Single requests to identity providers: bounded in time and size, never redirected.

The connection goes to a checked address, as for webhooks.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from httpcore import URL, AsyncConnectionPool, NetworkError, ProtocolError, TimeoutException

from licet_server.kit.outbound.network import NameUnknown, Network, NotPublic, open_connections

EXCHANGE_SECONDS = 5.0
ANSWER_BYTES = 512 * 1024

_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), EXCHANGE_SECONDS)
_REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (NameUnknown, "name"),
    (NotPublic, "address"),
    (TimeoutError, "timeout"),
    (TimeoutException, "timeout"),
    (ProtocolError, "http"),
    (NetworkError, "connection"),
    (OSError, "connection"),
)


class ProviderUnavailable(Exception):
    """A provider that did not answer in time, or not usably; `reason` is for programs."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def exchange(
    network: Network,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    content: str | None = None,
) -> tuple[int, dict[str, Any]]:
    """Send a request; returns the status and the JSON object of the answer.

    Raises:
        ProviderUnavailable: for no answer within `EXCHANGE_SECONDS`, a redirect, more than
            `ANSWER_BYTES`, or anything but a JSON object.
    """
    try:
        async with asyncio.timeout(EXCHANGE_SECONDS), open_connections(network) as connections:
            status, body = await _send(connections.any(), method, url, dict(headers or {}), content)
    except tuple(kind for kind, _ in _REASONS) as error:
        reason = next(text for kind, text in _REASONS if isinstance(error, kind))
        raise ProviderUnavailable(reason) from None
    if 300 <= status < 400:
        raise ProviderUnavailable("redirect")
    if status >= 500:
        raise ProviderUnavailable("status")
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise ProviderUnavailable("json") from None
    if not isinstance(answer, dict):
        raise ProviderUnavailable("json")
    return status, answer


async def _send(
    pool: AsyncConnectionPool,
    method: str,
    url: str,
    headers: dict[str, str],
    content: str | None,
) -> tuple[int, bytes]:
    sent = {
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "Licet",
        **headers,
    }
    body = None if content is None else content.encode()
    received = bytearray()
    async with pool.stream(
        method,
        URL(url),
        headers=list(sent.items()),
        content=body,
        extensions={"timeout": _TIMEOUTS},
    ) as response:
        if _is_compressed(response.headers):
            raise ProviderUnavailable("encoding")
        async for chunk in response.aiter_stream():
            received += chunk
            if len(received) > ANSWER_BYTES:
                raise ProviderUnavailable("size")
        return response.status, bytes(received)


def _is_compressed(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(
        name.lower() == b"content-encoding" and value.strip().lower() != b"identity"
        for name, value in headers
    )
