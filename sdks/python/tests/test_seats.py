from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import Program, SeatServer, is_alive, response, seat_options, wait_for
from licet_testkit import HARDWARE, problem
from test_hardware import DOCKER, LINUX, MOUNTED, FakeMachine

from licet import (
    ActivationRequiredError,
    ApprovalPendingError,
    AsyncLicenseClient,
    ConfigurationError,
    LicenseClient,
    LicetError,
    SeatMode,
    SeatsExhaustedError,
    UnexpectedReplyError,
)
from licet._claim import resolve_seat_mode
from licet._config import make_config

pytestmark = pytest.mark.usefixtures("no_pauses")
CI = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "o/r", "GITHUB_SERVER_URL": "https://g"}


def made(seats: SeatServer, folder: Path, mode: str) -> LicenseClient:
    return LicenseClient(**seat_options(seats, folder, seat_mode=mode))


MACHINES = {
    "a desk": (FakeMachine(files=LINUX), SeatMode.Activation),
    "a desk without an id": (FakeMachine(), SeatMode.Activation),
    "Windows": (FakeMachine("win32", files=DOCKER), SeatMode.Activation),
    "CI": (FakeMachine(files=LINUX, env=CI), SeatMode.Session),
    "a container with the host's id": (
        FakeMachine(files={**LINUX, **DOCKER, **MOUNTED}),
        SeatMode.Activation,
    ),
    "a container with its image's id": (FakeMachine(files={**LINUX, **DOCKER}), SeatMode.Session),
    "a container without an id": (FakeMachine(files=DOCKER), SeatMode.Session),
    "a pod": (FakeMachine(env={"KUBERNETES_SERVICE_HOST": "10.0.0.1"}), SeatMode.Session),
}


@pytest.mark.parametrize(("machine", "mode"), MACHINES.values(), ids=MACHINES.keys())
def test_auto_mode(machine: FakeMachine, mode: SeatMode, seats: SeatServer, tmp_path: Path) -> None:
    config = make_config(seat_options(seats, tmp_path, hardware_id=None))
    assert config.seat_mode is SeatMode.Auto
    assert resolve_seat_mode(config, machine) is mode
    for wanted in (SeatMode.Activation, SeatMode.Session):
        chosen = make_config(seat_options(seats, tmp_path, seat_mode=wanted))
        assert resolve_seat_mode(chosen, machine) is wanted


def test_auto_mode_with_a_configured_hardware_id(seats: SeatServer, tmp_path: Path) -> None:
    config = make_config(seat_options(seats, tmp_path, hardware_id=HARDWARE))
    assert resolve_seat_mode(config, FakeMachine(files=DOCKER)) is SeatMode.Activation
    assert resolve_seat_mode(config, FakeMachine(env=CI)) is SeatMode.Session


def test_activation_mode_keeps_the_activation(seats: SeatServer, tmp_path: Path) -> None:
    with made(seats, tmp_path, "Activation") as client, client.seat() as seat:
        assert seat.activation
        assert seat.session is None
        assert is_alive(seat)
    assert seats.activated == {HARDWARE}
    assert seats.count("connect") == seats.count("current") == 0


def test_session_mode_ends_the_session_with_the_block(seats: SeatServer, tmp_path: Path) -> None:
    with made(seats, tmp_path, "Session") as client, client.seat() as seat:
        assert seat.activation is None
        assert seat.session is not None
        assert is_alive(seat)
        assert len(seats.sessions) == 1
    assert not is_alive(seat)
    assert (seats.sessions, seats.count("activations")) == ({}, 0)


def test_session_mode_activates_the_device_if_required(seats: SeatServer, tmp_path: Path) -> None:
    seats.needs_activation = True
    with made(seats, tmp_path, "Session") as client, client.seat() as seat:
        assert seat.activation
        assert seat.session is not None
        assert is_alive(seat)
        assert (seats.activated, len(seats.sessions)) == ({HARDWARE}, 1)
    assert (seats.activated, seats.sessions) == (set(), {})
    assert [one.route for one in seats.requests if one.route != "heartbeat"] == [
        "connect",
        "activations",
        "connect",
        "disconnect",
        "current",
    ]


def test_an_earlier_activation_is_kept(seats: SeatServer, tmp_path: Path) -> None:
    seats.needs_activation = True
    with made(seats, tmp_path, "Session") as client:
        client.activate()
        with client.seat() as seat:
            assert seat.activation is None
    assert seats.activated == {HARDWARE}


