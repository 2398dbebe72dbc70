"""The OpenFeature provider, through OpenFeature's own client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from licet_seat_server import wait_for
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.event import EventDetails, ProviderEvent
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

from licet import EntitlementValue, LicenseClient
from licet.openfeature import LicenseProvider
from licet.testing import FakeLicense, FakeServer

FEATURES: dict[str, EntitlementValue] = {
    "export": True,
    "projects": 5,
    "ratio": 0.5,
    "region": "eu",
    "limits": '{"rows": [1, 2]}',
}


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Subscription", features=FEATURES)


@pytest.fixture
def client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> Iterator[LicenseClient]:
    with server.client(license_, folder=tmp_path) as made:
        yield made


@pytest.fixture
def provider(client: LicenseClient) -> LicenseProvider:
    return LicenseProvider(client.validate())


@pytest.fixture
def flags(provider: LicenseProvider) -> Iterator[OpenFeatureClient]:
    api.set_provider_and_wait(provider, "test-app")
    yield api.get_client("test-app")
    api.clear_providers()


def test_values(flags: OpenFeatureClient) -> None:
    assert flags.get_boolean_value("export", default_value=False) is True
    assert flags.get_boolean_value("EXPORT", default_value=False) is True
    assert flags.get_integer_value("projects", 1) == 5
    assert flags.get_float_value("ratio", 1.0) == 0.5
    assert flags.get_float_value("projects", 1.0) == 5.0
    assert flags.get_string_value("region", "us") == "eu"
    assert flags.get_object_value("limits", {}) == {"rows": [1, 2]}
    assert asyncio.run(flags.get_integer_value_async("projects", 1)) == 5
    assert flags.get_provider_status().name == "READY"


def test_what_is_not_granted(flags: OpenFeatureClient) -> None:
    assert flags.get_boolean_value("admin", default_value=True) is False
    details = flags.get_integer_details("seats", 1)
    assert (details.value, details.error_code) == (1, ErrorCode.FLAG_NOT_FOUND)


@pytest.mark.parametrize(
    ("kind", "name", "default"),
    [
        ("boolean", "projects", False),
        ("integer", "export", 1),
        ("integer", "ratio", 1),
        ("float", "region", 1.0),
        ("string", "projects", "x"),
        ("object", "region", {}),
        ("object", "projects", []),
    ],
)
def test_a_value_of_another_type(
    flags: OpenFeatureClient, kind: str, name: str, default: object
) -> None:
    details = getattr(flags, f"get_{kind}_details")(name, default)
    assert (details.value, details.error_code) == (default, ErrorCode.TYPE_MISMATCH)


def test_without_restrictions_every_flag_is_granted(server: FakeServer, tmp_path: Path) -> None:
    with server.client(server.issue("Perpetual"), folder=tmp_path) as client:
        provider = LicenseProvider(client.validate())
    assert provider.resolve_boolean_details("anything", False).value is True


def test_a_grace_period_is_stale(
    flags: OpenFeatureClient, provider: LicenseProvider, client: LicenseClient, server: FakeServer
) -> None:
    assert flags.get_integer_details("projects", 1).reason == Reason.STATIC
    server.go_offline()
    provider.update(client.validate())
    details = flags.get_integer_details("projects", 1)
    assert (details.value, details.reason) == (5, Reason.STALE)
    assert details.flag_metadata == {"status": "GracePeriod"}


def test_a_watch_keeps_it_up_to_date(
    flags: OpenFeatureClient,
    provider: LicenseProvider,
    client: LicenseClient,
    license_: FakeLicense,
) -> None:
    heard: list[str | None] = []

    def hear(details: EventDetails) -> None:
        heard.append(details.message)

    flags.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, hear)
    license_.revoke()
    with client.watch(provider.update):
        wait_for(lambda: heard)
    assert heard == ["The license is Revoked."]
    assert flags.get_boolean_value("export", default_value=True) is False
