"""Random requests, releases and decisions over weeks: as the model does, and as invariants say."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import hypothesis
import pytest
from devices.test_state_machine import loop
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test
from machines import STEPS
from machines import Machine as Stateful
from offline.machine import Machine
from volumes import is_long
from world import World

from licet_server.offline.rules.requests import Order
from licet_server.offline.service import answering

__all__ = ["loop"]
SETTINGS = hypothesis.settings(STEPS, max_examples=25 if is_long() else 4)
NAMES = ("m-0", "m-1", "m-2")
MOVES = (
    *["activate"] * 5,
    *["refresh", "repeat", "wait"] * 3,
    *["release", "release_by_code", "older"] * 2,
    *["approve", "reject", "block", "unblock", "remove", "change_mode"],
)
"""The moves, as often as they are drawn."""
DAYS = 30
LATE = timedelta(seconds=1)


@dataclass
class Known:
    """What the model knows of one machine: its newest request, and what it was given."""

    machine: Machine
    state: str = "New"
    kind: str = ""
    text: str = ""
    answer: dict[str, Any] | None = None
    ends: datetime | None = None
    was_answered: bool = False
    seated: bool = False
    blocked: bool = False
    releasing: datetime | None = None
    old: list[str] = field(default_factory=list)


class Requests(Stateful):
    """Three machines, whoever carries their requests, and an Owner; each example is a seed."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(world, loop)

    @initialize(drawing=st.randoms(use_true_random=True))
    def issue(self, drawing: Any) -> None:
        self.drawing, self.cap = drawing, drawing.randint(1, 2)
        self.mode = drawing.choice(["SelfService", "Approval"])
        self.stay_signed_in()
        terms = {"maxActiveUsersCount": self.cap, "offlineActivation": self.mode}
        self.license = self.run(self.world.issue("Concurrent", **terms))
        self.known = {name: Known(Machine(self.world, self.license, name)) for name in NAMES}

    @rule()
    def move(self) -> None:
        self.clock.advance(minutes=1)  # what an address sends in a minute is limited
        self.stay_signed_in()
        known = self.known[self.drawing.choice(NAMES)]
        for item in self.known.values():
            if item.releasing is not None and item.releasing <= self.clock.now:
                item.seated, item.releasing = False, None
        getattr(self, f"_{self.drawing.choice(MOVES)}")(known)

    def _used(self) -> int:
        return sum(item.seated for item in self.known.values())

    def _send(self, known: Known, text: str, expected: str | None) -> dict[str, Any]:
        answer = self.run(known.machine.send(text))
        self._expect(answer, expected)
        return dict(answer.json()) if expected is None else {}

    def _expect(self, answer: Any, expected: str | None) -> None:
        code = None if answer.is_success else answer.json()["errorCode"]
        assert code == expected, answer.text

    def _refusal(self, known: Known, kind: str) -> str | None:
        """Why the machine would get no answer now."""
        if known.blocked:
            return "DeviceBlocked"
        is_there = known.seated and known.releasing is None
        if kind == "Refresh":
            return None if is_there else "ActivationNotFound"
        return None if known.seated or self._used() < self.cap else "MaxActivationsReached"

    def _ask(self, known: Known, kind: str) -> None:
        text = known.machine.sign(kind)
        if self.mode == "Approval":
            found = self._send(known, text, None)
            assert found["state"] == "Waiting"
            self._store(known, "Waiting", kind, text)
            return
        refused = self._refusal(known, kind)
        found = self._send(known, text, refused)
        if refused is None:
            self._store(known, "Answered", kind, text)
            self._answered(known, found)

    def _store(self, known: Known, state: str, kind: str, text: str) -> None:
        if known.text:
            known.old.append(known.text)
        known.state, known.kind, known.text, known.answer = state, kind, text, None

    def _answered(self, known: Known, found: dict[str, Any]) -> None:
        known.state, known.answer, known.was_answered = "Answered", found, True
        known.seated, known.releasing = True, None
        known.ends = self.clock.now + timedelta(days=DAYS) - LATE

    def _activate(self, known: Known) -> None:
        self._ask(known, "Activate")

    def _refresh(self, known: Known) -> None:
        self._ask(known, "Refresh")

    def _repeat(self, known: Known) -> None:
        """Send the newest request again: it stands as it stood, and nothing is taken twice."""
        if known.state in {"New", "Released"}:
            return
        if known.state == "Answered":
            expected = self._refusal_of_repeat(known)
            found = self._send(known, known.text, expected)
            assert expected is not None or found == known.answer
        elif known.state == "Rejected" and self.mode == "Approval":
            self._send(known, known.text, "OfflineActivationNotAllowed")
        elif self.mode == "Approval":
            assert self._send(known, known.text, None)["state"] == "Waiting"

    def _refusal_of_repeat(self, known: Known) -> str | None:
        if known.ends is None or known.ends <= self.clock.now:
            return "OfflineRequestOutdated"
        return self._refusal(known, "Refresh")

    def _older(self, known: Known) -> None:
        if known.old:
            self._send(known, self.drawing.choice(known.old), "OfflineRequestOutdated")

    def _release(self, known: Known) -> None:
        text = known.machine.sign("Release")
        refused = self._refusal_of_release(known)
        self._send(known, text, refused)
        if refused is None:
            self._store(known, "Released", "Release", text)
            known.seated, known.releasing = False, None

    def _refusal_of_release(self, known: Known) -> str | None:
        if not known.was_answered:
            return "ActivationNotFound"
        return "DeviceBlocked" if known.blocked else None

    def _release_by_code(self, known: Known) -> None:
        if not known.was_answered or known.answer is None:
            return
        claims = self.run(known.machine.claims_in(known.answer))
        code = known.machine.release_code(claims["jti"])
        answer = self.run(known.machine.send(code, licenseKey=self.license["licenseKey"]))
        refused = self._refusal_of_release(known)
        self._expect(answer, refused)
        if refused is None:
            self._store(known, "Released", "Release", "")
            known.seated, known.releasing = False, None

    def _decide(self, known: Known, act: str) -> Any:
        rows = self.run(known.machine.rows())
        [row] = [row for row in rows if row["hardwareId"] == known.machine.hardware_id]
        path = f"/api/offline/requests/{row['id']}/{act}"
        return self.run(self.world.owner.send("POST", path))

    def _approve(self, known: Known) -> None:
        if known.state not in {"Waiting", "Rejected"}:
            return
        refused = self._refusal(known, known.kind)
        answer = self._decide(known, "approve")
        self._expect(answer, refused)
        if refused is None:
            self._answered(known, answer.json())

    def _reject(self, known: Known) -> None:
        if known.state == "New":
            return
        is_open = known.state in {"Waiting", "Rejected"}
        self._expect(self._decide(known, "reject"), None if is_open else "Conflict")
        known.state = "Rejected" if is_open else known.state

    def _operate(self, known: Known, act: str) -> None:
        devices = self.run(self.world.devices(self.license))
        for device in devices:
            if device["hardwareId"] == known.machine.hardware_id:
                self.run(self.world.operate(device, act))

    def _block(self, known: Known) -> None:
        if known.seated:
            self._operate(known, "block")
            known.blocked, known.releasing = True, None

    def _unblock(self, known: Known) -> None:
        if known.blocked:
            self._operate(known, "unblock")
            known.blocked = False

    def _remove(self, known: Known) -> None:
        """Remove a device as an operator does: its file keeps the seat until its end."""
        if not known.seated or known.blocked or known.releasing is not None:
            return
        self._operate(known, "deactivate")
        works = known.ends is not None and known.ends > self.clock.now
        known.releasing = known.ends if works else None
        known.seated = works

    def _change_mode(self, _: Known) -> None:
        self.mode = "SelfService" if self.mode == "Approval" else "Approval"
        path = f"/api/licenses/{self.license['id']}"
        self.run(self.world.owner.ok("PUT", path, {"offlineActivation": self.mode}))

    def _wait(self, _: Known) -> None:
        self.clock.advance(days=self.drawing.choice([1, 5, 20]))

    @invariant()
    def seats_are_as_the_model_has_them(self) -> None:
        if not hasattr(self, "known"):
            return
        self.stay_signed_in()
        now = self.clock.now
        live = [
            item
            for item in self.known.values()
            if item.seated and (item.releasing is None or item.releasing > now)
        ]
        assert len(live) <= self.cap
        assert self.run(self.known["m-0"].machine.seats()) == len(live)


def test_requests_are_answered_as_the_model_does(
    world: World, loop: asyncio.AbstractEventLoop
) -> None:
    run_state_machine_as_test(lambda: Requests(world, loop), settings=SETTINGS)  # type: ignore[arg-type]


def never_outdated(*_: object) -> Order:
    return Order.NEWER


async def not_released(*_: object) -> None:
    """A release that frees no seat."""


async def not_held(*_: object) -> None:
    """An answer that keeps no seat until its end."""


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an older request is answered": lambda patch: patch.setattr(
        answering, "order_of", never_outdated
    ),
    "a release frees nothing": lambda patch: patch.setattr(
        answering, "release_proven", not_released
    ),
    "an answer holds nothing": lambda patch: patch.setattr(answering, "hold_until", not_held),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", BROKEN)
def test_control_a_fault_is_found(
    world: World, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    BROKEN[fault](monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(lambda: Requests(world, loop), settings=SETTINGS)  # type: ignore[arg-type]
