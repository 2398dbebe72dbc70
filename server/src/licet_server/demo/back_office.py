"""The vendor's back office, which receives webhooks and reads licenses with an API key."""

from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Any

from httpcore import AsyncMockStream, AsyncNetworkBackend, AsyncNetworkStream

from licet_server.demo.client import DemoClient
from licet_server.kit.outbound.network import Network, public_trust
from licet_server.kit.outbound.targets import Address

HOST = "hooks.aurora.example"
_ADDRESS = "192.0.2.10"
_WELL = b'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 16\r\n\r\n{"queued": true}'
_DOWN = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 24\r\n\r\nMaintenance until 09:00."
)


class BackOffice(AsyncNetworkBackend):
    """Answers webhooks in this process: nothing of the demo leaves the machine."""

    def __init__(self) -> None:
        self.is_down = False

    @property
    def network(self) -> Network:
        """The network on which the name of the back office leads here, and no other name."""
        return Network(lambda _: True, public_trust, _resolve, self)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the pool calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """Return a connection on which the answer of now already waits."""
        return AsyncMockStream([_DOWN if self.is_down else _WELL])


async def _resolve(_host: str, _port: int) -> Sequence[Address]:
    return [ip_address(_ADDRESS)]


async def open_back_office(client: DemoClient) -> str:
    """Create the webhook, whose ID is returned, and an API key that reads licenses once."""
    body = {
        "url": f"https://{HOST}/licet",
        "description": "Back office (an example address)",
        "eventTypes": ["license.*", "order.*"],
    }
    webhook = await client.send("POST", "/api/webhooks", body)
    key = {"name": "Nightly report", "scopes": ["Licenses.Read", "Statistics.Read"]}
    created = await client.send("POST", "/api/api-keys", key)
    async with client.visitor() as program:
        program.sign_in({"accessToken": created["secret"]})
        await program.send("GET", "/api/licenses?pageSize=1")
    return str(webhook["id"])
