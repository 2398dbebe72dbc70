"""HAProxy in front of nodes, with the very configuration that operators get."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from e2e.process import NO_TLS, Service, free_port
from outside_programs import found
from patience import PATIENCE_S, eventually

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "haproxy.cfg"


@contextmanager
def balanced(nodes: Sequence[Service], folder: Path) -> Iterator[int]:
    """Run HAProxy in front of two nodes, and yield its port once it passes requests on."""
    one, two = (f"127.0.0.1:{node.port}" for node in nodes)
    port = free_port()
    variables = {"BIND": f"127.0.0.1:{port}", "NODE_ONE": one, "NODE_TWO": two}
    with (folder / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(
            [found("haproxy"), "-db", "-f", CONFIGURATION],
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        eventually(lambda: _passes_on(port), "the proxy passes requests on")
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _passes_on(port: int) -> bool:
    try:
        with httpx.Client(verify=NO_TLS, trust_env=False) as client:
            return client.get(f"http://127.0.0.1:{port}/health/ready").is_success
    except httpx.TransportError:
        return False
