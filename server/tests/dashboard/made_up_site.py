"""Made-up pages, in the place of the dashboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>Aurora</title>"
POLICY = "default-src 'self'; script-src 'nonce-abc'; style-src 'nonce-abc'"


@dataclass
class Site:
    """Made-up pages on a real socket, under a strict policy."""

    address: str = ""
    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    unended: str = ""
    """The path whose answer lacks its last byte, as long as the page is open."""

    def shows(self, body: str, path: str = "/") -> None:
        self.answers[path] = (200, f"{HEAD}<main><h1>Aurora</h1>{body}</main>")

    def runs(self, script: str) -> None:
        self.shows(f"<script nonce=abc>{script}</script>")


@contextmanager
def serving(site: Site) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = site.answers.get(self.path, (404, "{}"))
            site.asked.append(self.path)
            self.send_response(status)
            if self.path.endswith(".js"):
                self.send_header("content-type", "text/javascript")
                self.send_header("cache-control", "max-age=600, immutable")
            else:
                kind = "text/html" if "<" in text else "application/json"
                self.send_header("content-type", kind)
            self.send_header("content-security-policy", POLICY)
            lacks = self.path == site.unended
            self.send_header("content-length", str(len(text.encode()) + lacks))
            self.end_headers()
            self.wfile.write(text.encode())
            if lacks:
                self.rfile.read(1)

        do_POST = do_GET  # noqa: N815 - the names are the library's

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    site.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
