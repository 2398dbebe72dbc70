"""Random requests over days to licenses whose devices enroll and are idle: as the model does."""

import asyncio
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from devices.fleet import Fleet, Key
from devices.model import NOT_FOUND, License
from devices.test_state_machine import (
    MACHINES,
    Devices,
    DevicesAndSessions,
    Licenses,
    loop,
)
from devices.test_trials import set_up
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test
from machines import STEPS
from sqlalchemy import true
from volumes import is_long
from world import World

from licet_server.devices.rules.enrollment import EnrollmentKey
from licet_server.devices.storage import activations as storage
from licet_server.devices.storage import enrollment_keys as key_storage
from licet_server.devices.tables import activations, enrollment_keys
from licet_server.kit.database import Connection
from licet_server.sessions.service.ending import SessionDeviceHooks

__all__ = ["loop"]
SETTINGS = hypothesis.settings(STEPS, max_examples=20 if is_long() else 4)


MOVES = (
    *["enroll"] * 5,
    *["wait"] * 3,
    *["connect"] * 2,
    *["free"] * 2,
    *["validate", "make_key", "make_key", "revoke_key"],
    *["block", "unblock", "deactivate"],
)
"""The moves, as often as they are drawn."""


class Fleets(Licenses):
    """Devices that enroll, use their licenses, are idle, and free each other's seats.

    Each example is a seed. Moves that Hypothesis draws one by one are much alike in so few
    examples: a device that is idle would seldom meet another one that wants its seat.
    """

    live_sessions_match_the_model = DevicesAndSessions.live_sessions_match_the_model

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(world, loop, ["Concurrent"])
        self.keys: list[tuple[str, str]] = []
        self.tokens: list[tuple[str, str]] = []

    @property
    def fleet(self) -> Fleet:
        [(_, model)] = self.licenses
        assert isinstance(model, Fleet)
        return model

    def _issue(self, model: License, **fields: Any) -> None:
        super()._issue(Fleet(**vars(model)), **fields)
        settings = {"deviceIdleDays": 1, "appDeviceRelease": "On", "appReleasesPerYear": 1000}
        self.run(set_up(self.world, **settings))
        self._make_key(0, "")

    @initialize(drawing=st.randoms(use_true_random=True))
    def begin(self, drawing: Any) -> None:
        self.drawing = drawing

    @rule()
    def move(self) -> None:
        move, machine = self.drawing.choice(MOVES), self.drawing.choice(MACHINES)
        chosen = self.drawing.randrange(1000)
        if move in {"block", "unblock", "deactivate"}:
            if self.known:
                Devices.operate(self, move, chosen)
        else:
            getattr(self, f"_{move}")(chosen, machine)

    def _wait(self, chosen: int, _: str) -> None:
        Devices.pass_time(self, (600, 3_600, 86_400, 90_000)[chosen % 4])

    def _connect(self, _: int, machine: str) -> None:
        DevicesAndSessions.connect(self, 0, machine, None)

    def _make_key(self, chosen: int, _: str) -> None:
        [(license_, _)] = self.licenses
        most = (None, None, 1, 3)[chosen % 4]
        path = f"/api/licenses/{license_['id']}/enrollment-keys"
        answer = self._operator("POST", path, {"name": "Image", "maxDevices": most})
        self._same(answer, (201, None))
        made = answer.json()
        self.keys.append((made["secret"], f"{path}/{made['id']}"))
        self.fleet.keys[made["secret"]] = Key(most)

    def _revoke_key(self, chosen: int, _: str) -> None:
        secret, path = self.keys[chosen % len(self.keys)]
        known = self.fleet.keys.pop(secret, None) is not None
        self._same(self._operator("DELETE", path), (204, None) if known else NOT_FOUND)

    def _enroll(self, chosen: int, machine: str) -> None:
        """Also with keys that were revoked."""
        secret, _ = self.keys[chosen % len(self.keys)]
        expected = self.fleet.enroll(secret, machine, self.clock.now)
        body = {"enrollmentKey": secret, "hardwareId": machine}
        answer = self.run(self.world.call("POST", "/api/activations/enroll", body))
        self._same(answer, expected)
        if answer.is_success:
            token = answer.json()["deviceToken"]
            self.fleet.tokens[token] = machine
            self.tokens.append((token, machine))

    def _validate(self, chosen: int, _: str) -> None:
        """Also by tokens of devices that were removed since."""
        if self.tokens:
            token, machine = self.tokens[chosen % len(self.tokens)]
            body = {"licenseKey": token, "hardwareId": machine}
            answer = self.run(self.world.call("POST", "/api/licenses/validate", body))
            expected = self.fleet.validate_by_token(token, self.clock.now)
            assert (answer.status_code, answer.json()["status"]) == expected

    def _free(self, chosen: int, machine: str) -> None:
        if self.known:
            _, other = self.known[chosen % len(self.known)]
            expected = self.fleet.free(other, machine, self.clock.now)
            path = f"/api/activations/{self.ids[self.licenses[0][0]['id'], other]}/release"
            self._same(self._call("POST", path, 0, hardwareId=machine), expected)

    @invariant()
    def fleet_matches_the_model(self) -> None:
        if not self.licenses:
            return
        devices, keys = self._rows(activations, enrollment_keys)
        assert sum(row["holds_seat"] for row in devices) <= (self.fleet.cap or 0)
        self.fleet.seen = {row["hardware_id"]: row["last_seen_at"] for row in devices}
        assert sorted((row["max_devices"] or 0, row["enrolled_devices"]) for row in keys) == (
            sorted((key.most or 0, key.enrolled) for key in self.fleet.keys.values())
        )


def test_fleets_match_the_model(world: World, loop: asyncio.AbstractEventLoop) -> None:
    run_state_machine_as_test(lambda: Fleets(world, loop), settings=SETTINGS)  # type: ignore[arg-type]


async def claim_without_limit(db: Connection, item: EnrollmentKey, devices: int, now: Any) -> bool:
    return True


async def keep_sessions(*_: object) -> None:
    """A removed device goes on using its session."""


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a key is never used up": lambda patch: patch.setattr(
        key_storage, "claim", claim_without_limit
    ),
    "any device is idle": lambda patch: patch.setattr(storage, "is_idle", lambda *_: true()),
    "sessions outlive their device": lambda patch: patch.setattr(
        SessionDeviceHooks, "device_removed", keep_sessions
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", BROKEN)
def test_control_a_fault_is_found(
    world: World, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    BROKEN[fault](monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(lambda: Fleets(world, loop), settings=SETTINGS)  # type: ignore[arg-type]
