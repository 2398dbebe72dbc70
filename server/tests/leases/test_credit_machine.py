"""Random reserving and spending over weeks, by devices that are copied and put back: as the model.

The model knows no hashes and no ledger: a journal is a list, and its settled part must begin it.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import hypothesis
import pytest
from devices.test_state_machine import loop
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test
from leases.reserver import Journal, Reserver, assert_c1, held_of
from machines import STEPS, Machine
from volumes import is_long
from world import World

from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases.rules.journal import FORK, Account, Settled, Spending, follow
from licet_server.leases.rules.model import Lease
from licet_server.leases.service import ending, operators, reserving
from licet_server.leases.service.ending import end_over_leases
from licet_server.licenses.rules.model import License
from licet_server.metering.rules.holding import Ledger, OfflineCharge
from licet_server.metering.rules.model import LedgerEntry
from licet_server.metering.service import holding

__all__ = ["loop"]
SETTINGS = hypothesis.settings(STEPS, max_examples=25 if is_long() else 4)
MACHINES = ("m-0", "m-1", "m-2")
KEYS = [f"key-{n}" for n in range(12)]
MOVES = (
    *["spend"] * 6,
    *["report"] * 4,
    *["reserve"] * 4,
    *["hand_in", "charge", "wait", "put_back"] * 3,
    *["force", "acknowledge", "renew", "grant", "change"],
)
"""The moves, as often as they are drawn."""


@dataclass
class Away:
    """A reservation: the journal of its device, what is settled of it, and older states."""

    machine: str
    journal: Journal
    amount: int
    until: datetime
    settled: list[str] = field(default_factory=list)
    spent: int = 0
    snapshots: list[Journal] = field(default_factory=list)
    ended: bool = False
    returned: bool = False
    forked: bool = False
    acknowledged: bool = False

    @property
    def rest(self) -> int:
        return self.amount - self.spent

    def is_over(self, now: datetime) -> bool:
        return now >= self.until + timedelta(days=30)


@dataclass
class Known:
    """What the service should have: the money, and what was charged or refused under each key."""

    granted: int = 0
    consumed: int = 0
    away: list[Away] = field(default_factory=list)
    charged: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def held(self) -> int:
        return sum(item.rest for item in self.away if not item.ended)

    @property
    def balance(self) -> int:
        return self.granted - self.consumed - self.held


def said_by(line: str) -> tuple[int, str]:
    """The quantity and the key of a line."""
    found = json.loads(line)
    return found["quantity"], found["key"]


class Credits(Machine):
    """Three devices and an Owner; each example is a seed, as for borrowed seats."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(world, loop)
        self.devices = {name: Reserver.of(world) for name in MACHINES}
        self.known = Known()

    @initialize(drawing=st.randoms(use_true_random=True))
    def issue(self, drawing: Any) -> None:
        self.drawing = drawing
        self.stay_signed_in()
        self.most, self.refunds = 40, False
        terms = {"initialMeterBalance": 60, "maxOfflineCredits": self.most, "maxBorrowDays": 20}
        self.license = self.run(self.world.issue("MeteredCount", **terms))
        self.known.granted = 60

    @rule()
    def move(self) -> None:
        self.stay_signed_in()
        getattr(self, f"_{self.drawing.choice(MOVES)}")(self.drawing.choice(MACHINES))

    def _reserve(self, name: str) -> None:
        amount, days = self.drawing.choice([1, 5, 10, 25]), self.drawing.randint(1, 20)
        own = [item for item in self.known.away if item.machine == name]
        answer = self.run(self.devices[name].reserve(self.license, amount, name, days))
        now = self.clock.now
        if any(not it.ended and not it.is_over(now) and not it.forked for it in own):
            expected: Any = "LeaseLimitReached"
        elif any(it.forked and not it.acknowledged for it in own):
            expected = "LeaseForked"
        elif self.known.balance < amount:
            expected = "InsufficientBalance"
        else:
            self._end_over([it for it in own if it.is_over(now)])
            if self.known.held + amount > self.most:
                expected = "LeaseLimitReached"
            else:
                expected = None
                until = now + timedelta(days=days)
                journal = Journal(dict(answer.json()))
                self.known.away.append(Away(name, journal, amount, until))
        self.expect(answer, expected)

    def _spend(self, _: str) -> None:
        """Without the service: a line, if the rest suffices; sometimes the device is saved."""
        away = self._some()
        if away is None:
            return
        if self.drawing.random() < 0.5:
            away.snapshots.append(away.journal.copy())
        quantity = self.drawing.randint(1, 4)
        if away.journal.used + quantity <= away.amount:
            away.journal.spend("x", quantity, "1", self.drawing.choice(KEYS))

    def _put_back(self, _: str) -> None:
        away = self._some()
        if away is not None and away.snapshots:
            away.journal = self.drawing.choice(away.snapshots).copy()

    def _report(self, _: str) -> None:
        away = self._some()
        if away is not None:
            since = self.drawing.randint(0, min(len(away.settled), len(away.journal.lines)))
            answer = self.run(self.devices[away.machine].report(away.journal, since))
            if self._settle(answer, away):
                assert answer.json()["settled"] == len(away.settled)
                assert answer.json()["held"] == (0 if away.ended else away.rest)

    def _hand_in(self, _: str) -> None:
        away = self._some()
        if away is not None:
            answer = self.run(self.devices[away.machine].hand_in(away.journal))
            was_open = not away.ended
            if self._settle(answer, away) and was_open and not away.ended:
                away.ended = away.returned = True
                assert answer.json()["refunded"] == away.rest

    def _settle(self, answer: Any, away: Away) -> bool:
        """Settle what is new, as the service should; return whether it took it."""
        if away.forked:
            self.expect(answer, "LeaseForked")
            return False
        if not away.ended and away.is_over(self.clock.now):
            self._end_over([away])
        if away.ended:
            self.expect(answer, None)
            assert answer.json()["state"] == ("Returned" if away.returned else "Ended")
            return True
        lines = away.journal.lines
        if lines[: len(away.settled)] != away.settled:
            away.forked = True
            self.expect(answer, "LeaseForked")
            return False
        self.expect(answer, None)
        charged = set(self.known.charged)
        for text in lines[len(away.settled) :]:
            quantity, key = said_by(text)
            away.spent += quantity
            if key not in charged:
                charged.add(key)
                self.known.consumed += quantity
                if key not in self.known.refused:  # which has its entry already
                    self.known.charged[key] = quantity
        away.settled = list(lines)
        return True

    def _charge(self, name: str) -> None:
        """With the service, under keys that devices use as well."""
        key, quantity = self.drawing.choice(KEYS), self.drawing.randint(1, 4)
        answer = self.run(
            self.world.consume(
                self.license, "x", quantity=quantity, idempotencyKey=key, hardwareId=name
            )
        )
        earlier = self.known.charged.get(key, self.known.refused.get(key))
        if earlier is not None:
            again = "InsufficientBalance" if key in self.known.refused else None
            self.expect(answer, again if earlier == quantity else "IdempotencyKeyReused")
        elif quantity > self.known.balance:
            self.known.refused[key] = quantity
            self.expect(answer, "InsufficientBalance")
        else:
            self.known.charged[key] = quantity
            self.known.consumed += quantity
            self.expect(answer, None)

    def _renew(self, _: str) -> None:
        away = self._some()
        if away is not None:
            days = self.drawing.randint(1, 20)
            answer = self.run(self.devices[away.machine].renew(away.journal.lease, days))
            if away.ended or away.is_over(self.clock.now):
                self.expect(answer, "LeaseNotFound")
            elif away.forked:
                self.expect(answer, "LeaseForked")
            else:
                self.expect(answer, None)
                away.journal.lease = dict(answer.json())
                for older in away.snapshots:
                    older.lease = away.journal.lease
                away.until = max(away.until, self.clock.now + timedelta(days=days))

    def _force(self, _: str) -> None:
        away = self._some()
        if away is not None:
            device = self.devices[away.machine]
            answer = self.run(device.lease_act(away.journal.lease, "recall", force=True))
            is_open = not away.ended and not away.is_over(self.clock.now)
            self.expect(answer, None if is_open else "Conflict")
            away.ended = away.ended or is_open

    def _acknowledge(self, _: str) -> None:
        away = self._some()
        if away is not None:
            answer = self.run(
                self.devices[away.machine].lease_act(away.journal.lease, "acknowledge")
            )
            self.expect(answer, None if away.forked else "Conflict")
            away.acknowledged = away.forked

    def _grant(self, _: str) -> None:
        amount = self.drawing.choice([5, 10])
        assert self.run(self.world.grant(self.license, amount)).is_success
        self.known.granted += amount

    def _change(self, _: str) -> None:
        self.refunds = not self.refunds
        change = {"onUnreturned": "Refund" if self.refunds else "Charge"}
        self.run(self.world.owner.ok("PUT", f"/api/licenses/{self.license['id']}", change))

    def _wait(self, _: str) -> None:
        self.clock.now += timedelta(days=self.drawing.choice([0.1, 0.1, 1, 10, 31]))
        self.stay_signed_in()
        if self.drawing.random() < 0.6:
            self.run(end_over_leases(self.world.platform))
            self._end_over([it for it in self.known.away if it.is_over(self.clock.now)])

    def _end_over(self, over: list[Away]) -> None:
        for away in over:
            if not away.ended:
                self.known.consumed += 0 if self.refunds else away.rest
                away.ended = True

    @invariant()
    def money_matches_the_model(self) -> None:
        """C1, and every amount that the model knows."""
        if not hasattr(self, "license"):
            return
        self.stay_signed_in()
        assert self.run(self.world.balance(self.license)) == self.known.balance
        assert self.run(held_of(self.world, self.license)) == self.known.held
        consumed = self.run(assert_c1(self.world.platform, self.license))
        assert consumed == Decimal(self.known.consumed)

    def expect(self, answer: Any, code: str | None) -> None:
        found = None if answer.is_success else answer.json()["errorCode"]
        assert found == code, answer.text

    def _some(self) -> Away | None:
        return self.drawing.choice(self.known.away[-4:]) if self.known.away else None


