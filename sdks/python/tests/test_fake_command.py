"""``licet-fake``: the fake server as a command, controlled over HTTP."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from licet_testkit import NO_TLS

from licet import ConnectionLostError, LicenseClient, RateLimitedError, ServerTimeoutError
from licet.testing._remote_server import FakeHttpServer


class Remote:
    """A fake on a port, and a client of its control."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.http = httpx.Client(base_url=f"{base}/control", trust_env=False, verify=NO_TLS)

    def call(self, method: str, path: str, **body: Any) -> Any:
        reply = self.http.request(method, path, json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def client(self, folder: Path, license_: Any, **options: Any) -> LicenseClient:
        product = self.call("GET", "/")
        return LicenseClient(
            product_id=product["productId"],
            public_key=product["publicKey"],
            api_key=product["productApiKey"],
            server_base_endpoint=f"{self.base}/api",
            license_key=license_["licenseKey"],
            license_file=folder / "license.bin",
            hardware_id="h1m-test",
            trust_env=False,
            **options,
        )


@pytest.fixture
def remote() -> Iterator[Remote]:
    with FakeHttpServer("127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        made = Remote(server.base_url)
        yield made
        made.http.close()
        server.shutdown()
        thread.join()


def test_the_command_prints_its_addresses_and_ends_on_sigterm() -> None:
    command = [sys.executable, "-m", "licet.testing.cli"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        addresses = json.loads(process.stdout.readline())
        product = httpx.get(addresses["control"], trust_env=False, verify=NO_TLS).json()
        assert product["productId"]
        assert addresses["serverBaseEndpoint"].endswith("/api")
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_a_license_is_issued_and_revoked(remote: Remote, tmp_path: Path) -> None:
    license_ = remote.call("POST", "/licenses", type="Subscription", features=["export"])
    with remote.client(tmp_path, license_) as client:
        assert client.validate_online().features == ("export",)
        remote.call("POST", f"/licenses/{license_['id']}/revoke")
        assert client.validate_online().status == "Revoked"
    assert remote.call("GET", f"/licenses/{license_['id']}")["status"] == "Revoked"


def test_the_clock_is_set_frozen_and_advanced(remote: Remote) -> None:
    remote.call("POST", "/clock", now="2030-01-01T00:00:00Z", frozen=True)
    assert remote.call("GET", "/")["now"] == "2030-01-01T00:00:00Z"
    assert remote.call("POST", "/clock", advanceSeconds=90)["now"] == "2030-01-01T00:01:30Z"
    remote.call("POST", "/reset")
    assert remote.call("GET", "/")["now"] < "2030"


def test_the_clock_of_a_test_product_is_advanced(remote: Remote) -> None:
    product = remote.call("POST", "/reset", mode="Test")
    assert product["productApiKey"].startswith("pk_test_")
    api = httpx.Client(base_url=f"{remote.base}/api", trust_env=False, verify=NO_TLS)

    def send(method: str, path: str, body: Any = None) -> tuple[int, Any]:
        reply = api.request(method, f"/test-clocks{path}", json=body)
        return reply.status_code, reply.json() if reply.content else None

    with api:
        status, clock = send("POST", "", {"productId": product["productId"]})
        assert (status, clock["status"], clock["target"]) == (201, "Ready", None)
        assert send("POST", "", {"productId": product["productId"]})[1]["errorCode"] == "Conflict"
        days = {"expirationDate": "2099-01-01T00:00:00Z", "graceDays": 7}
        remote.call("POST", "/licenses", type="Subscription", **days)
        path = f"/{clock['id']}"
        assert send("GET", path) == (200, clock), "the clock does not stand still"
        visited = []
        for _ in range(3):
            status, moved = send("POST", f"{path}/advance", {"until": "NextEvent"})
            visited.append((status, moved["now"]))
        ends = [(202, "2099-01-01T00:00:00Z"), (202, "2099-01-08T00:00:00Z")]
        assert visited == [*ends, ends[-1]]
        assert send("POST", f"{path}/advance", {"days": 1})[1]["now"] == "2099-01-09T00:00:00Z"
        for refused in ({"to": clock["now"]}, {"days": 1, "until": "NextEvent"}, {"days": 9999}):
            assert send("POST", f"{path}/advance", refused)[0] == 400
        assert remote.call("GET", "/")["now"] == "2099-01-09T00:00:00Z"
        assert send("GET", f"?productId={product['productId']}")[1]["totalCount"] == 1
        assert send("DELETE", path) == (204, None)
        assert send("GET", path)[0] == 404
        assert remote.call("GET", "/")["now"] < "2099"
        live = remote.call("POST", "/reset")["productId"]
        assert send("POST", "", {"productId": live})[0] == 400


def test_planned_faults_are_used_up(remote: Remote, tmp_path: Path) -> None:
    license_ = remote.call("POST", "/licenses", type="Perpetual")
    problem = {"errorCode": "RateLimited"}
    slow = {"Retry-After": "60"}
    with remote.client(tmp_path, license_, timeout=1) as client:
        remote.call(
            "POST", "/faults", on="licenses/validate", status=429, headers=slow, body=problem
        )
        with pytest.raises(RateLimitedError):
            client.validate_online()
        assert client.validate_online().status == "Valid"
        for fault, error in (
            ({"dropped": True}, ConnectionLostError),
            ({"cutAfter": 50}, ConnectionLostError),
            ({"delaySeconds": 1.5}, ServerTimeoutError),
            ({"dripSeconds": 0.2}, ServerTimeoutError),
        ):
            remote.call("POST", "/faults", times=9, **fault)
            with pytest.raises(error):
                client.validate_online()
            remote.call("DELETE", "/faults")
        remote.call("POST", "/faults", request={"nonce": "x" * 32})
        assert client.validate_online().status == "SignatureMismatch"


def test_a_dropped_request_may_be_processed(remote: Remote, tmp_path: Path) -> None:
    license_ = remote.call("POST", "/licenses", type="MeteredCount", initialMeterBalance="10")
    remote.call("POST", "/faults", on="/meter/consume", dropped=True, processed=True)
    with remote.client(tmp_path, license_) as client:
        assert client.consume("export").replayed
    assert remote.call("GET", f"/licenses/{license_['id']}")["balance"] == "9"


def test_the_log_has_whole_requests(remote: Remote, tmp_path: Path) -> None:
    license_ = remote.call("POST", "/licenses", type="Perpetual")
    with remote.client(tmp_path, license_) as client:
        client.validate_online()
    [entry] = remote.call("GET", "/requests")
    assert (entry["method"], entry["path"], entry["status"]) == ("POST", "/licenses/validate", 200)
    assert entry["body"]["licenseKey"] == license_["licenseKey"].replace("-", "")
    assert entry["headers"]["x-api-key"] == remote.call("GET", "/")["productApiKey"]
    remote.call("DELETE", "/requests")
    assert remote.call("GET", "/requests") == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/faults", {"statsu": 503}, 400),
        ("POST", "/faults", {"times": 0}, 400),
        ("POST", "/licenses", {"type": "Floating"}, 400),
        ("POST", "/licenses", {"type": "Perpetual", "seats": 2}, 400),
        ("POST", "/clock", {"now": "yesterday"}, 400),
        ("POST", "/nowhere", {}, 404),
        ("GET", "/licenses/unknown", {}, 404),
    ],
)
def test_wrong_control_requests(
    remote: Remote, method: str, path: str, body: Any, status: int
) -> None:
    reply = remote.http.request(method, path, json=body)
    assert reply.status_code == status
    assert reply.json()["error"]


def test_web_pages_may_call_the_api_but_not_the_control(remote: Remote) -> None:
    origin = "access-control-allow-origin"
    api = httpx.options(f"{remote.base}/api/licenses/validate", trust_env=False, verify=NO_TLS)
    assert (api.status_code, api.headers[origin]) == (204, "*")
    assert origin not in remote.http.get("/").headers
