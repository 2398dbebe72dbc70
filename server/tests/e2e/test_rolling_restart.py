"""Two nodes behind HAProxy, restarted one after the other: no request is lost."""

import asyncio
import base64
import secrets
from collections.abc import Callable
from pathlib import Path

from e2e.balancer import balanced
from e2e.keepalive import Client, Told, live
from e2e.process import NewService, Service
from outside_programs import required
from patience import PATIENCE_S, eventually
from volumes import is_long

TIMES = 4 if is_long() else 1
CLIENTS = [*[Client()] * 2, *[Client(pause_s=0.5)] * 4, Client(keeps=False)] * TIMES


async def _restart_under_load(port: int, nodes: list[Service]) -> Told:
    told, stop = Told(), asyncio.Event()
    clients = [asyncio.create_task(live(client, port, told, stop)) for client in CLIENTS]
    for node in nodes:
        await asyncio.to_thread(_restart, node, told)
    stop.set()
    await asyncio.wait_for(asyncio.gather(*clients), PATIENCE_S)
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


@required("haproxy")
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
    with balanced(nodes, tmp_path) as port:
        told = asyncio.run(_restart_under_load(port, nodes))
    assert not told.refused
    assert not told.lost, (len(told.lost), told.lost[:3])
