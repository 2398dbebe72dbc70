"""The faults behind the alerts, each done in earnest to a service on this machine."""

import asyncio
import os
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx
from e2e.process import EMAIL, Service, children_of
from e2e.vendor import Vendor

from licet_server.kit.postgres import Address, EmbeddedPostgres

_CLIENTS = 8
_STARTS = re.compile(r"^licet_process_start_timestamp_seconds\{.*$", re.MULTILINE)
_MEGABYTE = 2**20
_REQUESTS = 5_600
"""More than fit into a queue, and fewer than the service takes connections."""


class LeftOut(Exception):
    """The fault cannot be provoked here."""


@dataclass
class Stage:
    """The service and its database, and a vendor who uses it."""

    service: Service
    database: EmbeddedPostgres
    vendor: Vendor
    license_key: str

    def validate(self, client: httpx.Client) -> None:
        """Ask as an application does, whatever comes of it."""
        headers = {"x-api-key": self.vendor.api_key}
        with suppress(httpx.TransportError):
            body = {"licenseKey": self.license_key}
            client.post("/api/licenses/validate", json=body, headers=headers)

    def list_products(self, client: httpx.Client) -> None:
        """Ask as an operator does."""
        with suppress(httpx.TransportError):
            client.get("/api/products", headers=dict(self.vendor.owner.headers))

    @contextmanager
    def load(self, ask: Callable[[httpx.Client], None], clients: int = _CLIENTS) -> Iterator[None]:
        """Keep asking while the block runs."""
        ended = threading.Event()

        def work() -> None:
            with self.service.client() as client:
                while not ended.wait(0.02):
                    ask(client)

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


Fault = Callable[[Stage], Iterator[None]]


def stopped_database(stage: Stage) -> Iterator[None]:
    """The database is stopped, while applications ask."""
    with stage.load(stage.validate):
        stage.database.__exit__(None, None, None)
        try:
            yield
        finally:
            stage.database.__enter__()


def read_only_database(stage: Stage) -> Iterator[None]:
    """Changes are turned off."""
    _as_superuser(stage, "ALTER SYSTEM SET default_transaction_read_only = on")
    try:
        yield
    finally:
        _as_superuser(
            stage,
            "SET default_transaction_read_only = off",
            "ALTER SYSTEM RESET default_transaction_read_only",
        )


def full_disk(stage: Stage) -> Iterator[None]:
    """A file fills the disk of the data folder."""
    if not os.path.ismount(stage.service.folder):
        raise LeftOut("it needs root, to mount a small disk")
    file = stage.service.folder / "fill"
    free = shutil.disk_usage(stage.service.folder).free
    file.write_bytes(b"x" * int(free * 0.95))
    yield
    file.unlink()


def slow_database(stage: Stage) -> Iterator[None]:
    """A table is locked again and again for two seconds."""

    def lock() -> None:
        with stage.locked("licenses"):
            time.sleep(2)
        time.sleep(0.2)

    with stage.load(stage.validate), stage.repeated(lock):
        yield


def exhausted_pool(stage: Stage) -> Iterator[None]:
    """A table is locked while operators ask for it."""
    with stage.locked("products"), stage.load(stage.list_products, clients=40):
        yield


def full_queue(stage: Stage) -> Iterator[None]:
    """Thousands of requests arrive at once, while the table of product keys is locked."""
    request = _request(stage, b'{"licenseKey":"x"}')

    def ask() -> None:
        with ExitStack() as opened, suppress(OSError):
            for _ in range(_REQUESTS):
                connection = opened.enter_context(socket.socket())
                connection.connect(("127.0.0.1", stage.service.port))
                connection.sendall(request)
            time.sleep(20)

    with stage.locked("product_keys"), stage.repeated(ask):
        yield


def idle_connections(stage: Stage) -> Iterator[None]:
    """Clients hold connections and send nothing."""
    limit = int(stage.service.variables["LICET_MAX_CONNECTIONS"])

    def hold() -> None:
        with ExitStack() as opened:
            for _ in range(2 * limit - 4):
                connection = opened.enter_context(socket.socket())
                connection.connect(("127.0.0.1", stage.service.port))
            time.sleep(9)

    with stage.repeated(hold):
        yield


def full_database(stage: Stage) -> Iterator[None]:
    """Another client opens nearly all connections of the database."""
    with ExitStack() as opened:
        with suppress(asyncpg.TooManyConnectionsError):
            for _ in range(100):
                opened.enter_context(stage.session())
        yield


def long_transaction(stage: Stage) -> Iterator[None]:
    """A session begins a transaction and leaves it open."""
    with stage.session("BEGIN", "SELECT 1"):
        yield


def locked_webhooks(stage: Stage) -> Iterator[None]:
    """The table of webhooks is locked, so that events cannot be dispatched."""
    with stage.locked("webhooks"):
        stage.issue(1)
        yield


def locked_chains(stage: Stage) -> Iterator[None]:
    """The table of audit chains is locked."""
    with stage.locked("audit_chains"):
        stage.issue(1)
        yield


