"""The seam between what is said to the server and how it travels.

Give a client another transport to run it without a network: anything with ``send`` and ``close``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TransportRequest:
    """One HTTP request.

    Attributes:
        url: Absolute; may carry the license key, and so is left out of ``repr``.
        headers: Carry the product API key, and so are left out of ``repr``.
        body: JSON, or empty; carries the license key, and so is left out of ``repr``.
        timeout: Seconds within which the whole answer must have come.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    timeout: float


@dataclass(frozen=True, slots=True)
class TransportReply:
    """One HTTP answer. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Transport(Protocol):
    """Carries requests. Raises :class:`licet.NetworkError` when no answer comes."""

    def send(self, request: TransportRequest) -> TransportReply:
        """The answer to one request, without following redirects."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


class AsyncTransport(Protocol):
    """The same for an event loop."""

    async def send(self, request: TransportRequest) -> TransportReply:
        """The answer to one request, without following redirects."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...
