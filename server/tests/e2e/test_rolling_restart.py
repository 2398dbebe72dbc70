"""Two nodes behind HAProxy, restarted one after the other: no request is lost."""

import asyncio
import base64
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from e2e.keepalive import Client, Told, live
from e2e.process import NewService, Service, eventually, free_port

HAPROXY = shutil.which("haproxy")
CLIENTS = [Client()] * 8 + [Client(pause_s=0.5)] * 16 + [Client(keeps=False)] * 4
CONFIGURATION = """
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend all
    bind 127.0.0.1:{port}
    default_backend licet
backend licet
    option httpchk GET /health/ready
    option redispatch
    retries 3
    default-server check inter 1s fall 2 rise 1
{servers}
"""


@contextmanager
def _proxy(folder: Path, nodes: list[Service]) -> Iterator[int]:
    """Run HAProxy before these nodes, as docs/operations.md has it, and yield its port."""
    port, file = free_port(), folder / "haproxy.cfg"
    servers = (f"    server node{node.port} 127.0.0.1:{node.port}" for node in nodes)
    file.write_text(CONFIGURATION.format(port=port, servers="\n".join(servers)))
    process = subprocess.Popen(
        [str(HAPROXY), "-db", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield port
    finally:
        process.terminate()
        process.wait(30)


async def _restart_under_load(port: int, nodes: list[Service]) -> Told:
    told, stop = Told(), asyncio.Event()
    clients = [asyncio.create_task(live(client, port, told, stop)) for client in CLIENTS]
    for node in nodes:
        await asyncio.to_thread(_restart, node, told)
    stop.set()
    await asyncio.wait_for(asyncio.gather(*clients), 30)
    return told


def _restart(node: Service, told: Told) -> None:
    before = told.answered
    eventually(lambda: told.answered >= before + 200, "the load runs")
    assert node.stop() == 0
    node.start("--workers", 2)
    with node.client() as client:  # the proxy has to see that it is back
        asked = _checks_answered(client.get("/metrics").text)
        eventually(
            lambda: _checks_answered(client.get("/metrics").text) > asked + 1, "the proxy looks"
        )


def _checks_answered(metrics: str) -> float:
    lines = (line for line in metrics.splitlines() if 'route="/health/ready"' in line)
    return sum(float(line.split()[-1]) for line in lines if "requests_total" in line)


@pytest.mark.slow
@pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed")
def test_a_rolling_restart_loses_no_request(
    new_service: NewService, new_database: Callable[[], str], tmp_path: Path
) -> None:
    shared = {
        "DATABASE_URL": new_database(),
        "LICET_MASTER_KEY": base64.b64encode(secrets.token_bytes(32)).decode(),
    }
    nodes = [new_service(**shared) for _ in range(2)]
    for node in nodes:
        node.start("--workers", 2)
    with _proxy(tmp_path, nodes) as port:
        eventually(lambda: _is_up(port), "the proxy serves")
        told = asyncio.run(_restart_under_load(port, nodes))
    assert not told.refused
    assert not told.lost, (len(told.lost), told.lost[:3])


def _is_up(port: int) -> bool:
    told = Told()

    async def ask() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(live(Client(keeps=False), port, told, stop))
        await asyncio.sleep(0.3)
        stop.set()
        await task

    asyncio.run(ask())
    return told.answered > 0 and not told.lost
