"""What FakeServer offers besides the API: client creation, time, recorded requests."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

import licet.testing
from licet import LicenseClient, TransportRequest
from licet._license_models import MODEL_TRAITS
from licet.testing import FakeLicense, FakeServer

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    """A server whose clock moves only by ``advance``."""
    return FakeServer(clock=lambda: START)


@pytest.fixture
def often_switching() -> Iterator[None]:
    """Make the interpreter switch threads very often."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_the_public_names() -> None:
    assert licet.testing.__all__ == [
        "FakeAccessAttempt",
        "FakeDevice",
        "FakeLease",
        "FakeLicense",
        "FakeOfflineAnswer",
        "FakeServer",
        "FakeSession",
        "Fault",
        "LedgerEntry",
        "Model",
        "NetworkFault",
        "RecordedRequest",
        "ResponseFault",
        "Terms",
        "TrackedEvent",
    ]
    assert all(hasattr(licet.testing, name) for name in licet.testing.__all__)


def test_every_model_has_traits() -> None:
    assert tuple(MODEL_TRAITS) == get_args(licet.testing.Model)


def test_the_sdk_does_not_import_the_testing_package() -> None:
    code = "import sys, licet; sys.exit(any(n.startswith('licet.testing') for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_create_a_client(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Subscription", features=["export"], name="Team", issuer="Aurora Ltd")
    with server.client(license_, folder=tmp_path / "new") as client:
        result = client.validate()
        assert result.status == "Valid"
        assert result.features == ("export",)
        assert result.checked_at == START
        assert client.validate_offline().license is not None
    with server.client(license_.key.lower(), folder=tmp_path, hardware_id="mine") as client:
        assert client.hardware_id == "mine"
        assert client.validate()


