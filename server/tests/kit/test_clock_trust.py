"""When a clock may date what is signed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from licet_server.kit.clock_trust import (
    ClockTrust,
    Confirmation,
    Evidence,
    clock_fault,
    read_confirmation,
    write_confirmation,
)
from licet_server.kit.errors import Refused

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NO_CONNECTION = cast("Any", None)


@pytest.mark.parametrize(
    ("database", "sealed", "jumped", "starts", "fault"),
    [
        (0, None, 0, True, None),
        (0, 0, 0, True, None),
        (0, -40, 0, True, None),
        (0, -179, 0, True, None),
        (0, -181, 0, False, None),
        (0, -181, 0, True, "181 days ahead of the last entry"),
        (0, 1, 0, False, "24 hours behind the last entry"),
        (-400, -400, 0, True, "differs from the database's clock by 400 days"),
        (2, 0, 0, False, "differs from the database's clock"),
        (0, 0, 400, False, "jumped by 400 days"),
        (0, 0, -2, False, "jumped by 2 days"),
        (0, 0, 0.9, False, None),
    ],
)
def test_a_clock_is_judged_by_what_has_surely_passed(
    database: float, sealed: float | None, jumped: float, starts: bool, fault: str | None
) -> None:
    evidence = Evidence(NOW + database * DAY, None if sealed is None else NOW + sealed * DAY)
    found = clock_fault(NOW, evidence, None, jumped=jumped * DAY, starts=starts)
    assert (found is None) if fault is None else (fault in (found or ""))


@pytest.mark.parametrize(
    ("confirmed", "sealed_then", "sealed", "accepted"),
    [
        (-1, 400, 400, True),
        (-1, 400, 401, False),
        (0, -400, -400, True),
        (0, None, None, True),
        (-200, -300, -300, False),
        (-200, -300, -1, True),
        (30, 30, 30, False),
    ],
)
def test_a_confirmation_replaces_the_seals_before_it(
    confirmed: float, sealed_then: float | None, sealed: float | None, accepted: bool
) -> None:
    def moment(days: float | None) -> datetime | None:
        return None if days is None else NOW + days * DAY

    word = Confirmation(NOW + confirmed * DAY, moment(sealed_then))
    evidence = Evidence(NOW, moment(sealed))
    fault = clock_fault(NOW, evidence, word, jumped=timedelta(0), starts=True)
    assert (fault is None) is accepted


class Machine:
    """A machine whose wall clock, uptime, database and seals a test moves."""

    def __init__(self, folder: Path) -> None:
        self.wall, self.uptime = NOW, 0.0
        self.database, self.sealed = timedelta(0), NOW - DAY
        self.asked = 0
        self.folder = folder
        self.trust = self.process()

    def process(self) -> ClockTrust:
        return ClockTrust(lambda: self.wall, self.folder, self._read, lambda: self.uptime)

    def pass_time(self, duration: timedelta) -> None:
        self.wall += duration
        self.uptime += duration.total_seconds()

    async def _read(self, _: Any) -> Evidence:
        self.asked += 1
        return Evidence(self.wall + self.database, self.sealed)

    async def signs(self, trust: ClockTrust | None = None) -> bool:
        try:
            await (trust or self.trust).require(NO_CONNECTION)
        except Refused as refused:
            return refused.code != "ClockNotTrusted"
        return True


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


async def test_the_database_is_asked_for_the_first_signature_only(machine: Machine) -> None:
    for _ in range(5):
        assert await machine.signs()
        machine.pass_time(timedelta(hours=20))
    assert machine.asked == 1


async def test_a_jump_is_noticed_between_two_checks_and_forgiven_when_it_is_undone(
    machine: Machine,
) -> None:
    assert await machine.signs()
    machine.wall += 400 * DAY
    assert not await machine.signs()
    await machine.trust.check(NO_CONNECTION)
    assert not await machine.signs()
    machine.wall -= 400 * DAY
    assert not await machine.signs(), "the check decides"
    await machine.trust.check(NO_CONNECTION)
    assert await machine.signs()


async def test_a_jump_is_believed_once_an_operator_has_confirmed_it(machine: Machine) -> None:
    assert await machine.signs()
    machine.wall += 400 * DAY
    assert not await machine.signs(machine.process()), "nor after a restart"
    write_confirmation(machine.folder, Confirmation(machine.wall, machine.sealed))
    await machine.trust.check(NO_CONNECTION)
    assert await machine.signs()
    assert await machine.signs(machine.process())


async def test_a_restart_after_a_long_pause_signs(machine: Machine) -> None:
    assert await machine.signs()
    machine.wall += 90 * DAY
    machine.uptime = 0.0
    assert await machine.signs(machine.process())


async def test_a_clock_apart_from_the_databases_signs_nothing(machine: Machine) -> None:
    machine.database = -2 * DAY
    assert not await machine.signs()
    assert "database" in (machine.trust.fault or "")
    machine.database = timedelta(0)
    assert await machine.signs()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"at": 5}', '{"at": "now", "sealedAt": 1}'])
def test_a_confirmation_that_cannot_be_read_is_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "clock-confirmed.json").write_text(content)
    assert read_confirmation(tmp_path) is None
