"""The faults behind the alerts, each done in earnest to a service on this machine."""

import json
import os
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import asyncpg
import httpx
from e2e.process import EMAIL
from standardwebhooks import Webhook

from drills.stage import Stage
from licet_server.kit.clock import system_clock

_STARTS = re.compile(r"^licet_process_start_timestamp_seconds\{.*$", re.MULTILINE)
_MEGABYTE = 2**20
_REQUESTS = 5_600
"""More than fit into a queue, and fewer than the service takes connections."""


class LeftOut(Exception):
    """The fault cannot be provoked here."""


Fault = Callable[[Stage], Iterator[None]]


def stopped_database(stage: Stage) -> Iterator[None]:
    """The database is stopped, while applications send requests."""
    with stage.load(stage.validate):
        stage.database.__exit__(None, None, None)
        try:
            yield
        finally:
            stage.database.__enter__()


def read_only_database(stage: Stage) -> Iterator[None]:
    """Changes are turned off."""
    stage.run_as_superuser("ALTER SYSTEM SET default_transaction_read_only = on")
    try:
        yield
    finally:
        stage.run_as_superuser(
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
    """A table is locked while operators request it."""
    with stage.locked("products"), stage.load(stage.list_products, clients=40):
        yield


def full_queue(stage: Stage) -> Iterator[None]:
    """Thousands of requests arrive at once, while the table of product keys is locked."""
    request = stage.request(b'{"licenseKey":"x"}')

    def send() -> None:
        with ExitStack() as opened, suppress(OSError):
            for _ in range(_REQUESTS):
                connection = opened.enter_context(socket.socket())
                connection.connect(("127.0.0.1", stage.service.port))
                connection.sendall(request)
            time.sleep(20)

    with stage.locked("product_keys"), stage.repeated(send):
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


def locked_references(stage: Stage) -> Iterator[None]:
    """The table of the shops' names of orders is locked, so that events cannot be read."""
    body = {"kind": "Generic", "name": "Drill"}
    connector = stage.vendor.ok("POST", "/api/connectors", body)
    with stage.locked("order_references"):
        _sell(stage, connector["inboxUrl"], connector["signingSecret"])
        yield
    stage.vendor.ok("DELETE", f"/api/connectors/{connector['id']}")


def _sell(stage: Stage, inbox_url: str, secret: str) -> None:
    now = system_clock()
    event = {
        "type": "order.paid",
        "timestamp": now.isoformat(),
        "data": {"id": "4711", "lines": [{"product": "aurora"}]},
    }
    text = json.dumps(event)
    headers = {
        "content-type": "application/json",
        "webhook-id": "msg_4711",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("msg_4711", now, text),
    }
    with stage.service.client() as client:
        answer = client.post(urlsplit(inbox_url).path, content=text, headers=headers)
        answer.raise_for_status()


@contextmanager
def _receiver(response: bytes | None) -> Iterator[str]:
    """Run a receiver of webhooks that responds with this, or never."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                kept.append(connection)
                if response is not None:
                    with suppress(OSError):
                        connection.recv(65536)
                        connection.sendall(response)
                        connection.shutdown(socket.SHUT_RDWR)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/hook"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in kept:
            connection.close()


@contextmanager
def _webhook(stage: Stage, response: bytes | None) -> Iterator[None]:
    with _receiver(response) as url:
        body = {"url": url, "eventTypes": ["*"]}
        webhook = stage.vendor.ok("POST", "/api/webhooks", body)["id"]
        try:
            yield
        finally:
            stage.vendor.ok("DELETE", f"/api/webhooks/{webhook}")


def hanging_receiver(stage: Stage) -> Iterator[None]:
    """A receiver accepts connections and never responds."""
    with _webhook(stage, None):
        stage.issue(40)
        yield


def failing_receiver(stage: Stage) -> Iterator[None]:
    """A receiver responds with 500."""
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
    body = stage.request(b"x" * (size - 1000), announced=size)
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
                os.kill(stage.workers()[-1], signal.SIGKILL)

    with stage.repeated(kill):
        yield


def halting_processes(stage: Stage) -> Iterator[None]:
    """The processes stand still for more than a second, again and again."""

    def halt() -> None:
        workers = stage.workers()
        for which, seconds in ((signal.SIGSTOP, 1.3), (signal.SIGCONT, 0.5)):
            for pid in workers:
                os.kill(pid, which)
            time.sleep(seconds)

    with stage.repeated(halt):
        yield


def stopped_service(stage: Stage) -> Iterator[None]:
    """The process stands still."""
    assert stage.service.process is not None
    pids = [stage.service.process.pid, *stage.workers()]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


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
    (locked_references, ("LicetOrdersLate",)),
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
