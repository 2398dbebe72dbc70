"""What a drill is done to: two Licet nodes behind HAProxy, on a cluster of two PostgreSQL nodes."""

import asyncio
import base64
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.balancer import balanced
from e2e.process import ADMIN, Service
from patience import eventually
from shared_postgres import create_folder

from drills.cluster import Cluster, running_cluster
from drills.network import Network


@dataclass(frozen=True, slots=True)
class Installation:
    """The parts, and the port of the proxy."""

    cluster: Cluster
    nodes: list[Service]
    port: int


@contextmanager
def running_installation(network: Network) -> Iterator[Installation]:
    """Start everything; at the end nothing is left of it."""
    with ExitStack() as stack:
        cluster, credentials = stack.enter_context(running_cluster(network))
        asyncio.run(cluster.create_database(credentials))
        folder = create_folder("licet-nodes-")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        nodes = [_node(stack, cluster.url, variables) for variables in _settings(folder)]
        port = stack.enter_context(balanced(nodes, folder))
        yield Installation(cluster, nodes, port)


def _settings(folder: Path) -> list[dict[str, str]]:
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    shared = {
        **ADMIN,
        "LICET_MASTER_KEY": key,
        "LICET_STORAGE_URL": f"file://{folder}/files",
        "LICET_TRUSTED_PROXIES": "127.0.0.1",
    }
    return [shared, shared]


def _node(stack: ExitStack, url: str, variables: dict[str, str]) -> Service:
    service = Service({"DATABASE_URL": url, **variables})
    stack.callback(service.remove)
    service.begin()
    eventually(service.is_ready, "the node is ready")
    return service
