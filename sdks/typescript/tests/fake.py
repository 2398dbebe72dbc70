"""The fake license server for the tests of the TypeScript SDK: on a port, with remote control.

Prints its address, and ends with its standard input. `POST /control` calls a method of the server,
of a license, or of one of its devices or leases. Files of the SDK are served below `/sdk/`, for
pages.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from licet import NetworkError, TransportRequest
from licet.testing import FakeServer

FOLDER = Path(__file__).parent.parent
TYPES = {".js": "text/javascript", ".html": "text/html"}


class World:
    """The present fake server and its licenses."""

    def __init__(self) -> None:
        self.renew({})

    def renew(self, options: dict[str, Any]) -> dict[str, Any]:
        self.server = FakeServer(**options)
        self.licenses: dict[str, Any] = {}
        return {
            "productId": self.server.product_id,
            "publicKey": self.server.public_key,
            "apiKey": self.server.api_key,
        }

    def control(self, order: dict[str, Any]) -> Any:
        if "new" in order:
            return self.renew(order["new"])
        if "issue" in order:
            issued = self.server.issue(order["issue"], **readable(order.get("terms", {})))
            self.licenses[issued.key] = issued
            return issued.key
        target: Any = self.server
        if "license" in order:
            target = self.licenses[order["license"]]
        if "device" in order:
            target = target.devices[order["device"]]
        if "lease" in order:
            target = target.leases[order["lease"]]
        if "set" in order:
            return setattr(target, order["set"], order["value"])
        found = getattr(target, order["name"])
        if callable(found):
            return found(*readable(order.get("args", [])), **readable(order.get("terms", {})))
        return found


def readable(value: Any) -> Any:
    """What JSON cannot say: durations and bytes."""
    if isinstance(value, list):
        return [readable(item) for item in value]
    if isinstance(value, dict) and "$days" in value:
        return timedelta(days=value["$days"])
    if isinstance(value, dict) and "$bytes" in value:
        return value["$bytes"].encode() * value.get("times", 1)
    if isinstance(value, dict):
        return {name: readable(item) for name, item in value.items()}
    return value


def writable(value: Any) -> Any:
    """What JSON does not know: the public facts of an object, else its text."""
    kind = type(value)
    names = [name for name in dir(kind) if isinstance(getattr(kind, name), property)]
    if dataclasses.is_dataclass(value):
        names += [field.name for field in dataclasses.fields(value)]
    public = [name for name in names if not name.startswith("_")]
    return {name: getattr(value, name) for name in public} if public else str(value)


WORLD = World()
LOCK = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def respond(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/control":
            with LOCK:
                result = WORLD.control(json.loads(body))
            content = json.dumps(result, default=writable).encode()
            self.send(200, {"content-type": "application/json"}, content)
        elif self.path.lower().startswith("/api/"):
            self.forward(body)
        else:
            self.serve_file()

    def do_OPTIONS(self) -> None:
        """Answer pages of other origins, as the license server does."""
        self.send(
            204, {"access-control-allow-headers": "*", "access-control-allow-origin": "*"}, b""
        )

    do_GET = do_POST = do_PUT = do_DELETE = respond  # noqa: N815 - http.server's names

    def forward(self, body: bytes) -> None:
        url = f"http://{self.headers['Host']}{self.path}"
        headers = {name: value.encode("latin-1").decode() for name, value in self.headers.items()}
        request = TransportRequest(self.command, url, headers, body, 0)
        try:
            reply = WORLD.server.transport.send(request)
        except NetworkError:
            self.close_connection = True  # the client sees a lost connection
            return
        headers = {**reply.headers, "access-control-allow-origin": "*"}
        self.send(reply.status, headers, reply.body)

    def serve_file(self) -> None:
        path = (FOLDER / self.path.removeprefix("/sdk/")).resolve()
        if self.path.partition("?")[0] == "/page":
            policy = unquote(self.path.partition("?csp=")[2]) or "frame-ancestors 'none'"
            headers = {"content-type": "text/html", "content-security-policy": policy}
            self.send(200, headers, b"<!doctype html><title>Page</title>")
        elif path.is_relative_to(FOLDER) and path.is_file():
            # A sandboxed page is of no origin.
            headers = {"access-control-allow-origin": "*"}
            headers["content-type"] = TYPES.get(path.suffix, "text/plain")
            self.send(200, headers, path.read_bytes())
        else:
            self.send(404, {"content-type": "text/plain"}, b"Nothing here.")

    def send(self, status: int, headers: Any, content: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        threading.Thread(target=http.serve_forever, args=(0.05,), daemon=True).start()
        print(http.server_address[1], flush=True)
        sys.stdin.read()
