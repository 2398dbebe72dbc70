"""Property test: no credit is lost or charged twice, whatever is called and whatever is lost."""

from __future__ import annotations

import contextlib
import tempfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from licet_testkit import is_long

from licet import LicenseClient, LicetError, ReservedCredits
from licet.testing import FakeServer

START = datetime(2030, 1, 1, tzinfo=UTC)
GRANTED = 200


class Reservations(RuleBasedStateMachine):
    """A device that reserves, spends, reports, renews, returns and starts again.

    Attributes:
        made: The cost of each confirmed charge, by its key.
    """

    def __init__(self) -> None:
        super().__init__()
        self.server = FakeServer(clock=lambda: START)
        self.license = self.server.issue(
            "MeteredCount",
            initial_meter_balance=GRANTED,
            max_borrow_days=30,
            max_offline_credits=60,
        )
        self._folder = tempfile.TemporaryDirectory()
        self.client = self.start()
        self.made: dict[str, Decimal] = {}
        self.tried = 0
        self.reserved: ReservedCredits | None = None

    def start(self) -> LicenseClient:
        return self.server.client(self.license, folder=Path(self._folder.name))

    @initialize()
    def begin(self) -> None:
        self.reserve("60", 7, lost=False)

    @rule(amount=st.sampled_from(["5", "60"]), days=st.sampled_from([1, 7]), lost=st.booleans())
    def reserve(self, amount: str, days: int, *, lost: bool) -> None:
        if lost:
            self.server.lose_next_response(on="/leases")
        with contextlib.suppress(LicetError):
            self.reserved = self.client.reserve(amount, days)

    @rule(quantity=st.integers(1, 3))
    def consume(self, quantity: int) -> None:
        self.tried += 1
        self.charge(f"order-{self.tried}", quantity)

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def consume_again(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.made)))
        self.charge(key, int(self.made[key]))

    def charge(self, key: str, quantity: int) -> None:
        with contextlib.suppress(LicetError):
            charge = self.client.consume("export", quantity, idempotency_key=key)
            assert charge.cost == quantity
            self.made[key] = charge.cost

    @precondition(lambda self: self.reserved)
    @rule(name=st.sampled_from(["report", "renew", "renew", "return_"]), lost=st.booleans())
    def change(self, name: str, *, lost: bool) -> None:
        if lost and self.reserved is not None:
            action = name.removesuffix("_")
            self.server.lose_next_response(on=f"/leases/{self.reserved.lease_id}/{action}")
        with contextlib.suppress(LicetError):
            getattr(self.reserved, name)()

    @rule()
    def start_again(self) -> None:
        self.client.close()
        self.client = self.start()
        self.reserved = self.client.reserved_credits()

    @rule(online=st.sampled_from([True, True, False]))
    def network(self, *, online: bool) -> None:
        (self.server.go_online if online else self.server.go_offline)()

    @rule()
    def a_day_passes(self) -> None:
        self.server.advance(days=1)

    @invariant()
    def no_credit_is_lost(self) -> None:
        held = sum((lease.held or 0 for lease in self.license.leases), Decimal(0))
        charged = [entry for entry in self.license.ledger if entry.type == "Consume"]
        consumed = -sum(entry.amount for entry in charged)
        assert self.license.balance + held + consumed == GRANTED
        keys = [entry.idempotency_key for entry in charged]
        assert len(keys) == len(set(keys)), "a key was charged twice"
        assert all(lease.state != "Forked" for lease in self.license.leases)

    def teardown(self) -> None:
        self.server.go_online()
        self.client.close()
        with self.start() as client:
            client.validate()
            reserved = client.reserved_credits()
            if reserved is not None:
                reserved.return_()
        ledger = {
            entry.idempotency_key: -entry.amount
            for entry in self.license.ledger
            if entry.type == "Consume"
        }
        assert self.made.items() <= ledger.items(), "a confirmed charge is lost"
        self._folder.cleanup()


TestReservations = Reservations.TestCase
TestReservations.settings = settings(
    max_examples=200 if is_long() else 15, stateful_step_count=25, deadline=None
)
