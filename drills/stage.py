"""A service with its database on this machine, and the load that drills put on it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass

import asyncpg
import httpx
from e2e.process import Service, workers_of
from e2e.vendor import Vendor

from licet_server.kit.postgres import Address, EmbeddedPostgres

_CLIENTS = 8


@dataclass
class Stage:
    """The service and its database, and a vendor who uses it."""

    service: Service
    database: EmbeddedPostgres
    vendor: Vendor
    license_key: str

    def validate(self, client: httpx.Client) -> None:
        """Validate a license, as an application does; a lost connection does not matter."""
        headers = {"x-api-key": self.vendor.api_key}
        with suppress(httpx.TransportError):
            body = {"licenseKey": self.license_key}
            client.post("/api/licenses/validate", json=body, headers=headers)

    def list_products(self, client: httpx.Client) -> None:
        """List products, as an operator does; a lost connection does not matter."""
        with suppress(httpx.TransportError):
            client.get("/api/products", headers=dict(self.vendor.owner.headers))

    @contextmanager
    def load(self, send: Callable[[httpx.Client], None], clients: int = _CLIENTS) -> Iterator[None]:
        """Keep sending requests while the block runs."""
        ended = threading.Event()

        def work() -> None:
            with self.service.client() as client:
                while not ended.wait(0.02):
                    send(client)

        threads = [threading.Thread(target=work) for _ in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    @contextmanager
    def repeated(self, act: Callable[[], None]) -> Iterator[None]:
        """Act again and again while the block runs."""
        ended = threading.Event()

        def work() -> None:
            while not ended.is_set():
                act()

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    @contextmanager
    def session(self, *statements: str) -> Iterator[None]:
        """Keep a session open that has run these statements."""
        with asyncio.Runner() as runner:
            opened = runner.run(_connect(self.database.address))
            try:
                for statement in statements:
                    runner.run(opened.execute(statement))
                yield
            finally:
                opened.terminate()

    def locked(self, table: str) -> AbstractContextManager[None]:
        """Lock a table against everybody."""
        return self.session("BEGIN", f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")

    def issue(self, number: int) -> None:
        """Issue licenses, each of which is an event."""
        for _ in range(number):
            self.vendor.issue()

    def run_as_superuser(self, *statements: str) -> None:
        """Run statements, and have the settings read again."""
        with asyncio.Runner() as runner:
            opened = runner.run(_connect(self.database.admin))
            for statement in (*statements, "SELECT pg_reload_conf()"):
                runner.run(opened.execute(statement))
            runner.run(opened.close())

    def request(self, body: bytes, announced: int | None = None) -> bytes:
        """Return a validation with this body; the header announces so many bytes instead."""
        lines = (
            "POST /api/licenses/validate HTTP/1.1",
            "host: drill",
            f"x-api-key: {self.vendor.api_key}",
            "content-type: application/json",
            f"content-length: {announced or len(body)}",
        )
        return "\r\n".join((*lines, "", "")).encode() + body

    def workers(self) -> list[int]:
        """The processes that serve."""
        assert self.service.process is not None
        return workers_of(self.service.process.pid)


async def _connect(address: Address) -> asyncpg.Connection:
    return await asyncpg.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        database=address.database,
    )
