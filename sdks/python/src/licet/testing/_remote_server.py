"""A fake server and its remote control on one port."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from licet._clock import monotonic
from licet._device_key import base64url
from licet._transport import TransportReply, TransportRequest
from licet.testing._control import CONTROL_ERRORS, Control, NoSuchThingError
from licet.testing._json import to_json
from licet.testing._remote_faults import FaultPlan, RemoteFault
from licet.testing._router import path_of

CONTROL = "/control"
_LARGEST_BODY = 1 << 24
_LOOPBACK = ("127.", "::1", "::ffff:127.")
_CROSS_ORIGIN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Expose-Headers": "*",
}


class Backend(Protocol):
    """What is served: a fake server, or something else with the same control."""

    faults: FaultPlan

    def respond(self, request: TransportRequest) -> TransportReply: ...
    def record(self, entry: dict[str, Any]) -> None: ...
    def call(self, method: str, path: str, body: Mapping[str, Any]) -> Any: ...


class FakeHttpServer(ThreadingHTTPServer):
    """A fake server and its control.

    Args:
        host: The address to listen on.
        port: The port; 0 for any free one.
        remote_control: Whether other machines may use the control, too.
        control: What is served; by default a fake server.
    """

    daemon_threads = True

    def __init__(
        self,
        host: str,
        port: int,
        *,
        remote_control: bool = False,
        control: Backend | None = None,
    ) -> None:
        super().__init__((host, port), _Handler)
        self.control: Backend = control if control is not None else Control()
        self.remote_control = remote_control

    @property
    def base_url(self) -> str:
        """The address, without a path."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"


class _Handler(BaseHTTPRequestHandler):
    server: FakeHttpServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # send head and body in one packet, or the client waits for the second

    def respond(self) -> None:
        received = monotonic()
        request = self._request()
        if urlsplit(self.path).path.startswith(CONTROL):
            self._send(self._control(request))
        elif self.command == "OPTIONS":
            self._send(TransportReply(204, _CROSS_ORIGIN, b""))
        else:
            self._serve(request, received)

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = respond  # noqa: N815 - http.server's

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # the client has closed the connection
            super().handle()

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()

    def _serve(self, request: TransportRequest, received: float) -> None:
        path = path_of(request.url)
        fault = self.server.control.faults.take(path)
        reply = (
            self.server.control.respond(request)
            if fault is None
            else fault.apply(request, self.server.control.respond)
        )
        self.server.control.record(_entry(request, path, received, reply))
        self._send_with(reply, fault or RemoteFault())

    def _send_with(self, reply: TransportReply | None, fault: RemoteFault) -> None:
        time.sleep(fault.delay_seconds)
        if reply is None:
            self.close_connection = True  # the client sees a lost connection
            return
        cross_origin = replace(reply, headers={**reply.headers, **_CROSS_ORIGIN})
        try:
            self._send(cross_origin, fault)
            self.wfile.flush()
        except OSError:
            self.close_connection = True  # the client did not wait

    def _control(self, request: TransportRequest) -> TransportReply:
        if not self.server.remote_control and not self.client_address[0].startswith(_LOOPBACK):
            return _json(403, {"error": "the control is for this machine only"})
        path = urlsplit(self.path).path.removeprefix(CONTROL)
        try:
            body = json.loads(request.body) if request.body else {}
            return _json(200, self.server.control.call(self.command, path, body))
        except NoSuchThingError:
            return _json(404, {"error": f"there is no {self.command} {path}"})
        except CONTROL_ERRORS as error:
            return _json(400, {"error": str(error) or type(error).__name__})

    def _request(self) -> TransportRequest:
        length = min(int(self.headers.get("Content-Length") or 0), _LARGEST_BODY)
        body = self.rfile.read(length)
        headers = {
            name: value.encode("latin-1", "replace").decode("utf-8", "replace")
            for name, value in self.headers.items()
        }
        url = f"http://{self.headers.get('Host', 'licet.test')}{self.path}"
        return TransportRequest(self.command, url, headers, body, 0)

    def _send(self, reply: TransportReply, fault: RemoteFault | None = None) -> None:
        self.send_response_only(reply.status)
        if "date" not in reply.headers:
            self.send_header("Date", self.date_time_string())
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        body = reply.body if fault is None else reply.body[: fault.cut_after]
        if fault is not None and fault.drip_seconds:
            self._drip(body, fault.drip_seconds)
        else:
            self.wfile.write(body)
        self.close_connection = self.close_connection or len(body) < len(reply.body)

    def _drip(self, body: bytes, pause: float) -> None:
        self.wfile.flush()
        for position in range(len(body)):
            time.sleep(pause)
            self.wfile.write(body[position : position + 1])
            self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def _entry(
    request: TransportRequest, path: str, received: float, reply: TransportReply | None
) -> dict[str, Any]:
    try:
        body = json.loads(request.body) if request.body else None
    except ValueError:
        body = None
    return {
        "method": request.method,
        "path": path,
        "query": dict(parse_qsl(urlsplit(request.url).query)),
        "headers": {name.lower(): value for name, value in request.headers.items()},
        "body": body,
        "bodyHash": _hash(request.body) if request.body else None,
        "receivedSeconds": received,
        "status": None if reply is None else reply.status,
    }


def _hash(body: bytes) -> str:
    """The hash of a body, as a proof has it."""
    return base64url(hashlib.sha256(body).digest())


def _json(status: int, content: Any) -> TransportReply:
    text = to_json({} if content is None else content)
    return TransportReply(status, {"content-type": "application/json"}, text.encode())
