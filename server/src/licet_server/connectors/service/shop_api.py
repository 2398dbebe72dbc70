"""Asks the API of a shop, with the key of the connector, for what its events leave out."""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from httpcore import (
    URL,
    AsyncConnectionPool,
    NetworkError,
    ProtocolError,
    TimeoutException,
    UnsupportedProtocol,
)

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.outbound.network import (
    NameUnknown,
    Network,
    NotPublic,
    admits_public,
    public_trust,
)
from licet_server.kit.platform import Platform

ANSWER_SECONDS = 15.0
ANSWER_BYTES = 4 * 1024 * 1024

_BASES = {
    ConnectorKind.STRIPE: "https://api.stripe.com",
    ConnectorKind.PADDLE: "https://api.paddle.com",
    ConnectorKind.LEMON_SQUEEZY: "https://api.lemonsqueezy.com",
}
_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), ANSWER_SECONDS)


class ShopRefused(Exception):
    """The shop answered with something else than what it was asked for."""


FAILURES = (
    ShopRefused,
    TimeoutError,
    CannotOpen,
    NameUnknown,
    NotPublic,
    NetworkError,
    ProtocolError,
    TimeoutException,
    UnsupportedProtocol,
    msgspec.MsgspecError,
)
"""What can go wrong while a shop is asked."""


def public_network(platform: Platform) -> Network:
    """Return the network of shops: public addresses only, unless the settings allow others."""
    return Network(admits_public(platform.settings.webhooks_allow_private), public_trust)


def base_of(kind: ConnectorKind, api_url: str | None) -> str:
    """Return where the API of a shop is, without a slash at the end."""
    return (api_url or _BASES[kind]).rstrip("/")


async def read_object(pool: AsyncConnectionPool, url: str, key: str) -> Mapping[str, Any]:
    """Return the JSON object at a URL of a shop's API.

    Raises:
        ShopRefused: it is not there, or is no object. And what else is in `FAILURES`.
    """
    body = bytearray()
    headers = [
        ("host", URL(url).host.decode()),
        ("authorization", f"Bearer {key}"),
        ("accept", "application/json, application/vnd.api+json"),
    ]
    async with (
        asyncio.timeout(ANSWER_SECONDS),
        pool.stream(
            "GET", URL(url), headers=headers, extensions={"timeout": _TIMEOUTS}
        ) as response,
    ):
        if response.status != 200:
            raise ShopRefused
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > ANSWER_BYTES:
                raise ShopRefused
    answer = msgspec.json.decode(bytes(body))
    if not isinstance(answer, dict):
        raise ShopRefused
    return answer
