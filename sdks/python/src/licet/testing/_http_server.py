"""The fake on a loopback port, for applications that do not accept a transport."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from licet._transport import TransportReply, TransportRequest
from licet.errors import NetworkError
from licet.testing._network import Network
from licet.testing._router import PREFIX

_LARGEST_BODY = 1 << 20


@contextmanager
def serve(network: Network) -> Iterator[str]:
    """Serve the fake on a loopback port; yields the base address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(network)) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_address[1]}{PREFIX}"
        finally:
            http.shutdown()
            thread.join()


def _handler(network: Network) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # send head and body in one packet, or the client waits for the second

        def respond(self) -> None:
            request = self._request()
            try:
                reply = network.send(request)
            except NetworkError:
                self.close_connection = True  # the client sees a lost connection
                return
            self._reply(reply)

        do_GET = do_POST = do_PUT = do_DELETE = respond  # noqa: N815 - http.server's names

        def _request(self) -> TransportRequest:
            length = min(int(self.headers.get("Content-Length") or 0), _LARGEST_BODY)
            body = self.rfile.read(length)
            headers = {name: _utf8(value) for name, value in self.headers.items()}
            url = f"http://{self.headers.get('Host', 'licet.test')}{self.path}"
            return TransportRequest(self.command, url, headers, body, 0)

        def _reply(self, reply: TransportReply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 204:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    return Handler


def _utf8(value: str) -> str:
    """The library reads the bytes of a header as Latin-1."""
    return value.encode("latin-1", "replace").decode("utf-8", "replace")
