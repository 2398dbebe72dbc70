"""The interface between the client and the network.

To run a client without a network, pass it any object with ``send`` and ``close``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TransportRequest:
    """One HTTP request.

    Attributes:
        url: Absolute URL. May contain the license key, so it is omitted from ``repr``.
        headers: Contain the product key, so they are omitted from ``repr``.
        body: JSON or empty. Contains the license key, so it is omitted from ``repr``.
        timeout: Seconds within which the whole response should have arrived.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    timeout: float


@dataclass(frozen=True, slots=True)
class TransportReply:
    """One HTTP response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Transport(Protocol):
    """Sends requests."""

    def send(self, request: TransportRequest) -> TransportReply:
        """Return the response to one request, without following redirects.

        Raises:
            NetworkError: The server did not respond.
        """
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class AsyncTransport(Protocol):
    """Sends requests on an event loop."""

    async def send(self, request: TransportRequest) -> TransportReply:
        """Return the response to one request, without following redirects.

        Raises:
            NetworkError: The server did not respond.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...
