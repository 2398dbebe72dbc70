"""Each expiry reminder is sent exactly once, whatever the clock does.

Runs on its own database, because reminders are sent for all institutions at once.
"""

import asyncio
import random  # noqa: TID251 - seeded, so that a failure can be repeated
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from licenses.factories import issue
from licenses.reminder_log import DAY, KINDS, Reminder, ReminderLog, put_back, remind, trial, wire
from sqlalchemy import text
from testkit import FakeClock, Owner
from volumes import is_long
from world import World

from licet_server.app import Application
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.reminders import EXPIRED, days_left, stages_at


@pytest.fixture
def application(fresh_application: Application) -> Application:
    return fresh_application


@pytest.fixture
def log(platform: Platform) -> ReminderLog:
    return ReminderLog(platform)


# --- rules -----------------------------------------------------------------------------------


NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "stage"),
    [
        *[(31, None), (30.01, None), (30, 30), (29, 30), (7.01, 30), (7, 7), (5, 7), (1, 1)],
        *[(0.01, 1), (0, EXPIRED), (-0.01, EXPIRED), (-900, EXPIRED)],
    ],
)
def test_a_term_is_in_one_stage_at_most(left: float, stage: int | None) -> None:
    ends = NOW + left * DAY
    found = [item.days for item in stages_at([30, 7, 1], NOW) if item.after < ends <= item.until]
    assert found == ([] if stage is None else [stage])


def test_reminder_days_may_be_unordered_and_repeated() -> None:
    assert stages_at([1, 30, 7, 7, 0, -3], NOW) == stages_at([30, 7, 1], NOW)
    assert [item.days for item in stages_at([], NOW)] == [EXPIRED]


def test_days_left_are_rounded_up() -> None:
    assert [days_left(NOW + left * DAY, NOW) for left in (30, 29.9, 1.1, 1, 0.1, 0, -4)] == [
        30, 30, 2, 1, 1, 0, 0,
    ]  # fmt: skip


# --- one license -----------------------------------------------------------------------------


@pytest.mark.specification("events.reminders")
async def test_reminders_are_sent_once_on_their_days(world: World, log: ReminderLog) -> None:
    await trial(world.platform, world.owner, world.product, 40, world.clock)
    sent: list[tuple[str, int]] = []
    for _ in range(45):
        await remind(world.platform)
        sent += (await log.unread_kinds()).elements()
        world.clock.advance(days=1)
    expiring = [("license.expiring", days) for days in (30, 7, 1)]
    assert sent == [*expiring, ("license.expired", 0)]


async def test_the_event_describes_the_license(world: World) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 4.5, world.clock)
    await remind(world.platform)
    async with world.platform.database.reading() as db:
        row = (await db.execute(text("SELECT * FROM events WHERE kind = 'license.expiring'"))).one()
    assert str(row.subject_id) == row.data["id"] == license_id
    assert (str(row.product_id), row.actor_kind) == (world.product["id"], "System")
    assert row.data["status"] == "Active"
    assert row.data["daysLeft"] == 5
    assert row.data["licenseName"] == "A Trial license"
    assert "licenseKey" not in row.data


async def test_after_downtime_only_the_last_reminder_is_sent(
    world: World, log: ReminderLog
) -> None:
    await trial(world.platform, world.owner, world.product, 60, world.clock)
    assert await remind(world.platform) == 0
    world.clock.advance(days=55)
    assert await remind(world.platform) == 1
    assert await log.unread_kinds() == {("license.expiring", 5): 1}
    assert await remind(world.platform) == 0
    world.clock.advance(days=30)
    assert await remind(world.platform) == 1
    assert await remind(world.platform) == 0
    assert await log.unread_kinds() == {("license.expired", 0): 1}


async def test_a_clock_that_is_set_back_repeats_nothing(world: World, log: ReminderLog) -> None:
    await trial(world.platform, world.owner, world.product, 60, world.clock)
    world.clock.advance(days=54)
    await remind(world.platform)
    assert await log.unread_kinds() == {("license.expiring", 6): 1}
    for days in (-30, 25, 5, -54):
        world.clock.advance(days=days)
        assert await remind(world.platform) == 0
    world.clock.advance(days=59)
    assert await remind(world.platform) == 1


async def test_a_renewed_license_starts_over(world: World, log: ReminderLog) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 3, world.clock)
    await remind(world.platform)
    world.clock.advance(days=5)
    await remind(world.platform)
    assert await log.unread_kinds() == {("license.expiring", 3): 1, ("license.expired", 0): 1}
    await world.owner.sign_in()
    later = {"expirationDate": wire(world.clock() + 100 * DAY)}
    await world.owner.ok("PUT", f"/api/licenses/{license_id}", later)
    assert await remind(world.platform) == 0
    world.clock.advance(days=70)
    await remind(world.platform)
    assert await log.unread_kinds() == {("license.expiring", 30): 1}


