"""Each reminder of the end of a term, and each end, is told of once, whatever the clock does.

On a database of its own, since reminders are looked for in all institutions at once.
"""

import asyncio
import json
import random  # noqa: TID251 - seeded, so that a failure can be repeated
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from licenses.factories import issue, make_product
from sqlalchemy import Engine, event, text
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.work import Platform
from licet_server.licenses.rules.reminders import Stage, days_left, stages_at
from licet_server.licenses.service import reminders
from licet_server.licenses.service.reminders import remind
from licet_server.licenses.storage.reminders import claim_due

DAY = timedelta(days=1)
KINDS = ("license.expiring", "license.expired")
Told = tuple[str, str, datetime, int]
"""License, kind, end of the term, days left."""


@pytest.fixture
def application(fresh_application: Application) -> Application:
    return fresh_application


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await make_product(owner)


class Diary:
    """What was recorded of the ends of terms, read bit by bit."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._read: set[uuid.UUID] = set()

    async def news(self) -> Counter[Told]:
        statement = text(
            "SELECT id, subject_id, kind, data->>'expirationDate' AS ends, "
            "data->>'daysLeft' AS left FROM events WHERE kind = ANY(:kinds)"
        )
        async with self._platform.database.reading() as db:
            rows = (await db.execute(statement, {"kinds": list(KINDS)})).all()
        fresh = [row for row in rows if row.id not in self._read]
        self._read |= {row.id for row in fresh}
        return Counter(
            (str(row.subject_id), row.kind, datetime.fromisoformat(row.ends), int(row.left))
            for row in fresh
        )

    async def kinds(self) -> Counter[tuple[str, int]]:
        """The same without the licenses: kinds and days left."""
        found: Counter[tuple[str, int]] = Counter()
        for (_, kind, _, left), count in (await self.news()).items():
            found[kind, left] += count
        return found


@pytest.fixture
def diary(platform: Platform) -> Diary:
    return Diary(platform)


def wire(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


async def trial(owner: Owner, product: dict[str, Any], days: float, clock: FakeClock) -> str:
    """A trial that ends in so many days; answers its id."""
    ends = wire(clock() + days * DAY)
    made = await issue(owner, product, "Trial", expirationDate=ends)
    return str(made["id"])


# --- rules -----------------------------------------------------------------------------------


NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "stage"),
    [
        *[(31, None), (30.01, None), (30, 30), (29, 30), (7.01, 30), (7, 7), (5, 7), (1, 1)],
        *[(0.01, 1), (0, 0), (-0.01, 0), (-900, 0)],
    ],
)
def test_a_term_is_in_one_stage_at_most(left: float, stage: int | None) -> None:
    ends = NOW + left * DAY
    found = [item.days for item in stages_at([30, 7, 1], NOW) if item.after < ends <= item.until]
    assert found == ([] if stage is None else [stage])


def test_reminders_may_come_in_any_order_and_twice() -> None:
    assert stages_at([1, 30, 7, 7, 0, -3], NOW) == stages_at([30, 7, 1], NOW)
    assert [item.days for item in stages_at([], NOW)] == [0]


def test_a_begun_day_counts_as_a_whole_one() -> None:
    assert [days_left(NOW + left * DAY, NOW) for left in (30, 29.9, 1.1, 1, 0.1, 0, -4)] == [
        30, 30, 2, 1, 1, 0, 0,
    ]  # fmt: skip


# --- one license -----------------------------------------------------------------------------


async def test_reminders_come_on_their_days_and_once(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    await trial(owner, product, 40, clock)
    heard: list[tuple[str, int]] = []
    for _ in range(45):
        await remind(platform)
        heard += (await diary.kinds()).elements()
        clock.advance(days=1)
    expiring = [("license.expiring", days) for days in (30, 7, 1)]
    assert heard == [*expiring, ("license.expired", 0)]


async def test_what_is_told_of_a_license(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    license_id = await trial(owner, product, 4.5, clock)
    await remind(platform)
    async with platform.database.reading() as db:
        row = (await db.execute(text("SELECT * FROM events WHERE kind = 'license.expiring'"))).one()
    assert str(row.subject_id) == row.data["id"] == license_id
    assert (str(row.product_id), row.actor_kind) == (product["id"], "System")
    assert row.data["status"] == "Active"
    assert row.data["daysLeft"] == 5
    assert row.data["licenseName"] == "A Trial license"
    assert "licenseKey" not in row.data


async def test_after_downtime_only_the_nearest_one_is_sent(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    await trial(owner, product, 60, clock)
    assert await remind(platform) == 0
    clock.advance(days=55)
    assert await remind(platform) == 1
    assert await diary.kinds() == {("license.expiring", 5): 1}
    assert await remind(platform) == 0
    clock.advance(days=30)
    assert await remind(platform) == 1
    assert await remind(platform) == 0
    assert await diary.kinds() == {("license.expired", 0): 1}


async def test_a_clock_that_is_set_back_repeats_nothing(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    await trial(owner, product, 60, clock)
    clock.advance(days=54)
    await remind(platform)
    assert await diary.kinds() == {("license.expiring", 6): 1}
    for days in (-30, 25, 5, -54):
        clock.advance(days=days)
        assert await remind(platform) == 0
    clock.advance(days=59)
    assert await remind(platform) == 1


async def test_a_renewed_license_starts_anew(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    license_id = await trial(owner, product, 3, clock)
    await remind(platform)
    clock.advance(days=5)
    await remind(platform)
    assert await diary.kinds() == {("license.expiring", 3): 1, ("license.expired", 0): 1}
    await owner.sign_in()
    later = {"expirationDate": wire(clock() + 100 * DAY)}
    await owner.ok("PUT", f"/api/licenses/{license_id}", later)
    assert await remind(platform) == 0
    clock.advance(days=70)
    await remind(platform)
    assert await diary.kinds() == {("license.expiring", 30): 1}


async def test_a_date_that_is_put_back_at_once_repeats_nothing(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    license_id = await trial(owner, product, 20, clock)
    assert await remind(platform) == 1
    right, wrong = (wire(clock() + days * DAY) for days in (20, 400))
    for ends in (wrong, right):
        await owner.ok("PUT", f"/api/licenses/{license_id}", {"expirationDate": ends})
    assert await remind(platform) == 0


async def test_suspended_ones_are_left_alone_until_they_are_reinstated(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    license_id = await trial(owner, product, 20, clock)
    await owner.ok("POST", f"/api/licenses/{license_id}/suspend", {})
    assert await remind(platform) == 0
    clock.advance(days=15)
    assert await remind(platform) == 0
    await owner.sign_in()
    await owner.ok("POST", f"/api/licenses/{license_id}/reinstate")
    assert await remind(platform) == 1
    assert await diary.kinds() == {("license.expiring", 5): 1}


async def test_revoked_ones_and_those_without_an_end_are_left_alone(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    license_id = await trial(owner, product, 20, clock)
    await owner.ok("POST", f"/api/licenses/{license_id}/revoke", {})
    await issue(owner, product, "Perpetual")
    for _ in range(3):
        assert await remind(platform) == 0
        clock.advance(days=15)


async def test_any_model_with_an_end_is_told_of(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    ends = {"expirationDate": wire(clock() + 2 * DAY)}
    for model in ("Perpetual", "Subscription", "Floating", "NodeLocked", "MeteredCount"):
        await issue(owner, product, model, **ends)
    assert await remind(platform) == 5


async def test_an_institution_chooses_its_days(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE institutions SET expiry_reminder_days = '[90, 3]' WHERE id = :id"),
            {"id": owner.institution_id},
        )
    await trial(owner, product, 100, clock)
    heard: list[tuple[str, int]] = []
    for _ in range(101):
        await remind(platform)
        heard += (await diary.kinds()).elements()
        clock.advance(days=1)
    assert heard == [("license.expiring", 90), ("license.expiring", 3), ("license.expired", 0)]


# --- a simulated year ------------------------------------------------------------------------


@dataclass
class Modeled:
    """A license as a plain book keeps it."""

    id: str
    ends: datetime
    is_suspended: bool = False
    is_revoked: bool = False
    told: tuple[datetime, int] | None = None

    def due(self, now: datetime) -> list[Told]:
        """What a run at `now` has to tell, once."""
        if self.is_suspended or self.is_revoked:
            return []
        left = self.ends - now
        stage = next((days for days in (0, 1, 7, 30) if left <= days * DAY), None)
        if stage is None:
            return []
        if self.told is not None and self.told[0] == self.ends and self.told[1] <= stage:
            return []
        self.told = (self.ends, stage)
        kind = "license.expired" if stage == 0 else "license.expiring"
        whole = max(0, -(-int(left.total_seconds()) // 86_400))
        return [(self.id, kind, self.ends, whole)]


class Year:
    """Licenses, a clock that does what clocks do, and an operator who changes his mind."""

    def __init__(
        self, owner: Owner, product: dict[str, Any], clock: FakeClock, dice: random.Random
    ) -> None:
        self.owner, self.product, self.clock, self.dice = owner, product, clock, dice
        self.licenses: list[Modeled] = []

    async def pass_some_time(self) -> None:
        self.clock.advance(hours=self.dice.uniform(1, 30))
        what = self.dice.random()
        if what < 0.06:
            self.clock.advance(days=self.dice.uniform(2, 45))  # nobody was running
        elif what < 0.12:
            self.clock.advance(days=-self.dice.uniform(0.1, 12))
        elif what < 0.15:
            self.clock.advance(days=self.dice.uniform(20, 40))
            await self.look()
            self.clock.advance(days=-self.dice.uniform(20, 40))

    async def look(self) -> None:
        """A run, which the test replaces."""

    async def operate(self) -> None:
        what = self.dice.random()
        if what > 0.25:
            return
        await self.owner.sign_in()
        if len(self.licenses) < 25 and (what < 0.1 or not self.licenses):
            ends = self._an_end()
            made = await issue(self.owner, self.product, "Trial", expirationDate=wire(ends))
            self.licenses.append(Modeled(made["id"], ends))
            return
        one = self.dice.choice(self.licenses)
        path = f"/api/licenses/{one.id}"
        if one.is_revoked:
            return
        if what < 0.18:
            one.ends = self._an_end()
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


@pytest.mark.parametrize("seed", [1, 2])
async def test_in_a_year_everything_is_told_once(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    seed: int,
    record_property: Callable[[str, object], None],
) -> None:
    """Several processes at once, against a plain book; whoever was told of what is counted."""
    year = Year(owner, product, clock, random.Random(seed))
    total: Counter[Told] = Counter()

    async def look() -> None:
        wanted = Counter(told for item in year.licenses for told in item.due(clock()))
        await asyncio.gather(*(remind(platform) for _ in range(3)))
        found = await diary.news()
        assert found == wanted, clock()
        total.update(found)

    year.look = look  # type: ignore[method-assign]
    ends = clock() + 365 * DAY
    while clock() < ends:
        await year.pass_some_time()
        await year.operate()
        await look()
    by_kind = Counter(kind for _, kind, _, _ in total.elements())
    record_property("told", dict(by_kind))
    assert min(by_kind[kind] for kind in KINDS) >= 10
    ended = Counter((item, ends) for item, kind, ends, _ in total.elements() if kind == KINDS[1])
    again = {key for key, count in ended.items() if count > 1}
    assert not again


# --- several processes -----------------------------------------------------------------------

COPIES = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, created_at, updated_at, expiration_date)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'copy-' || n, 'copy-' || n,
    license_name, activation_mode, created_at, updated_at,
    CAST(:first AS timestamptz) + n * CAST(:apart AS interval)
FROM licenses, generate_series(1, :count) AS n WHERE id = :id
"""