@contextmanager
def _receiver(answer: bytes | None) -> Iterator[str]:
    """Run a receiver of webhooks that answers with this, or never."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                kept.append(connection)
                if answer is not None:
                    with suppress(OSError):
                        connection.recv(65536)
                        connection.sendall(answer)
                        connection.shutdown(socket.SHUT_RDWR)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/hook"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in kept:
            connection.close()


@contextmanager
def _webhook(stage: Stage, answer: bytes | None) -> Iterator[None]:
    with _receiver(answer) as url:
        body = {"url": url, "eventTypes": ["*"]}
        webhook = stage.vendor.ok("POST", "/api/webhooks", body)["id"]
        try:
            yield
        finally:
            stage.vendor.ok("DELETE", f"/api/webhooks/{webhook}")


def hanging_receiver(stage: Stage) -> Iterator[None]:
    """A receiver takes connections and never answers."""
    with _webhook(stage, None):
        stage.issue(40)
        yield


def failing_receiver(stage: Stage) -> Iterator[None]:
    """A receiver answers 500."""
    with _webhook(stage, b"HTTP/1.1 500 Oh\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"):
        stage.issue(10)
        yield


def absent_mail_server(stage: Stage) -> Iterator[None]:
    """The mail server is away."""
    with stage.service.client() as visitor:
        visitor.post("/api/auth/password-reset", json={"email": EMAIL}).raise_for_status()
    yield


def slow_bodies(stage: Stage) -> Iterator[None]:
    """Hundreds of clients send bodies of nearly 1 MB and do not finish."""
    size = _MEGABYTE - 100
    body = _request(stage, b"x" * (size - 1000), announced=size)
    with ExitStack() as opened:
        for _ in range(700):
            connection = opened.enter_context(socket.socket())
            connection.connect(("127.0.0.1", stage.service.port))
            connection.sendall(body)
        yield


def killed_processes(stage: Stage) -> Iterator[None]:
    """A process is killed again and again, whenever it has shown its start."""
    seen: set[str] = set()

    def kill() -> None:
        time.sleep(1.5)
        with suppress(httpx.HTTPError), stage.service.client() as client:
            starts = set(_STARTS.findall(client.get("/metrics").text))
            if starts - seen:
                seen.update(starts)
                os.kill(_workers(stage)[-1], signal.SIGKILL)

    with stage.repeated(kill):
        yield


def halting_processes(stage: Stage) -> Iterator[None]:
    """The processes stand still for more than a second, again and again."""

    def halt() -> None:
        workers = _workers(stage)
        for which, seconds in ((signal.SIGSTOP, 1.3), (signal.SIGCONT, 0.5)):
            for pid in workers:
                os.kill(pid, which)
            time.sleep(seconds)

    with stage.repeated(halt):
        yield


def stopped_service(stage: Stage) -> Iterator[None]:
    """The process stands still."""
    assert stage.service.process is not None
    pids = [stage.service.process.pid, *_workers(stage)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def _request(stage: Stage, body: bytes, announced: int | None = None) -> bytes:
    lines = (
        "POST /api/licenses/validate HTTP/1.1",
        "host: drill",
        f"x-api-key: {stage.vendor.api_key}",
        "content-type: application/json",
        f"content-length: {announced or len(body)}",
    )
    return "\r\n".join((*lines, "", "")).encode() + body


def _workers(stage: Stage) -> list[int]:
    """The processes that serve; multiprocessing has a helper of its own among the children."""
    assert stage.service.process is not None
    commands = {
        pid: Path(f"/proc/{pid}/cmdline").read_bytes()
        for pid in children_of(stage.service.process.pid)
    }
    return sorted(pid for pid, command in commands.items() if b"spawn_main" in command)


async def _connect(address: Address) -> asyncpg.Connection:
    return await asyncpg.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        database=address.database,
    )


def _as_superuser(stage: Stage, *statements: str) -> None:
    with asyncio.Runner() as runner:
        opened = runner.run(_connect(stage.database.admin))
        for statement in (*statements, "SELECT pg_reload_conf()"):
            runner.run(opened.execute(statement))
        runner.run(opened.close())


ONE_PROCESS: tuple[tuple[Fault, tuple[str, ...]], ...] = (
    (stopped_database, ("LicetDatabaseDown", "LicetServerErrors", "LicetJobStale")),
    (read_only_database, ("LicetDatabaseReadOnly",)),
    (full_disk, ("LicetDiskNearlyFull",)),
    (slow_database, ("LicetSlowRequests",)),
    (exhausted_pool, ("LicetPoolExhausted",)),
    (full_database, ("LicetDatabaseConnectionsNearlyFull",)),
    (long_transaction, ("LicetLongTransaction",)),
    (locked_webhooks, ("LicetEventsLate", "LicetJobFailing")),
    (locked_chains, ("LicetSealsLate",)),
    (hanging_receiver, ("LicetWebhooksLate",)),
    (failing_receiver, ("LicetWebhooksFailing",)),
    (absent_mail_server, ("LicetMailLate",)),
    (full_queue, ("LicetQueueFull",)),
    (slow_bodies, ("LicetMemoryHigh",)),
)
TWO_PROCESSES: tuple[tuple[Fault, tuple[str, ...]], ...] = (
    (idle_connections, ("LicetConnectionsNearlyFull",)),
    (halting_processes, ("LicetEventLoopSlow",)),
    (killed_processes, ("LicetProcessRestarts",)),
    (stopped_service, ("LicetDown",)),
)
