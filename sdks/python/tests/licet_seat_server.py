"""A loopback server for activations and sessions, with seats and fault injection."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from licet_testkit import API_KEY, HARDWARE, LICENSE_KEY, PRODUCT, PUBLIC_KEY, problem

from licet import AsyncSeat, AsyncSession, LicenseClient, LicetError, Seat, Session

Answer = tuple[int, dict[str, str], bytes]
DEADLINE = 150.0
"""How long tests wait for what has to happen; a green run never comes near it."""


class DropConnection(Exception):
    """Close the connection without a response."""


@dataclass
class RecordedRequest:
    method: str
    route: str
    body: dict[str, Any]
    at: float
    headers: dict[str, str] = field(repr=False)


def response(status: int, content: Any = None) -> Answer:
    body = b"" if content is None else json.dumps(content).encode()
    return status, {"Content-Type": "application/json"}, body


class SeatServer:
    """Implements the API. ``fault`` is called first and may respond, raise or hang."""

    def __init__(self) -> None:
        self.requests: list[RecordedRequest] = []
        self.sessions: dict[str, str] = {}
        self.activated: set[str] = set()
        self.seats_total: int | None = None
        self.interval: float = 0.1
        self.timeout: float = 60.0
        self.needs_activation = False
        self.pending = False
        self.fault: Callable[[RecordedRequest], Answer | None] = lambda _: None
        self._session_count = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/api"

    def all(self, route: str) -> list[RecordedRequest]:
        return [request for request in list(self.requests) if request.route == route]

    def count(self, route: str) -> int:
        return len(self.all(route))

    def drop_sessions(self) -> None:
        with self._lock:
            self.sessions.clear()

    # Faults.

    def disconnect(self) -> None:
        def refuse(_: RecordedRequest) -> Answer | None:
            raise DropConnection

        self.fault = refuse

    def reconnect(self) -> None:
        self.fault = lambda _: None

    def hang(self) -> None:
        def wait(_: RecordedRequest) -> Answer | None:
            self._ended.wait(60)
            raise DropConnection

        self.fault = wait

    def let_go(self) -> None:
        """Drop the connections that hang."""
        self._ended.set()

    def refuse(self, route: str, reply: Answer) -> None:
        self.fault = lambda request: reply if request.route == route else None

    # Routes.

    def _reply(self, request: RecordedRequest) -> Answer:
        self.requests.append(request)
        fault = self.fault(request)
        if fault is not None:
            return fault
        if request.headers.get("x-api-key") != API_KEY:
            return problem(401, "Unauthorized")
        with self._lock:
            return {
                "activations": self._activate,
                "current": self._deactivate,
                "connect": self._connect,
                "heartbeat": self._heartbeat,
                "disconnect": self._disconnect,
            }[request.route](request.body)

    def _activate(self, body: dict[str, Any]) -> Answer:
        content = {
            "activationId": "activation-1",
            "status": "Pending" if self.pending else "Active",
            "seatsUsed": len(self.activated | {body["hardwareId"]}),
            "seatsTotal": self.seats_total,
            "activatedAt": None if self.pending else "2026-06-01T12:00:00Z",
        }
        if self.pending:
            return response(202, content)
        status = 200 if body["hardwareId"] in self.activated else 201
        self.activated.add(body["hardwareId"])
        return response(status, content)

    def _deactivate(self, body: dict[str, Any]) -> Answer:
        if body["hardwareId"] not in self.activated:
            return problem(404, "ActivationNotFound")
        self.activated.discard(body["hardwareId"])
        return response(204)

    def _connect(self, body: dict[str, Any]) -> Answer:
        if self.needs_activation and body["hardwareId"] not in self.activated:
            return problem(403, "ActivationRequired")
        instance = body["instanceId"]
        for session_id in [
            session_id for session_id, of in self.sessions.items() if of == instance
        ]:
            del self.sessions[session_id]
        if self.seats_total is not None and len(self.sessions) >= self.seats_total:
            return self.full()
        self._session_count += 1
        session_id = f"session-{self._session_count}"
        self.sessions[session_id] = instance
        return response(
            201,
            {
                "sessionId": session_id,
                "expiresAt": "2026-06-01T12:01:30Z",
                "heartbeatIntervalSeconds": self.interval,
                "sessionTimeoutSeconds": self.timeout,
                "seatsUsed": len(self.sessions),
                "seatsTotal": self.seats_total,
            },
        )

    def full(self) -> Answer:
        used = {"seatsUsed": self.seats_total, "seatsTotal": self.seats_total}
        content = {"status": 409, "errorCode": "MaxConcurrentSessionsReached", **used}
        return 409, {"Content-Type": "application/problem+json"}, json.dumps(content).encode()

    def _heartbeat(self, body: dict[str, Any]) -> Answer:
        if body["sessionId"] not in self.sessions:
            return problem(404, "SessionNotFound")
        return response(
            200,
            {
                "sessionId": body["sessionId"],
                "expiresAt": "2026-06-01T12:02:00Z",
                "heartbeatIntervalSeconds": self.interval,
            },
        )

    def _disconnect(self, body: dict[str, Any]) -> Answer:
        if self.sessions.pop(body["sessionId"], None) is None:
            return problem(404, "SessionNotFound")
        return response(204)

    # HTTP.

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                route = self.path.rsplit("/", 1)[1]
                request = RecordedRequest(self.command, route, body, time.monotonic(), headers)
                try:
                    status, sent, content = server._reply(request)
                except DropConnection:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in sent.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_DELETE(self) -> None:
                self.do_POST()

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._http.shutdown()
        self._http.server_close()


def wait_for(condition: Callable[[], object], route: str = "") -> None:
    """Wait until a condition holds, even on a slow machine."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"timed out waiting for: {route or condition}")
        time.sleep(0.01)


