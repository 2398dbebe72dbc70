"""Two nodes on one PostgreSQL behind HAProxy, with the configuration in deploy/."""

import base64
import secrets
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from e2e.balancer import balanced
from e2e.load import issuing, stored_licenses
from e2e.process import ADMIN, EMAIL, NO_TLS, PASSWORD, NewService, Service, free_port, run
from e2e.vendor import make_vendor
from outside_programs import required
from patience import PATIENCE_S, eventually

pytestmark = required("haproxy")

TOKEN = "a token for the metrics"


def new_key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


@dataclass
class Nodes:
    """Two nodes, what they share, and the proxy in front."""

    services: list[Service]
    shared: dict[str, str]
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(
            base_url=self.address,
            headers=headers,
            timeout=PATIENCE_S,
            trust_env=False,
            verify=NO_TLS,
        )

    def sign_in(self) -> httpx.Client:
        with self.client() as client:
            body = {"email": EMAIL, "password": PASSWORD}
            answer = client.post("/api/auth/login", json=body).raise_for_status()
        return self.client(answer.json()["accessToken"])


@pytest.fixture
def nodes(
    new_service: NewService, new_database: Callable[[], str], tmp_path: Path
) -> Iterator[Nodes]:
    shared = {
        **ADMIN,
        "DATABASE_URL": new_database(),
        "LICET_MASTER_KEY": new_key(),
        "LICET_STORAGE_URL": f"file://{tmp_path}/files",
        "LICET_TRUSTED_PROXIES": "127.0.0.1",
        "LICET_METRICS_TOKEN": TOKEN,
    }
    services = [new_service(**shared) for _ in range(2)]
    for service in services:  # both at once, on an empty database
        service.begin()
    for service in services:
        eventually(service.is_ready, "the node is ready")
    with balanced(services, tmp_path) as port:
        yield Nodes(services, shared, port)


def served_by(service: Service) -> float:
    """How many requests of applications and operators a node has served."""
    with service.client(TOKEN) as client:
        metrics = client.get("/metrics").raise_for_status()
    lines = metrics.text.splitlines()
    counted = (line for line in lines if line.startswith("licet_http_requests_total{"))
    return sum(float(line.split()[-1]) for line in counted if 'route="/api/' in line)


def test_what_one_node_stores_the_other_serves(nodes: Nodes) -> None:
    content = secrets.token_bytes(300_000)
    with nodes.sign_in() as owner:
        vendor = make_vendor(owner)
        wallet = vendor.issue("MeteredCount", initialMeterBalance=100)
        seats = vendor.issue("Floating", maxActiveUsersCount=2)
        release = vendor.ok(
            "POST",
            f"/api/products/{vendor.product}/releases",
            {"version": "3.0.0", "channel": "Stable", "status": "Published"},
        )
        path = f"/api/releases/{release['id']}/files"
        stored = owner.post(path, files={"file": ("app.bin", content)}).raise_for_status().json()
        balances = []
        for turn in range(20):  # a connection each, so that both nodes get some
            with nodes.client() as application:
                application.headers["x-api-key"] = vendor.api_key
                use = {
                    "licenseKey": wallet["licenseKey"],
                    "featureName": "Export",
                    "quantity": 1,
                    "idempotencyKey": f"use-{turn // 2}",
                }
                answer = application.post("/api/meter/consume", json=use).raise_for_status()
                balances.append(answer.json()["balance"])
                held = {"licenseKey": seats["licenseKey"], "hardwareId": f"machine-{turn % 2}"}
                application.post(
                    "/api/sessions/connect", json={**held, "instanceId": "one"}
                ).raise_for_status()
                known = application.post(
                    "/api/licenses/validate", json={"licenseKey": seats["licenseKey"]}
                )
                assert known.raise_for_status().json()["valid"]
            with nodes.client(owner.headers["authorization"].split()[1]) as other:
                file = other.get(f"{path}/{stored['id']}/content").raise_for_status()
                assert file.content == content
    assert balances == [100 - 1 - turn // 2 for turn in range(20)]
    assert all(served > 10 for served in map(served_by, nodes.services))


def test_a_node_is_killed_and_clients_that_retry_go_on(nodes: Nodes) -> None:
    with nodes.sign_in() as owner:
        vendor = make_vendor(owner)
        with issuing(nodes, vendor) as seen:
            eventually(lambda: seen.has_acknowledged(20), "the load runs")
            nodes.services[0].send(signal.SIGKILL)
            before = len(seen.acknowledged)
            eventually(lambda: seen.has_acknowledged(before + 40), "licenses again", 30)
        stored = stored_licenses(vendor)
    assert seen.acknowledged.items() <= stored.items()


def test_a_node_with_another_master_key_does_not_start(nodes: Nodes, tmp_path: Path) -> None:
    other = {**nodes.shared, "LICET_MASTER_KEY": new_key()}
    ended = run("serve", "--port", free_port(), "--data-dir", tmp_path, **other)
    assert ended.returncode == 1
    assert "LICET_MASTER_KEY is not the one of this database" in ended.stderr
