"""Random borrowing over days by devices of one license, some of them copied: as the model does."""

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
from leases.borrower import Borrower
from machines import STEPS, Machine
from volumes import is_long
from world import World

from licet_server.leases.service import borrowing
from licet_server.leases.service.ending import end_over_leases
from licet_server.sessions.service import holding
from licet_server.sessions.service.ending import end_expired_sessions

__all__ = ["loop"]
SETTINGS = hypothesis.settings(STEPS, max_examples=25 if is_long() else 4)
MACHINES = ("m-0", "m-1", "m-2")
LEEWAY = timedelta(minutes=5)
MOVES = (
    *["borrow"] * 4,
    *["renew"] * 4,
    *["wait"] * 4,
    *["give_back", "connect", "acknowledge"] * 2,
    *["force", "disconnect", "change_cap"],
)
"""The moves, as often as they are drawn."""


@dataclass
class Away:
    """A lease as its device knows it: every token that it ever had, the newest last."""

    machine: str
    tokens: list[dict[str, Any]]
    until: datetime
    freed: bool = False
    forked: bool = False
    acknowledged: bool = False

    def is_held(self, now: datetime) -> bool:
        return not self.freed and now < self.until + LEEWAY


@dataclass
class Known:
    """What the license has given out."""

    leases: list[Away] = field(default_factory=list)
    live: dict[str, datetime] = field(default_factory=dict)

    def held(self, now: datetime) -> list[Away]:
        return [item for item in self.leases if item.is_held(now)]

    def used(self, now: datetime) -> int:
        return len(self.held(now)) + sum(until > now for until in self.live.values())