@pytest.mark.parametrize("mode", ["Activation", "Session"])
async def test_pending_activation(seats: SeatServer, tmp_path: Path, mode: str) -> None:
    seats.needs_activation = seats.pending = True
    with made(seats, tmp_path, mode) as client, pytest.raises(ApprovalPendingError) as caught:
        client.seat().__enter__()
    assert caught.value.error_code == "PendingApproval"
    options = seat_options(seats, tmp_path, seat_mode=mode)
    async with AsyncLicenseClient(**options) as other:
        with pytest.raises(ApprovalPendingError):
            await other.seat().__aenter__()


def test_an_unknown_status_is_not_a_seat(seats: SeatServer, tmp_path: Path) -> None:
    seats.refuse("activations", response(200, {"activationId": "a", "status": "Resting"}))
    client = made(seats, tmp_path, "Activation")
    with client, pytest.raises(UnexpectedReplyError, match="Update the application"):
        client.seat().__enter__()


def test_a_refused_session_releases_the_activation(seats: SeatServer, tmp_path: Path) -> None:
    seats.needs_activation, seats.seats_total = True, 0
    with made(seats, tmp_path, "Session") as client, pytest.raises(SeatsExhaustedError):
        client.seat().__enter__()
    assert seats.activated == set()


def test_still_not_activated(seats: SeatServer, tmp_path: Path) -> None:
    seats.refuse("connect", problem(403, "ActivationRequired"))
    with made(seats, tmp_path, "Session") as client, pytest.raises(ActivationRequiredError):
        client.seat().__enter__()
    assert seats.activated == set()


def test_on_lost_is_called(seats: SeatServer, tmp_path: Path) -> None:
    lost: list[LicetError] = []
    with made(seats, tmp_path, "Session") as client, client.seat(on_lost=lost.append) as seat:
        seats.refuse("connect", problem(403, "DeviceBlocked"))
        seats.drop_sessions()
        wait_for(lambda: lost)
        assert not is_alive(seat)
        seats.reconnect()
        wait_for(lambda: seat.alive)
    assert len(lost) == 1


async def test_async(seats: SeatServer, tmp_path: Path) -> None:
    options: dict[str, Any] = seat_options(seats, tmp_path)
    async with AsyncLicenseClient(**options, seat_mode="Activation") as client:
        async with client.seat() as seat:
            assert (bool(seat.activation), seat.session, seat.alive) == (True, None, True)
        await client.deactivate()
    seats.needs_activation = True
    async with AsyncLicenseClient(**options, seat_mode="Session") as client:
        async with client.seat() as seat:
            assert seat.activation
            assert seat.session is not None
            assert is_alive(seat)
        assert (seats.activated, seats.sessions) == (set(), {})
        seats.seats_total = 0
        with pytest.raises(SeatsExhaustedError):
            await client.seat().__aenter__()
        assert seats.activated == set()


SYNC = """
with LicenseClient(**options, seat_mode="Session").seat():
    say("open")
    wait()
"""
ASYNC = """
async def main():
    async with AsyncLicenseClient(**options, seat_mode="Session").seat():
        say("open")
        await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("text", [SYNC, ASYNC], ids=["sync", "async"])
def test_sigterm_releases_session_and_activation(
    seats: SeatServer, tmp_path: Path, text: str
) -> None:
    seats.needs_activation = True
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "open"
        assert seats.activated
        assert app.end(signal.SIGTERM) == -signal.SIGTERM
    assert (seats.activated, seats.sessions) == (set(), {})


# Settings.


def test_settings_file(seats: SeatServer, tmp_path: Path) -> None:
    options = seat_options(seats, tmp_path)
    (tmp_path / "licet.json").write_text('{"SeatMode": "session", "HandleSigterm": false}')
    with LicenseClient.from_settings(tmp_path, **options) as client:
        config = client._core.config
        assert (config.seat_mode, config.handle_sigterm) == (SeatMode.Session, False)
    with LicenseClient.from_settings(tmp_path, **options, seat_mode="Activation") as client:
        assert client._core.config.seat_mode is SeatMode.Activation
    config = make_config(options)
    assert (config.seat_mode, config.handle_sigterm) == (SeatMode.Auto, True)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"SeatMode": "Sometimes"}, "SeatMode must be one of Auto, Activation, Session"),
        ({"SeatMode": 3}, "SeatMode must be a string in quotes"),
        ({"HandleSigterm": "no"}, "HandleSigterm must be true or false"),
    ],
)
def test_invalid_settings(
    seats: SeatServer, tmp_path: Path, settings: dict[str, Any], expected: str
) -> None:
    (tmp_path / "licet.json").write_text(json.dumps(settings))
    with pytest.raises(ConfigurationError, match=expected):
        LicenseClient.from_settings(tmp_path, **seat_options(seats, tmp_path))