async def test_create_an_async_client(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    async with server.async_client(license_, folder=tmp_path) as client:
        assert (await client.validate()).status == "ActivationRequired"
        assert (await client.activate()).seats_total == 1
        assert (await client.validate()).valid
        async with client.session() as session:
            assert session.alive


def test_an_application_creates_its_own_client(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual")
    options = server.options(license_, folder=tmp_path)
    with LicenseClient(transport=server.transport, **options) as client:
        assert client.validate()


def test_clients_share_the_running_clock(tmp_path: Path) -> None:
    server = FakeServer()
    license_ = server.issue("Trial", expires=timedelta(days=14))
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate().status == "Valid"
        server.advance(days=14)
        assert license_.status == "Expired"
        assert client.validate().status == "Expired"
        license_.renew(timedelta(days=30))
        assert client.validate().status == "Valid"
    before = server.now
    assert server.now > before, "the clock runs by itself"
    with pytest.raises(ValueError, match="cannot move back"):
        server.advance(minutes=-1)


def test_a_fixed_clock(server: FakeServer) -> None:
    assert server.now == server.clock() == START
    server.advance(hours=1, seconds=1)
    assert server.now == START + timedelta(seconds=3601)
    license_ = server.issue("Trial", expires=timedelta(seconds=1))
    assert license_.status == "Active"
    server.advance(seconds=1)
    assert license_.status == "Expired", "a license expires exactly at its expiration date"


def test_a_grace_past_the_term(server: FakeServer, tmp_path: Path) -> None:
    term, grace = timedelta(days=14), timedelta(days=7)
    license_ = server.issue(
        "Trial", expires=term, grace=grace, activation_mode="Offline", name="Graced"
    )
    assert license_.expiration_date == START + term
    (tmp_path / "license.bin").write_text(license_.file())
    server.advance(days=14)
    assert license_.status == "Active"
    with server.client(license_, folder=tmp_path) as client:
        for result in (client.validate_offline(), client.validate_online()):
            assert result.status == "Valid"
            assert result.license is not None
            assert result.license.expiration_date == START + term + grace
        server.advance(days=7)
        assert license_.status == "Expired"
        assert client.validate().status == "Expired"


def test_files_are_refreshed_after_a_day(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual")
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate()
        server.advance(hours=23)
        assert client.validate()
        server.advance(hours=2)
        assert client.validate()
    paths = [request.path for request in server.requests]
    assert paths.count("/licenses/refresh") == 2
    assert paths.count("/licenses/validate") == 3


def test_a_file_lifetime(tmp_path: Path) -> None:
    server = FakeServer(file_lifetime=timedelta(days=30))
    license_ = server.issue("Perpetual", activation_mode="Offline")
    (tmp_path / "license.bin").write_text(license_.file())
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate_offline().valid
        server.advance(days=31)
        assert client.validate_offline().status == "RefreshRequired"
        assert client.validate().valid


def test_rotated_keys(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual", activation_mode="Offline")
    (tmp_path / "license.bin").write_text(license_.file())
    old = server.client(license_, folder=tmp_path)
    assert old.validate_offline().status == "Valid"
    server.rotate_keys()
    assert old.validate_online().status == "SignatureMismatch"
    with server.client(license_, folder=tmp_path) as rebuilt:
        assert rebuilt.validate_offline().status == "SignatureMismatch"
        assert rebuilt.validate_online().status == "Valid"


def test_servers_are_independent(server: FakeServer, tmp_path: Path) -> None:
    other = FakeServer(clock=lambda: START)
    assert (other.product_id, other.api_key) != (server.product_id, server.api_key)
    with server.client(other.issue("Perpetual"), folder=tmp_path) as client:
        assert client.validate_online().status == "LicenseNotFound"


def test_requests_are_recorded_without_secrets(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual", username="jo", password="a secret")
    options: Any = {"username": "jo", "password": "a secret", "app_version": "1.2.3"}
    with server.client(license_, folder=tmp_path, **options) as client:
        assert client.validate_online()
    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/licenses/validate")
    assert (request.status, request.at) == (200, START)
    assert request.body["appVersion"] == "1.2.3"
    assert request.body["hardwareId"] == client.hardware_id
    assert request.body["licenseKey"] == f"...{license_.key[-4:]}"
    printed = f"{server!r} {license_!r} {request!r} {server.requests!r}"
    for secret in (license_.key, license_.key.replace("-", ""), "a secret", server.api_key):
        assert secret not in printed


@pytest.mark.parametrize(
    ("model", "terms", "message"),
    [
        ("Rental", {}, "unknown model"),
        ("Floating", {}, "seats"),
        ("Concurrent", {"seats": 0}, "seats"),
        ("Perpetual", {"seats": 2}, "seats"),
        ("Floating", {"seats": 1, "activation_mode": "Offline"}, "must be Online"),
        ("MeteredToken", {"activation_mode": "Offline"}, "must be Online"),
        ("Perpetual", {"activation_mode": "Maybe"}, "activation_mode"),
        ("Perpetual", {"binding_mode": "AutoBind"}, "binding_mode"),
        ("NodeLocked", {"binding_mode": "Maybe"}, "binding_mode"),
        ("Perpetual", {"username": "jo"}, "given together"),
        ("Trial", {"username": "jo", "password": "a"}, "only for Perpetual"),
        ("Trial", {"expires": datetime(2031, 1, 1)}, "time zone"),  # noqa: DTZ001
        ("Trial", {"grace": timedelta(days=-1)}, "grace"),
    ],
)
def test_invalid_terms_are_rejected(
    server: FakeServer, model: Any, terms: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        server.issue(model, **terms)


def test_default_terms(server: FakeServer) -> None:
    assert server.issue("Trial").expiration_date == START + timedelta(days=30)
    assert server.issue("Perpetual").expiration_date is None
    until = datetime(2031, 1, 1, tzinfo=UTC)
    assert server.issue("Perpetual", expires=until).expiration_date == until
    imported = server.issue("Perpetual", license_key="an-imported-key")
    assert imported.key == "an-imported-key"
    with pytest.raises(ValueError, match="already"):
        server.issue("Perpetual", license_key="an-imported-key")


@pytest.mark.parametrize(
    ("interval", "timeout", "spacing"), [(0, 90, 0), (30, 59, 5), (30, 90, 31), (30, 90, -1)]
)
def test_invalid_session_settings_are_rejected(
    interval: float, timeout: float, spacing: float
) -> None:
    with pytest.raises(ValueError, match="interval"):
        FakeServer(
            heartbeat_interval_seconds=interval,
            session_timeout_seconds=timeout,
            heartbeat_spacing_seconds=spacing,
        )


def test_concurrent_connects_do_not_exceed_the_cap(
    server: FakeServer, often_switching: None
) -> None:
    headers = {"X-API-KEY": server.api_key, "Content-Type": "application/json"}
    url = "https://licet.test/api/sessions/connect"
    together = threading.Barrier(8)

    def connect(license_: FakeLicense) -> int:
        body = json.dumps({"licenseKey": license_.key, "hardwareId": "same"}).encode()
        together.wait()
        return server.transport.send(TransportRequest("POST", url, headers, body, 1.0)).status

    with ThreadPoolExecutor(8) as pool:
        for _ in range(150):
            license_ = server.issue("Floating", seats=3)
            statuses = list(pool.map(connect, [license_] * 8))
            assert (statuses.count(201), statuses.count(409)) == (3, 5)
            assert len(license_.sessions) == 3


def test_serving_on_a_port(tmp_path: Path) -> None:
    server = FakeServer()
    license_ = server.issue("Floating", seats=1)
    with server.serve() as base:
        assert base.startswith("http://127.0.0.1:")
        assert base.endswith("/api")
        with LicenseClient(
            product_id=server.product_id,
            public_key=server.public_key,
            license_key=license_.key,
            api_key=server.api_key,
            server_base_endpoint=base,
            license_file=tmp_path / "license.bin",
        ) as client:
            assert client.validate()
            with client.session():
                assert len(license_.sessions) == 1
            server.go_offline()
            result = client.validate()
            assert result.status == "GracePeriod"
            assert type(result.cause).__name__ == "ConnectionLostError"