class Leases(Machine):
    """Three devices that borrow, renew and return, from new and from old states, and an Owner.

    Each example is a seed. Moves that Hypothesis draws one by one are much alike in so few
    examples: a lease would seldom be renewed, and then outlive its first end.
    """

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(world, loop)
        self.devices = {name: Borrower.of(world) for name in MACHINES}
        self.known = Known()

    @initialize(drawing=st.randoms(use_true_random=True))
    def issue(self, drawing: Any) -> None:
        self.drawing, cap = drawing, drawing.randint(1, 3)
        self.stay_signed_in()
        terms = {"maxActiveUsersCount": cap, "maxBorrowDays": 5, "activationMode": "Online"}
        self.license = self.run(self.world.issue("Floating", **terms))
        self.cap = cap

    @rule()
    def move(self) -> None:
        getattr(self, f"_{self.drawing.choice(MOVES)}")(self.drawing.choice(MACHINES))

    def _borrow(self, name: str) -> None:
        days = self.drawing.randint(1, 5)
        now, own = self.clock.now, [it for it in self.known.leases if it.machine == name]
        answer = self.run(self.devices[name].borrow(self.license, name, days))
        if any(it.is_held(now) and not it.forked for it in own):
            expected: Any = "LeaseLimitReached"
        elif any(it.forked and not it.acknowledged for it in own):
            expected = "LeaseForked"
        elif self.known.used(now) >= self.cap:
            expected = "MaxConcurrentSessionsReached"
        else:
            expected = None
            token = answer.json()
            self.known.leases.append(Away(name, [token], now + timedelta(days=days)))
        self.expect(answer, expected)

    def _renew(self, _: str) -> None:
        """Also from an old state, which is a fork, and after the end."""
        away, token = self._token(back=self.drawing.choice([0, 0, 0, 0, 1]))
        if away is None:
            return
        days = self.drawing.randint(1, 5)
        answer = self.run(self.devices[away.machine].renew(token, days))
        if not away.is_held(self.clock.now):
            self.expect(answer, "LeaseNotFound")
        elif self._forks(away, token):
            self.expect(answer, "LeaseForked")
        else:
            self.expect(answer, None)
            found = answer.json()
            assert found["seq"] == token["seq"] + 1
            assert found["endsAt"] >= token["endsAt"]
            away.tokens.append(found)
            away.until = max(away.until, self.clock.now + timedelta(days=days))

    def _give_back(self, _: str) -> None:
        away, token = self._token(back=self.drawing.choice([0, 0, 0, 1]))
        if away is None:
            return
        answer = self.run(self.devices[away.machine].give_back(token))
        if away.forked or (away.is_held(self.clock.now) and self._forks(away, token)):
            self.expect(answer, "LeaseForked")
        else:
            self.expect(answer, None)
            away.freed = True

    def _force(self, _: str) -> None:
        away, token = self._token()
        if away is not None:
            self.stay_signed_in()
            answer = self.run(self.devices[away.machine].lease_act(token, "recall", force=True))
            self.expect(answer, None if away.is_held(self.clock.now) else "Conflict")
            away.freed = True

    def _acknowledge(self, _: str) -> None:
        away, token = self._token()
        if away is not None:
            self.stay_signed_in()
            answer = self.run(self.devices[away.machine].lease_act(token, "acknowledge"))
            self.expect(answer, None if away.forked else "Conflict")
            away.acknowledged = away.forked

    def _connect(self, name: str) -> None:
        answer = self.run(self.world.connect(self.license, name))
        is_full = self.known.used(self.clock.now) >= self.cap
        self.expect(answer, "MaxConcurrentSessionsReached" if is_full else None)
        if not is_full:
            until = self.clock.now + timedelta(seconds=90)
            self.known.live[answer.json()["sessionId"]] = until

    def _disconnect(self, _: str) -> None:
        """Also the sessions of borrowed seats, which go on."""
        for away in self.known.held(self.clock.now)[:1]:
            asked = self.devices[away.machine].disconnect(away.tokens[0]["sessionId"])
            self.expect(self.run(asked), "Conflict")
        if self.known.live:
            session = self.drawing.choice(sorted(self.known.live))
            self.run(self.world.disconnect(session))
            del self.known.live[session]

    def _change_cap(self, _: str) -> None:
        self.stay_signed_in()
        self.cap = self.drawing.randint(1, 3)
        self.run(self.world.set_cap(self.license, self.cap))

    def _wait(self, _: str) -> None:
        """For a while, or until shortly after the end that a token of a held lease names."""
        ends = [
            datetime.fromisoformat(token["endsAt"])
            for away in self.known.held(self.clock.now)
            for token in away.tokens
        ]
        later = self.clock.now + timedelta(seconds=self.drawing.choice([60, 300, 43_200]))
        if ends and self.drawing.random() < 0.6:
            after = timedelta(seconds=self.drawing.choice([60, 301]))
            later = max(self.clock.now, self.drawing.choice(ends) + after)
        self.clock.now = later
        self.run(end_expired_sessions(self.world.platform))
        if self.drawing.random() < 0.5:
            self.run(end_over_leases(self.world.platform))

    @invariant()
    def seats_match_the_model(self) -> None:
        """L1 and L2: what is away is held in a slot, and beside it only what is live."""
        if not hasattr(self, "license"):
            return
        now = self.clock.now
        slots = self.run(self.world.slots_of(self.license))
        live = [item for item in slots if item["expires_at"] and item["expires_at"] > now]
        lent = {str(item["lease_id"]) for item in live if item["lease_id"]}
        held = [item.tokens[0]["leaseId"] for item in self.known.held(now)]
        assert sorted(lent) == sorted(held)
        assert len(live) == self.known.used(now)

    @invariant()
    def a_device_has_one_open_lease(self) -> None:
        """L3, apart from forked ones."""
        held = [it.machine for it in self.known.held(self.clock.now) if not it.forked]
        assert len(held) == len(set(held))

    def expect(self, answer: Any, code: str | None) -> None:
        found = None if answer.is_success else answer.json()["errorCode"]
        assert found == code, answer.text

    def _token(self, back: int = 0) -> tuple[Away | None, dict[str, Any]]:
        if not self.known.leases:
            return None, {}
        away = self.drawing.choice(self.known.leases[-3:])
        return away, away.tokens[max(0, len(away.tokens) - 1 - back)]

    def _forks(self, away: Away, token: dict[str, Any]) -> bool:
        """L4: an old state of the device is a copy."""
        away.forked = away.forked or token["seq"] < away.tokens[-1]["seq"]
        return away.forked


def test_leases_match_the_model(world: World, loop: asyncio.AbstractEventLoop) -> None:
    run_state_machine_as_test(lambda: Leases(world, loop), settings=SETTINGS)  # type: ignore[arg-type]


async def let_go(*_: object, **__: object) -> bool:
    """A renewal that does not hold the seat longer."""
    return True


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an old state is no fork": lambda patch: patch.setattr(borrowing, "is_fork", lambda *_: False),
    "a renewal does not hold the seat": lambda patch: patch.setattr(
        borrowing, "extend_lent_seat", let_go
    ),
    "a seat is free at the end": lambda patch: patch.setattr(
        holding, "held_until", lambda ends_at: ends_at
    ),
    "silence ends it": lambda patch: patch.setattr(
        holding, "held_until", lambda ends_at: ends_at - timedelta(days=5, seconds=-90)
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", BROKEN)
def test_control_a_fault_is_found(
    world: World, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    BROKEN[fault](monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(lambda: Leases(world, loop), settings=SETTINGS)  # type: ignore[arg-type]