def test_credits_match_the_model(world: World, loop: asyncio.AbstractEventLoop) -> None:
    run_state_machine_as_test(lambda: Credits(world, loop), settings=SETTINGS)  # type: ignore[arg-type]


def without_forks(patch: pytest.MonkeyPatch) -> None:
    """Take a journal that was put back for one that goes on."""

    def trusting(settled: Settled, account: Account, journal: Sequence[str]) -> Any:
        found = follow(settled, account, journal)
        return Spending((), settled) if found is FORK else found

    patch.setattr(reserving, "follow", trusting)


def charging_twice(patch: pytest.MonkeyPatch) -> None:
    """Charge what is in the ledger already, without its key."""

    def settle_all(
        ledger: Ledger,
        charges: Sequence[OfflineCharge],
        rest: Decimal,
        earlier: Mapping[str, LedgerEntry],
        activation_id: UUID | None,
    ) -> None:
        ledger.settle(sum((item.cost for item in charges), Decimal(0)) + rest)
        for item in charges:
            ledger.charge(item, None, activation_id)

    patch.setattr(holding, "settle_charges", settle_all)


def keeping_the_rest(patch: pytest.MonkeyPatch) -> None:
    """End a reservation by force without giving anything back."""

    async def kept(*asked: Any, rest: Decimal) -> Any:
        return await holding.settle(*asked, rest=rest * 0)

    patch.setattr(operators, "settle", kept)


def always_refunding(patch: pytest.MonkeyPatch) -> None:
    """Give back what nobody accounted for, whatever the license says."""

    async def all_of(_: Any, over: Sequence[Lease]) -> set[UUID]:
        return {item.id for item in over}

    patch.setattr(ending, "_refunds", all_of)


def holding_nothing(patch: pytest.MonkeyPatch) -> None:
    """Reserve without setting anything aside."""

    async def not_held(work: UnitOfWork, license_: License, *_: Any) -> Any:
        return await holding.fetch_wallet(work.db, (license_.institution_id, license_.id))

    patch.setattr(reserving, "hold", not_held)


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an old state is no fork": without_forks,
    "a key is charged twice": charging_twice,
    "force gives nothing back": keeping_the_rest,
    "the end gives all back": always_refunding,
    "nothing is set aside": holding_nothing,
}


@pytest.mark.long
@pytest.mark.parametrize("fault", BROKEN)
def test_control_a_fault_is_found(
    world: World, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    BROKEN[fault](monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(lambda: Credits(world, loop), settings=SETTINGS)  # type: ignore[arg-type]