async def test_a_date_that_is_put_back_at_once_repeats_nothing(world: World) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 20, world.clock)
    assert await remind(world.platform) == 1
    right, wrong = (wire(world.clock() + days * DAY) for days in (20, 400))
    for ends in (wrong, right):
        await world.owner.ok("PUT", f"/api/licenses/{license_id}", {"expirationDate": ends})
    assert await remind(world.platform) == 0


async def test_suspended_licenses_get_no_reminder_until_they_are_reinstated(
    world: World, log: ReminderLog
) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 20, world.clock)
    await world.owner.ok("POST", f"/api/licenses/{license_id}/suspend", {})
    assert await remind(world.platform) == 0
    world.clock.advance(days=15)
    assert await remind(world.platform) == 0
    await world.owner.sign_in()
    await world.owner.ok("POST", f"/api/licenses/{license_id}/reinstate")
    assert await remind(world.platform) == 1
    assert await log.unread_kinds() == {("license.expiring", 5): 1}


async def test_revoked_and_unlimited_licenses_get_no_reminder(world: World) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 20, world.clock)
    await world.owner.ok("POST", f"/api/licenses/{license_id}/revoke", {})
    await world.issue("Perpetual")
    for _ in range(3):
        assert await remind(world.platform) == 0
        world.clock.advance(days=15)


async def test_licenses_of_any_model_with_a_term_get_reminders(world: World) -> None:
    ends = {"expirationDate": wire(world.clock() + 2 * DAY)}
    for model in ("Perpetual", "Subscription", "Floating", "NodeLocked", "MeteredCount"):
        made = await world.issue(model, **ends)
        await put_back(world.platform, made["id"], 365)
    assert await remind(world.platform) == 5


@pytest.mark.specification("mission-10")
async def test_a_term_that_is_not_longer_than_the_days_of_a_reminder_is_not_reminded_of(
    world: World, log: ReminderLog
) -> None:
    """A 30-day trial does not warn as soon as it is issued, but a longer one does."""
    for days in (30, 30.5):
        await world.issue("Trial", expirationDate=wire(world.clock() + days * DAY))
    sent: list[tuple[str, int]] = []
    for _ in range(33):
        await remind(world.platform)
        sent += (await log.unread_kinds()).elements()
        world.clock.advance(days=1)
    assert sorted(sent) == sorted(
        [("license.expiring", 30), ("license.expiring", 7), ("license.expiring", 7)]
        + [("license.expiring", 1)] * 2
        + [("license.expired", 0)] * 2
    )


async def test_only_reminders_are_skipped_for_a_short_term_not_the_notice_of_its_end(
    world: World, log: ReminderLog
) -> None:
    await world.issue("Trial", expirationDate=wire(world.clock() + DAY / 2))
    assert await remind(world.platform) == 0
    world.clock.advance(days=1)
    assert await remind(world.platform) == 1
    assert await log.unread_kinds() == {("license.expired", 0): 1}


@pytest.mark.parametrize("early", [-1, 0, 3])
async def test_a_short_term_is_renewed_without_a_reminder_each_time(
    world: World, log: ReminderLog, early: int
) -> None:
    """Monthly terms that are renewed a day late, on time or some days early."""
    ends = world.clock() + 30 * DAY
    made = await world.issue("Subscription", expirationDate=wire(ends))
    sent: list[tuple[str, int]] = []
    for _ in range(120):
        world.clock.advance(days=1)
        await remind(world.platform)
        sent += (await log.unread_kinds()).elements()
        if world.clock() >= ends - early * DAY:
            ends = max(ends, world.clock()) + 30 * DAY
            await world.owner.sign_in()
            body = {"action": "extend", "ids": [made["id"]], "days": 30}
            await world.owner.ok("POST", "/api/licenses/bulk", body)
    assert ("license.expiring", 30) not in sent
    assert sent.count(("license.expiring", 7)) >= 3


async def test_reminders_of_a_long_term_stay_when_a_few_days_are_added(
    world: World, log: ReminderLog
) -> None:
    license_id = await trial(world.platform, world.owner, world.product, 300, world.clock)
    body = {"action": "extend", "ids": [license_id], "days": 14}
    assert (await world.owner.ok("POST", "/api/licenses/bulk", body))["done"] == 1
    world.clock.advance(days=285)
    await remind(world.platform)
    assert await log.unread_kinds() == {("license.expiring", 29): 1}


async def test_an_institution_chooses_its_days(world: World, log: ReminderLog) -> None:
    async with world.platform.database.transaction() as db:
        await db.execute(
            text("UPDATE institutions SET expiry_reminder_days = '[90, 3]' WHERE id = :id"),
            {"id": world.owner.institution_id},
        )
    await trial(world.platform, world.owner, world.product, 100, world.clock)
    sent: list[tuple[str, int]] = []
    for _ in range(101):
        await remind(world.platform)
        sent += (await log.unread_kinds()).elements()
        world.clock.advance(days=1)
    assert sent == [("license.expiring", 90), ("license.expiring", 3), ("license.expired", 0)]


