"""``licet-fake``: the fake server as a command, for applications in any language."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys

from licet.testing._remote_server import CONTROL, FakeHttpServer
from licet.testing._router import PREFIX


def main(arguments: list[str] | None = None) -> int:
    """Serve until the process is ended. The first line printed is a JSON object: the addresses."""
    parser = argparse.ArgumentParser(prog="licet-fake", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=0, help="the port; by default any free one")
    parser.add_argument(
        "--remote-control",
        action="store_true",
        help="let other machines use the control; anybody who reaches the port then can",
    )
    given = parser.parse_args(arguments)
    with FakeHttpServer(given.host, given.port, remote_control=given.remote_control) as server:
        base = server.base_url
        addresses = {"serverBaseEndpoint": base + PREFIX, "control": base + CONTROL}
        print(json.dumps(addresses), flush=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