def is_alive(session: Session | AsyncSession | Seat | AsyncSeat) -> bool:
    """Read ``alive`` again; type checkers assume that an attribute does not change by itself."""
    return session.alive


def seat_options(server: SeatServer, folder: Path, **options: Any) -> dict[str, Any]:
    return {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "license_key": LICENSE_KEY,
        "api_key": API_KEY,
        "server_base_endpoint": server.base,
        "license_file": folder / "license.bin",
        "hardware_id": HARDWARE,
        "timeout": 5.0,
        **options,
    }


class CallbackRecorder:
    """Records the callbacks of a session."""

    def __init__(self) -> None:
        self.lost: list[LicetError] = []
        self.regained: list[Any] = []

    def session(self, client: LicenseClient) -> Session:
        return client.session(on_lost=self.lost.append, on_regained=self.regained.append)


HEAD = """
import asyncio, os, signal, sys, threading, time
from pathlib import Path
from licet import AsyncLicenseClient, LicenseClient

options = dict(
    product_id={product!r}, public_key={public_key!r}, license_key={license_key!r},
    api_key={api_key!r}, server_base_endpoint={base!r}, hardware_id={hardware!r},
    license_file=Path({folder!r}) / "license.bin", timeout=5.0,
)

if os.name == "posix":
    # As at a terminal, whatever runs the tests: nohup, a job in the background, a process that
    # has blocked signals.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())

def say(word):
    print(word, flush=True)

def wait():
    # One long sleep would go on after a signal that arrives just before it begins.
    while True:
        time.sleep(0.05)
"""


class Program:
    """A process that runs an application and prints lines."""

    def __init__(
        self, server: SeatServer, folder: Path, text: str, *, prefix: Sequence[str] = ()
    ) -> None:
        head = HEAD.format(
            product=PRODUCT,
            public_key=PUBLIC_KEY,
            license_key=LICENSE_KEY,
            api_key=API_KEY,
            base=server.base,
            folder=str(folder),
            hardware=HARDWARE,
        )
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-c", head + text],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self, number: int | None = None) -> int:
        """Send a signal, if any, and wait for the process to exit."""
        if number is not None:
            self.process.send_signal(number)
        self.out, self.err = self.process.communicate(timeout=DEADLINE * 2)
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
