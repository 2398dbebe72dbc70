from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import SeatServer, response, seat_options
from licet_testkit import HARDWARE, LICENSE_KEY, normal, problem

from licet import (
    Activation,
    ActivationRequiredError,
    ActivationStatus,
    ApprovalPendingError,
    AsyncLicenseClient,
    ConfigurationError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseClient,
    LicenseRefusedError,
    NetworkError,
    RequestRefusedError,
    SeatsExhaustedError,
    SessionLostError,
    UnexpectedReplyError,
)
from licet._machine import operating_system

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def client(seats: SeatServer, tmp_path: Path) -> Iterator[LicenseClient]:
    with LicenseClient(**seat_options(seats, tmp_path)) as made:
        yield made


def test_activate_and_deactivate(client: LicenseClient, seats: SeatServer) -> None:
    seats.seats_total = 3
    activation = client.activate()
    assert activation == Activation(
        "activation-1", ActivationStatus.Active, 1, 3, datetime(2026, 6, 1, 12, tzinfo=UTC)
    )
    assert activation
    assert not activation.pending
    assert client.activate() == activation
    assert seats.activated == {HARDWARE}
    client.deactivate()
    assert seats.activated == set()


def test_operating_system_description(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"\w+ \d+(\.\d+)? \w+", operating_system())
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.release", lambda: "6.8.0-45-generic-of-joes-desk")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert operating_system() == "Linux 6.8 x86_64"
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr("platform.mac_ver", lambda: ("14.5", ("", "", ""), "arm64"))
    assert operating_system() == "macOS 14.5 x86_64"
    monkeypatch.setattr("platform.system", lambda: "Windows")
    monkeypatch.setattr("platform.release", lambda: "2022Server")
    assert operating_system() == "Windows 2022 x86_64"


def test_unknown_activation_status(client: LicenseClient, seats: SeatServer) -> None:
    content = {"activationId": "a", "status": "Resting", "seatsUsed": "x", "activatedAt": "soon"}
    seats.refuse("activations", response(200, content))
    activation = client.activate()
    assert activation == Activation("a", ActivationStatus.Unknown)
    assert not activation


@pytest.mark.parametrize("reply", [response(200, {}), response(204), response(200, [])])
def test_unexpected_responses(client: LicenseClient, seats: SeatServer, reply: Any) -> None:
    seats.refuse("activations", reply)
    with pytest.raises(UnexpectedReplyError):
        client.activate()


def test_an_empty_response_is_not_a_verdict(client: LicenseClient, seats: SeatServer) -> None:
    seats.refuse("validate", response(204))
    with pytest.raises(UnexpectedReplyError):
        client.validate_online()


REFUSALS = [
    ("LicenseNotFound", 404, LicenseRefusedError, "Check the key for typing errors"),
    ("LicenseInvalid", 400, LicenseRefusedError, "Contact the vendor"),
    ("LicenseExpired", 400, LicenseRefusedError, "Renew it"),
    ("MaxActivationsReached", 409, SeatsExhaustedError, "Deactivate a device"),
    ("MaxConcurrentSessionsReached", 409, SeatsExhaustedError, "Close the application"),
    ("ActivationRequired", 403, ActivationRequiredError, "Activate it first"),
    ("PendingApproval", 403, ApprovalPendingError, "Try again once it is approved"),
    ("DeviceBlocked", 403, DeviceBlockedError, "Ask the vendor to unblock"),
    ("HardwareMismatch", 403, HardwareMismatchError, "Ask the vendor to move it"),
    ("SessionNotFound", 404, SessionLostError, "released its seat"),
    ("SomethingNew", 403, RequestRefusedError, "refused the request (SomethingNew)"),
]


@pytest.mark.parametrize(("code", "status", "kind"), [case[:3] for case in REFUSALS])
async def test_refusals(
    code: str, status: int, kind: type[Any], seats: SeatServer, tmp_path: Path
) -> None:
    seats.refuse("activations", problem(status, code, **{"X-Request-Id": "req-9"}))
    with LicenseClient(**seat_options(seats, tmp_path)) as client, pytest.raises(kind) as first:
        client.activate()
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as other:
        with pytest.raises(kind) as second:
            await other.activate()
    for caught in (first.value, second.value):
        assert type(caught) is kind
        assert isinstance(caught, RequestRefusedError)
        assert (caught.error_code, caught.http_status) == (code, status)
        assert caught.request_id == "req-9"
        assert caught.message == "Said the server.", "once"
        assert caught.code == kind.__name__.removesuffix("Error")
    assert seats.count("activations") == 2, "a refusal is not worth another attempt"


@pytest.mark.parametrize(("code", "advice"), [(case[0], case[3]) for case in REFUSALS])
def test_a_refusal_without_a_sentence(
    code: str, advice: str, client: LicenseClient, seats: SeatServer
) -> None:
    seats.refuse("activations", response(403, {"errorCode": code}))
    with pytest.raises(RequestRefusedError) as caught:
        client.activate()
    assert advice in caught.value.message
    assert "{" not in caught.value.message


def test_a_refused_deactivation_raises(client: LicenseClient, seats: SeatServer) -> None:
    seats.refuse("current", problem(403, "DeviceBlocked"))
    with pytest.raises(DeviceBlockedError):
        client.deactivate()


def test_network_errors_are_retried(client: LicenseClient, seats: SeatServer) -> None:
    seats.disconnect()
    with pytest.raises(NetworkError):
        client.activate()
    with pytest.raises(NetworkError):
        client.deactivate()
    assert (seats.count("activations"), seats.count("current")) == (3, 3)


def test_without_a_license_key(seats: SeatServer, tmp_path: Path) -> None:
    with LicenseClient(**seat_options(seats, tmp_path, license_key=None)) as client:
        for ask in (client.activate, client.deactivate, client.session().open):
            with pytest.raises(ConfigurationError, match="LicenseKey is missing"):
                ask()
    with LicenseClient(**seat_options(seats, tmp_path, api_key=None)) as client:
        for ask in (client.activate, client.deactivate, client.session().open):
            with pytest.raises(ConfigurationError, match="ProductApiKey is missing"):
                ask()


async def test_async(seats: SeatServer, tmp_path: Path) -> None:
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:
        activation = await client.activate(metadata={"room": "4"})
        assert activation
        await client.deactivate()
        await client.deactivate()
    assert seats.requests[0].body["metadata"] == {"room": "4"}


def test_secrets_are_not_logged(
    client: LicenseClient, seats: SeatServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="licet")
    said = [repr(client.activate())]
    for code in ("DeviceBlocked", "MaxActivationsReached", "SomethingNew"):
        seats.refuse("activations", problem(403, code))
        with pytest.raises(RequestRefusedError) as caught:
            client.activate()
        said.append(repr(caught.value))
    text = " ".join([*said, caplog.text])
    assert not any(secret in text for secret in (LICENSE_KEY, normal(LICENSE_KEY), HARDWARE))