# --- a simulated year ------------------------------------------------------------------------


@dataclass
class Modeled:
    """A license in the model."""

    id: str
    issued: datetime
    began: datetime
    ends: datetime
    is_suspended: bool = False
    is_revoked: bool = False
    sent: tuple[datetime, int] | None = None

    def end(self, ends: datetime, now: datetime) -> None:
        """Change the end; more time than was left is a new term."""
        if ends - self.ends > self.ends - now:
            self.began = max(self.ends, now)
        elif self.began >= ends:
            self.began = self.issued
        self.ends = ends

    def due(self, now: datetime) -> list[Reminder]:
        """The reminders that a run at `now` must send."""
        if self.is_suspended or self.is_revoked:
            return []
        left = self.ends - now
        stage = next((days for days in (0, 1, 7, 30) if left <= days * DAY), None)
        if stage is None or (stage > 0 and self.ends - self.began <= stage * DAY):
            return []
        if self.sent is not None and self.sent[0] == self.ends and self.sent[1] <= stage:
            return []
        self.sent = (self.ends, stage)
        kind = "license.expired" if stage == 0 else "license.expiring"
        whole = max(0, -(-int(left.total_seconds()) // 86_400))
        return [(self.id, kind, self.ends, whole)]


class Year:
    """Licenses, a clock that jumps, and an operator who changes their mind."""

    def __init__(
        self, owner: Owner, product: dict[str, Any], clock: FakeClock, dice: random.Random
    ) -> None:
        self.owner, self.product, self.clock, self.dice = owner, product, clock, dice
        self.licenses: list[Modeled] = []

    async def pass_some_time(self) -> None:
        self.clock.advance(hours=self.dice.uniform(1, 30))
        what = self.dice.random()
        if what < 0.06:
            self.clock.advance(days=self.dice.uniform(2, 45))  # downtime
        elif what < 0.12:
            self.clock.advance(days=-self.dice.uniform(0.1, 12))
        elif what < 0.15:
            self.clock.advance(days=self.dice.uniform(20, 40))
            await self.look()
            self.clock.advance(days=-self.dice.uniform(20, 40))

    async def look(self) -> None:
        """Send the reminders; replaced by the test."""

    async def operate(self) -> None:
        what = self.dice.random()
        if what > 0.25:
            return
        await self.owner.sign_in()
        if len(self.licenses) < 25 and (what < 0.1 or not self.licenses):
            ends = self._an_end()
            made = await issue(self.owner, self.product, "Trial", expirationDate=wire(ends))
            self.licenses.append(Modeled(made["id"], self.clock(), self.clock(), ends))
            return
        one = self.dice.choice(self.licenses)
        path = f"/api/licenses/{one.id}"
        if one.is_revoked:
            return
        if what < 0.18:
            one.end(self._an_end(), self.clock())
            await self.owner.ok("PUT", path, {"expirationDate": wire(one.ends)})
        elif what < 0.21:
            one.is_suspended = True
            await self.owner.ok("POST", f"{path}/suspend", {})
        elif what < 0.24:
            one.is_suspended = False
            await self.owner.ok("POST", f"{path}/reinstate")
        else:
            one.is_revoked = True
            await self.owner.ok("POST", f"{path}/revoke", {})

    def _an_end(self) -> datetime:
        far = self.dice.choice([3, 12, 40, 120])
        return self.clock() + timedelta(seconds=int(self.dice.uniform(0.1, far) * 86_400))


@pytest.mark.parametrize("seed", [1, 2] if is_long() else [1])
async def test_each_reminder_of_a_year_is_sent_once(
    world: World, log: ReminderLog, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Several processes at once, compared with the model; every reminder is counted."""
    year = Year(world.owner, world.product, world.clock, random.Random(seed))
    total: Counter[Reminder] = Counter()

    async def look() -> None:
        wanted = Counter(sent for item in year.licenses for sent in item.due(world.clock()))
        await asyncio.gather(*(remind(world.platform) for _ in range(3)))
        found = await log.unread()
        assert found == wanted, world.clock()
        total.update(found)

    year.look = look  # type: ignore[method-assign]
    ends = world.clock() + 365 * DAY
    while world.clock() < ends:
        await year.pass_some_time()
        await year.operate()
        await look()
    by_kind = Counter(kind for _, kind, _, _ in total.elements())
    record_property("sent", dict(by_kind))
    assert min(by_kind[kind] for kind in KINDS) >= 10
    ended = Counter((item, ends) for item, kind, ends, _ in total.elements() if kind == KINDS[1])
    again = {key for key, count in ended.items() if count > 1}
    assert not again
