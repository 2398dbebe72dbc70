"""Connections to checked addresses only.

A host name is resolved once per connection, all of its addresses are checked, and the connection
goes to one of exactly those addresses, so a DNS answer that changes in between has no effect. The
name stays in the `Host` header and in TLS, which checks the certificate against it.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from typing import Any
from uuid import UUID

from httpcore import (
    AnyIOBackend,
    AsyncConnectionPool,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
    default_ssl_context,
)

from licet_server.kit.outbound.targets import Address, is_public

_ADDRESSES_TRIED = 4
_KEPT_SECONDS = 5.0
_RESOLVING_AT_ONCE = 64
_NOBODY = UUID(int=0)

Resolver = Callable[[str, int], Awaitable[Sequence[Address]]]
"""Returns the addresses of a host name; raises `NameUnknown` if there are none."""


class NameUnknown(Exception):
    """A host name has no address."""


class NotPublic(Exception):
    """A host name resolves to an address that is not allowed."""


@dataclass(frozen=True, slots=True)
class Network:
    """Which addresses are allowed and certificates trusted, and what resolves and connects.

    `admits` says whether an address is allowed. Without a resolver, the system's is used.
    """

    admits: Callable[[Address], bool]
    trust: Callable[[], ssl.SSLContext]
    resolve: Resolver | None = None
    wire: AsyncNetworkBackend = field(default_factory=AnyIOBackend)


def admits_public(allow_private: bool) -> Callable[[Address], bool]:
    """Admit public addresses; or any at all."""
    return _any if allow_private else is_public


def _any(_address: Address) -> bool:
    return True


@cache
def public_trust() -> ssl.SSLContext:
    """Return the certificates that the system trusts, and the usual ones. Reading them is slow."""
    return default_ssl_context()


class Connections:
    """A connection pool per receiver, since a pool scans all of its connections at each request."""

    def __init__(self, create_pool: Callable[[], AsyncConnectionPool]) -> None:
        self._create_pool = create_pool
        self._pools: dict[UUID, AsyncConnectionPool] = {}

    def of(self, receiver_id: UUID) -> AsyncConnectionPool:
        """Return the pool of a receiver, which keeps its connections open for a while."""
        pool = self._pools.get(receiver_id)
        if pool is None:
            pool = self._pools[receiver_id] = self._create_pool()
        return pool

    def any(self) -> AsyncConnectionPool:
        """Return a pool for a receiver without an id."""
        return self.of(_NOBODY)

    async def close_others(self, receiver_ids: Container[UUID]) -> None:
        """Close the pools of all other receivers."""
        for receiver_id in [item for item in self._pools if item not in receiver_ids]:
            await self._pools.pop(receiver_id).aclose()


@asynccontextmanager
async def open_connections(network: Network) -> AsyncIterator[Connections]:
    """Open connection pools that are closed when the block ends."""
    threads = ThreadPoolExecutor(_RESOLVING_AT_ONCE, thread_name_prefix="resolve")
    resolve = network.resolve or _resolver(threads)
    backend = _CheckedBackend(network.wire, resolve, network.admits)
    trust = network.trust()
    connections = Connections(
        lambda: AsyncConnectionPool(
            ssl_context=trust, keepalive_expiry=_KEPT_SECONDS, network_backend=backend
        )
    )
    try:
        yield connections
    finally:
        await connections.close_others(())
        threads.shutdown(wait=False, cancel_futures=True)


def _resolver(threads: ThreadPoolExecutor) -> Resolver:
    """Return the system's resolver, in its own threads: a slow look-up delays nothing else."""

    async def resolve(host: str, port: int) -> Sequence[Address]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(threads, _look_up, host, port)
        except (OSError, UnicodeError):
            raise NameUnknown from None
        return list(dict.fromkeys(found))

    return resolve


def _look_up(host: str, port: int) -> list[Address]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(item[4][0]) for item in found]


class _CheckedBackend(AsyncNetworkBackend):
    """Opens connections for a pool, which speaks HTTP and TLS over them."""

    def __init__(
        self, wire: AsyncNetworkBackend, resolve: Resolver, admits: Callable[[Address], bool]
    ) -> None:
        self._wire = wire
        self._resolve = resolve
        self._admits = admits

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the pool calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """Connect to one of the addresses of a host name, all of which must be allowed.

        Raises:
            NameUnknown: if it has no address.
            NotPublic: if one of its addresses is not allowed.
            ConnectError: if no address accepts the connection; `ConnectTimeout` if it takes too
                long.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._connect(await self._checked(host, port), port)
        except TimeoutError:
            raise ConnectTimeout from None

    async def _checked(self, host: str, port: int) -> Sequence[Address]:
        addresses = await self._resolve(host, port)
        if not addresses:
            raise NameUnknown
        if not all(map(self._admits, addresses)):
            raise NotPublic
        return addresses[:_ADDRESSES_TRIED]

    async def _connect(self, addresses: Sequence[Address], port: int) -> AsyncNetworkStream:
        *others, last = addresses
        for address in others:
            try:
                return await self._wire.connect_tcp(str(address), port)
            except ConnectError:
                continue
        return await self._wire.connect_tcp(str(last), port)

    async def sleep(self, seconds: float) -> None:
        """Wait, for the pool."""
        await asyncio.sleep(seconds)