async def copies(
    platform: Platform, license_id: str, count: int, first: datetime, apart: timedelta
) -> None:
    given = {"id": license_id, "count": count, "first": first, "apart": apart}
    async with platform.database.transaction() as db:
        await db.execute(text(COPIES), given)


async def test_several_processes_share_the_work(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In small steps, so that one often looks just before another one commits."""
    monkeypatch.setattr(reminders, "AT_A_TIME", 10)
    license_id = await trial(owner, product, 2, clock)
    await copies(platform, license_id, 1_300, clock() + 2 * DAY, timedelta(seconds=1))
    done = 0
    while done < 1_301:
        done += sum(await asyncio.gather(*(remind(platform) for _ in range(6))))
    told = await diary.news()
    assert len(told) == told.total() == done == 1_301


async def test_without_holding_them_licenses_are_told_of_twice(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A control: the same job, which looks first and marks later."""
    license_id = await trial(owner, product, 2, clock)
    both_have_looked = asyncio.Barrier(2)

    async def look_then_mark(
        db: Connection, stages: Sequence[tuple[uuid.UUID, Stage]], limit: int
    ) -> dict[tuple[uuid.UUID, uuid.UUID], int]:
        found = text("SELECT institution_id, id FROM licenses WHERE reminded_for IS NULL")
        rows = (await db.execute(found)).all()
        await both_have_looked.wait()
        mark = text("UPDATE licenses SET reminded_for = expiration_date, reminded_days = 7")
        await db.execute(mark)
        return {(row.institution_id, row.id): 7 for row in rows}

    monkeypatch.setattr(reminders.storage, "claim_due", look_then_mark)
    await asyncio.gather(remind(platform), remind(platform))
    told = await diary.news()
    assert {item[0] for item in told} == {license_id}
    assert told.total() == 2


async def test_a_license_that_somebody_holds_waits_for_the_next_round(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    held, free = [await trial(owner, product, 2, clock) for _ in range(2)]
    async with platform.database.transaction() as db:
        hold = text("SELECT id FROM licenses WHERE id = :id FOR NO KEY UPDATE")
        await db.execute(hold, {"id": held})
        async with asyncio.timeout(10):
            assert await remind(platform) == 1
    assert {item[0] for item in await diary.news()} == {free}
    assert await remind(platform) == 1
    assert {item[0] for item in await diary.news()} == {held}


async def test_a_process_that_dies_tells_nothing_and_forgets_nothing(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await trial(owner, product, 2, clock)

    async def die(*_: Any) -> None:
        raise OSError("the process died")

    with monkeypatch.context() as patch:
        patch.setattr(reminders, "record_many", die)
        with pytest.raises(OSError, match="died"):
            await remind(platform)
    assert not await diary.news()
    assert await remind(platform) == 1


# --- plans -----------------------------------------------------------------------------------

MANY = 60_000


async def test_among_many_licenses_the_due_ones_are_found_by_their_index(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    """Most have ended long ago and were told of, or end in years."""
    license_id = await trial(owner, product, 500, clock)
    await copies(platform, license_id, MANY, clock() - 1_000 * DAY, timedelta(minutes=60))
    past = text(
        "UPDATE licenses SET reminded_for = expiration_date, reminded_days = 0 "
        "WHERE expiration_date < :now"
    )
    async with platform.database.transaction() as db:
        await db.execute(past, {"now": clock()})
    assert await remind(platform) > 500
    async with platform.database.reading() as db:
        await db.execute(text("VACUUM ANALYZE licenses"))
    clock.advance(minutes=90)
    plan = await explained(platform, owner, clock())
    nodes = list(walk(plan["Plan"]))
    assert "licenses_reminder_idx" in {node.get("Index Name") for node in nodes}
    assert "Seq Scan" not in {node["Node Type"] for node in nodes if "Relation Name" in node}
    [found] = [node for node in nodes if node.get("Subplan Name") == "CTE found"]
    assert found["Shared Hit Blocks"] + found["Shared Read Blocks"] < 100


async def explained(platform: Platform, owner: Owner, now: datetime) -> Any:
    """The plan of the claim as it runs, which is taken back afterwards."""
    stages = [(uuid.UUID(owner.institution_id), item) for item in stages_at([30, 7, 1], now)]
    async with platform.database.transaction() as db:
        taken: list[tuple[str, Any]] = []

        def note(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
            taken.append((statement, values))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            async with db.begin_nested() as attempt:
                await claim_due(db, stages, 500)
                await attempt.rollback()
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        [(statement, values)] = [item for item in taken if "licenses" in item[0]]
        asked = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}"
        answer = (await db.exec_driver_sql(asked, values)).scalar_one()
        await db.rollback()
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    return plan


def walk(node: dict[str, Any]) -> Any:
    yield node
    for inner in node.get("Plans", []):
        yield from walk(inner)
