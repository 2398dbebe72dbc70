"""What a client writes into headers or trailers never passes for what the proxy knows.

Real proxies with the files of deploy/ pass requests on to a connection of the service, which says
what it took them for.
"""

import asyncio
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from deploy.proxies import PROXIES
from e2e.process import free_port
from litestar.types import Receive, Scope, Send
from outside_programs import found, required
from patience import PATIENCE_S, eventually

from licet_server.kit.clock import system_clock
from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits
from licet_server.kit.web.context import new_context
from licet_server.kit.web.heads import combined

CLIENT = "127.0.0.2"
"""Another address than the proxy's, which is trusted."""

EVIL = "10.66.66.66"
FORGED = {
    "X-Forwarded-For": f"203.0.113.5, {EVIL}",
    "x-forwarded-for": EVIL,
    "X-Forwarded-Host": f"{EVIL}.example",
    "X-Forwarded-Port": "6666",
    "X-Forwarded-Prefix": f"/{EVIL}",
    "X-Forwarded-Server": EVIL,
    "Forwarded": f"for={EVIL};proto=https",
    "X-Real-IP": EVIL,
    "traceparent": "00-66666666666666666666666666666666-6666666666666666-01",
    "tracestate": "evil=6666",
    "baggage": "evil=6666",
}
SCHEMES = {"http": "https", "https": "http"}
"""What a proxy is asked by, and what a client claims."""


class Mirror:
    """Responds with what it took a request for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while True:
            message: Any = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = combined(scope["headers"])
        settings = SimpleNamespace(
            trusted_proxies=(ip_network("127.0.0.1/32"),), is_public_over_https=False
        )
        platform: Any = SimpleNamespace(settings=settings, clock=system_clock)
        context = new_context(scope, headers, platform)
        found = {
            "address": context.address,
            "secure": context.secure,
            "body": body.decode(),
            "headers": [[name.decode(), value.decode()] for name, value in scope["headers"]],
        }
        content = json.dumps(found).encode()
        length = (b"content-length", b"%d" % len(content))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": content, "more_body": False})


@contextmanager
def mirror() -> Iterator[int]:
    port = free_port()
    protocol: Any = partial(BoundedConnection, limits=ConnectionLimits())
    config = uvicorn.Config(
        Mirror(), port=port, http=protocol, lifespan="off", ws="none", log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=asyncio.run, args=(server._serve(),))
    thread.start()
    try:
        eventually(lambda: server.started, "the node listens")
        yield port
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def node() -> Iterator[int]:
    with mirror() as port:
        yield port


def send(port: int, scheme: str, request: bytes) -> tuple[int, Any]:
    """Send bytes as a client, and return the status and what the node took the request for."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S, (CLIENT, 0)) as plain:
        connection = plain
        if scheme == "https":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = context.wrap_socket(plain, server_hostname="localhost")
        with connection:
            connection.sendall(request)
            received = b"".join(iter(partial(connection.recv, 65536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    return status, json.loads(body) if status == 200 else None


def request(port: int, line: str, *lines: str) -> str:
    return "\r\n".join([line, f"Host: localhost:{port}", *lines, "Connection: close", "", ""])


def wait_for(port: int, scheme: str) -> None:
    def passes() -> bool:
        try:
            return send(port, scheme, request(port, "GET / HTTP/1.1").encode())[0] == 200
        except (OSError, IndexError):
            return False

    eventually(passes, "the proxy passes requests on", 60)


def check(taken: Any, scheme: str) -> None:
    assert taken["address"] == CLIENT, taken
    assert taken["secure"] is (scheme == "https"), taken
    for name, value in taken["headers"]:
        assert not any(sign in value for sign in (EVIL, "6666", "evil")), (name, value)
    values = [value for name, value in taken["headers"] if name == "x-forwarded-proto"]
    assert values == [scheme]


def lines_of(headers: dict[str, str]) -> list[str]:
    return [f"{name}: {value}" for name, value in headers.items()]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=required(name, "openssl", "curl")) for name in PROXIES]
)
def test_a_proxy_passes_on_what_it_knows_alone(name: str, scheme: str, node: int) -> None:
    forged = lines_of(FORGED | {"X-Forwarded-Proto": SCHEMES[scheme]})
    with PROXIES[name](node, scheme) as (port, _):
        wait_for(port, scheme)
        status, taken = send(port, scheme, request(port, "GET / HTTP/1.1", *forged).encode())
        assert status == 200
        check(taken, scheme)
        chunked = request(port, "POST / HTTP/1.1", "Transfer-Encoding: chunked") + "2\r\n{}\r\n"
        secrets = ["Authorization: Bearer evil", "X-API-KEY: evil"]
        end = "\r\n".join(["0", *forged, *secrets, "", ""])
        status, taken = send(port, scheme, (chunked + end).encode())
        if status == 200:  # a proxy may refuse trailers
            check(taken, scheme)
            assert taken["body"] == "{}"
        for ambiguous in (
            request(port, "GET / HTTP/1.1", "Host: evil.example"),
            request(port, "GET / HTTP/1.1", "Authorization: a", "Authorization: b"),
            request(port, "POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked") + "0\r\n\r\n",
        ):
            status, taken = send(port, scheme, ambiguous.encode())
            assert status >= 400, taken
        if scheme == "https":
            check(over_http2(port, forged), scheme)


def over_http2(port: int, headers: list[str]) -> Any:
    given = [word for line in headers for word in ("--header", line)]
    ended = subprocess.run(
        [
            *(found("curl"), "--silent", "--show-error", "--insecure", "--noproxy", "*"),
            *("--http2", "--interface", CLIENT, "--write-out", "%{stderr}%{http_version}", *given),
            *("--resolve", f"localhost:{port}:127.0.0.1", f"https://localhost:{port}/"),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert ended.stderr == "2"
    return json.loads(ended.stdout)
