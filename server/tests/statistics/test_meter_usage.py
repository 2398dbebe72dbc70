"""Usage in figures, against a slow recount of the ledger."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metering.factories import new_key
from metering.ledger_checks import rows_of
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, World, open_vendor

from licet_server.kit.platform import Platform
from licet_server.metering.rules.usage import Span, split_into_months
from licet_server.metering.service.usage import roll_up
from licet_server.metering.tables import (
    meter_license_days,
    meter_license_months,
    meter_product_days,
)

PATH = "/api/statistics/meter-usage"


async def recount(platform: Platform, owner: Owner, since: str, until: str) -> dict[str, Any]:
    """Compute usage the slow way, from every ledger entry."""
    me = await owner.ok("GET", "/api/auth/me")
    institution = me["memberships"][0]["institutionId"]
    async with platform.database.reading() as db:
        rows = await db.execute(
            text(
                "SELECT e.type, e.amount, e.created_at, e.license_id, e.feature_name "
                "FROM meter_entries e WHERE e.institution_id = CAST(:i AS uuid) "
                "AND e.sequence IS NOT NULL "
                "AND e.created_at >= CAST(:since AS timestamptz) "
                "AND e.created_at < CAST(:until AS timestamptz)"
            ),
            {"i": institution, "since": instant(since), "until": instant(until)},
        )
        entries = rows.all()
    days: dict[str, list[Decimal]] = {}
    licenses: dict[str, Decimal] = {}
    features: dict[str, Decimal] = {}
    for kind, amount, created, license_id, feature in entries:
        day = days.setdefault(str(created.astimezone(UTC).date()), [Decimal(0), Decimal(0)])
        if kind == "Consume":
            day[0] -= amount
            licenses[str(license_id)] = licenses.get(str(license_id), Decimal(0)) - amount
            features[feature] = features.get(feature, Decimal(0)) - amount
        elif kind.endswith("Grant"):
            day[1] += amount
    return {
        "consumption": sum((day[0] for day in days.values()), Decimal(0)),
        "grants": sum((day[1] for day in days.values()), Decimal(0)),
        "dailyTrend": {day: (used, given) for day, (used, given) in days.items()},
        "topLicenses": licenses,
        "topFeatures": features,
    }


def instant(text_: str) -> datetime:
    return datetime.fromisoformat(text_)


def compact(answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "consumption": exact(answer["consumption"]),
        "grants": exact(answer["grants"]),
        "dailyTrend": {
            day["date"]: (exact(day["consumed"]), exact(day["granted"]))
            for day in answer["dailyTrend"]
            if day["consumed"] or day["granted"]
        },
        "topLicenses": {
            item["licenseId"]: exact(item["consumed"]) for item in answer["topLicenses"]
        },
        "topFeatures": {
            item["featureName"]: exact(item["consumed"]) for item in answer["topFeatures"]
        },
    }


def exact(amount: float) -> Decimal:
    return Decimal(str(amount))


def dice() -> Callable[[int], int]:
    """Numbers below a limit, the same ones in each run."""
    throws = count()
    return lambda sides: sha256(str(next(throws)).encode()).digest()[0] % sides


async def live_for_days(
    vendor: Vendor, platform: Platform, clock: FakeClock, days: int
) -> list[dict[str, Any]]:
    """Some days of usage, partly in the daily totals."""
    roll = dice()
    made = [
        await vendor.issue("MeteredCount", initialMeterBalance=1000),
        await vendor.issue("MeteredCount", initialMeterBalance=5),
        await vendor.issue("MeteredToken", initialMeterBalance=1000),
    ]
    await vendor.priced("export", 0.25)
    await vendor.priced("import", 1.000001)
    for _ in range(days * 4):
        clock.advance(hours=6)
        await vendor.owner.sign_in()
        for _ in range(roll(4)):
            feature = ["export", "import"][roll(2)]
            fields = {"idempotencyKey": new_key(), "quantity": 1 + roll(8)}
            await vendor.consume(made[roll(3)], feature, **fields)
        if roll(5) == 0:
            await vendor.grant(made[roll(3)], 3)
            await vendor.adjust(made[0], -1)
        if roll(3) == 0:
            await roll_up(platform)
    return made


@pytest.mark.specification("meter.statistics")
async def test_figures_are_exact(world: World) -> None:
    await live_for_days(world, world.platform, world.clock, 6)
    for since, until in (
        ("2030-01-01T00:00:00+00:00", "2030-02-01T00:00:00+00:00"),
        ("2030-01-16T00:00:00+00:00", "2030-01-18T00:00:00+00:00"),
        ("2030-01-16T07:30:00+00:00", "2030-01-19T13:00:00+00:00"),
        ("2030-01-17T05:00:00+00:00", "2030-01-17T19:00:00+00:00"),
        ("2030-01-17T11:00:00+02:00", "2030-01-18T00:00:00+02:00"),
    ):
        expected = await recount(world.platform, world.owner, since, until)
        for _ in range(2):  # with some entries not in the sums, and with all of them in
            answer = await world.owner.ok("GET", PATH, params={"from": since, "to": until})
            assert compact(answer) == expected
            by_mode = answer["byMode"]
            for name in ("consumption", "grants", "totalBalance"):
                parts = sum(exact(by_mode[mode][name]) for mode in ("Count", "Token"))
                assert exact(answer[name]) == parts
            await world.consumed(await world.issue("MeteredCount"), quantity=2)
            await roll_up(world.platform)
            expected = await recount(world.platform, world.owner, since, until)
    assert any(expected["topLicenses"].values()) or expected["consumption"] == 0


async def test_figures_of_months_are_exact(world: World) -> None:
    """Whole months are read from the totals of months, the days around them by themselves."""
    made = [await world.issue(model, initialMeterBalance=1000) for model in MODELS]
    await world.priced("export", 0.25)
    roll = dice()
    for _ in range(30):
        world.clock.advance(days=3, hours=7)
        await world.owner.sign_in()
        await world.consumed(made[roll(len(made))], "export", quantity=1 + roll(8))
        await world.grant(made[roll(len(made))], 2)
        if roll(2) == 0:
            await roll_up(world.platform)
    for since, until in PERIODS_OF_MONTHS:
        expected = await recount(world.platform, world.owner, since, until)
        for _ in range(2):
            answer = await world.owner.ok("GET", PATH, params={"from": since, "to": until})
            assert compact(answer) == expected
            await roll_up(world.platform)


MODELS = ["MeteredCount", "MeteredToken", "MeteredCount"]
PERIODS_OF_MONTHS = [
    (f"2030-{since}+00:00", f"2030-{until}+00:00")
    for since, until in (
        ("01-01T00:00:00", "05-01T00:00:00"),
        ("01-20T00:00:00", "04-11T00:00:00"),
        ("02-01T00:00:00", "03-01T00:00:00"),
        ("01-31T00:00:00", "03-02T00:00:00"),
        ("01-31T08:00:00", "04-01T03:00:00"),
        ("02-02T00:00:00", "03-31T00:00:00"),
    )
]


async def test_the_totals_agree_with_one_another(world: World) -> None:
    made = [await world.issue("MeteredCount", initialMeterBalance=1000) for _ in range(3)]
    for number in range(40):
        world.clock.advance(days=2)
        await world.owner.sign_in()
        await world.consumed(made[number % 3], quantity=number + 1)
        await world.adjust(made[(number + 1) % 3], -1)
        if number % 7 == 0:
            await roll_up(world.platform)
    await roll_up(world.platform)
    fine = await rows_of(
        world.platform, meter_license_days, institution_id=world.owner.institution_id
    )
    for table, key in (
        (meter_license_months, ("license_id", "product_id", "mode")),
        (meter_product_days, ("day", "product_id", "mode")),
    ):
        coarse = await rows_of(world.platform, table, institution_id=world.owner.institution_id)
        sums = [name for name in ("consumed", "granted", "adjusted") if name in table.c]
        assert summed(coarse, key, sums) == summed(fine, key, sums)
        assert len(coarse) < len(fine)


def summed(
    rows: list[dict[str, Any]], key: tuple[str, ...], sums: list[str]
) -> dict[Any, list[Decimal]]:
    found: dict[Any, list[Decimal]] = {}
    for row in rows:
        month = row["month"] if "month" in row else row["day"].replace(day=1)
        place = (month, *(row[name] for name in key))
        so_far = found.setdefault(place, [Decimal(0)] * len(sums))
        found[place] = [total + row[name] for total, name in zip(so_far, sums, strict=True)]
    return found


@given(st.dates(date(2027, 12, 1), date(2029, 2, 1)), st.integers(-1, 500))
def test_days_are_split_into_months_and_others(first: date, length: int) -> None:
    """The months with the days added and without those taken are the days asked for, each once."""
    split = split_into_months(first, first + timedelta(days=length - 1))
    if length > 60:
        assert {day.day for day in split.months} == {1}
    counted = Counter(days_in([split.months, *split.added]))
    counted.subtract(days_in(split.taken))
    assert all(number in (0, 1) for number in counted.values())
    assert sorted(counted.elements()) == [first + timedelta(days=n) for n in range(length)]
    assert len(days_in([*split.added, *split.taken])) <= 31


def days_in(spans: Sequence[Span]) -> list[date]:
    return [a + timedelta(days=n) for a, b in spans for n in range((b - a).days)]


async def test_figures_of_a_single_license(world: World) -> None:
    made = await live_for_days(world, world.platform, world.clock, 4)
    for since, until in (
        ("2030-01-01T00:00:00+00:00", "2030-02-01T00:00:00+00:00"),
        ("2030-01-16T07:30:00+00:00", "2030-01-18T13:00:00+00:00"),
    ):
        period = {"from": since, "to": until}
        sums = dict.fromkeys(("consumption", "grants", "adjustments", "totalBalance"), Decimal(0))
        features: dict[str, Decimal] = {}
        for license_ in made:
            one = await world.owner.ok("GET", PATH, params={**period, "licenseId": license_["id"]})
            counted = (one["meteredCountLicenseCount"], one["meteredTokenLicenseCount"])
            assert counted == ((0, 1) if license_["type"] == "MeteredToken" else (1, 0))
            used = exact(one["consumption"])
            assert {item["licenseId"] for item in one["topLicenses"]} == (
                {license_["id"]} if used else set()
            )
            assert sum(exact(day["consumed"]) for day in one["dailyTrend"]) == used
            assert sum(exact(item["consumed"]) for item in one["topFeatures"]) == used
            assert exact(one["totalBalance"]) == exact(await world.balance(license_))
            for name in sums:
                sums[name] += exact(one[name])
            for item in one["topFeatures"]:
                name = item["featureName"]
                features[name] = features.get(name, Decimal(0)) + exact(item["consumed"])
        both = await world.owner.ok("GET", PATH, params=period)
        assert {name: exact(both[name]) for name in sums} == sums
        assert compact(both)["topFeatures"] == features


async def test_single_license_with_a_low_balance_is_listed(world: World, stranger: Owner) -> None:
    low, other = [await world.issue("MeteredCount", initialMeterBalance=1) for _ in range(2)]
    plain = await world.issue("Perpetual")
    await world.consumed(low)

    async def names(license_: dict[str, Any]) -> list[str]:
        answer = await world.owner.ok("GET", PATH, params={"licenseId": license_["id"]})
        return [item["licenseId"] for item in answer["lowBalanceLicenses"]]

    assert (await names(low), await names(other), await names(plain)) == ([low["id"]], [], [])
    elsewhere = await open_vendor(world.owner, name="Borealis")
    asked = {"licenseId": low["id"]}
    for user, query in (
        (stranger, asked),
        (world.owner, {**asked, "productId": elsewhere.product["id"]}),
        (world.owner, {**asked, "institutionId": stranger.institution_id}),
    ):
        refused = await user.send("GET", PATH, params=query)
        assert (refused.status_code, refused.json()["errorCode"]) == (404, "NotFound")
    named = {"productId": world.product["id"], "institutionId": world.owner.institution_id}
    assert (await world.owner.ok("GET", PATH, params={**asked, **named}))["consumption"] == 1


@pytest.mark.specification("meter.statistics")
async def test_balances_and_low_licenses_are_reported(world: World) -> None:
    low = await world.issue("MeteredCount", initialMeterBalance=10, licenseName="Low")
    await world.warn_at(low, 5)
    empty = await world.issue("MeteredToken", initialMeterBalance=2, licenseName="Empty")
    await world.priced(cost=2)
    await world.issue("MeteredCount", initialMeterBalance=1)
    revoked = await world.issue("MeteredCount", initialMeterBalance=1)
    deleted = await world.issue("MeteredCount", initialMeterBalance=50)
    for license_, quantity in ((low, 6), (empty, 1), (revoked, 1), (deleted, 20)):
        await world.consumed(license_, quantity=quantity)
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    await world.owner.ok("DELETE", f"/api/licenses/{deleted['id']}")
    answer = await world.owner.ok("GET", PATH)
    assert (answer["meteredCountLicenseCount"], answer["meteredTokenLicenseCount"]) == (3, 1)
    assert answer["totalBalance"] == 5
    assert answer["consumption"] == 6 + 2 + 1 + 20
    assert [item["licenseName"] for item in answer["lowBalanceLicenses"]] == ["Empty", "Low"]
    assert answer["lowBalanceLicenses"][1] == {
        "licenseId": low["id"],
        "licenseName": "Low",
        "productId": world.product["id"],
        "type": "MeteredCount",
        "balance": 4,
        "lowBalanceThreshold": 5,
    }
    assert [item["licenseName"] for item in answer["byMode"]["Token"]["lowBalanceLicenses"]] == [
        "Empty"
    ]
    assert len(answer["dailyTrend"]) == 30


async def test_products_and_institutions_are_separate(world: World, stranger: Owner) -> None:
    await world.consumed(await world.issue("MeteredCount"), quantity=3)
    other = await open_vendor(world.owner, name="Borealis")
    await other.consumed(await other.issue("MeteredCount"), quantity=4)
    await (foreign := await open_vendor(stranger)).consumed(
        await foreign.issue("MeteredCount"), quantity=9
    )
    assert (await world.owner.ok("GET", PATH))["consumption"] == 7
    for one, used in ((world, 3), (other, 4)):
        query = {"productId": one.product["id"]}
        answer = await world.owner.ok("GET", PATH, params=query)
        assert (answer["consumption"], answer["totalBalance"]) == (used, 100 - used)
    answer = await world.owner.send("GET", PATH, params={"productId": foreign.product["id"]})
    assert answer.status_code == 404


async def test_concurrent_workers_share_the_counting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many jobs at once, in steps that split wallets, count every entry once."""
    monkeypatch.setattr("licet_server.metering.service.usage.WALLETS_PER_STEP", 2)
    monkeypatch.setattr("licet_server.metering.service.usage.ENTRIES_PER_STEP", 3)
    made = [await world.issue("MeteredCount") for _ in range(5)]
    await asyncio.gather(*(world.consume(item) for item in made for _ in range(7)))
    await asyncio.gather(*(roll_up(world.platform) for _ in range(4)))
    await roll_up(world.platform)
    async with world.platform.database.reading() as db:
        left = await db.execute(
            text(
                "SELECT count(*) FROM meter_counts c JOIN meter_wallets w USING (institution_id, "
                "license_id) WHERE w.version <> c.counted AND w.license_id = ANY(:ids)"
            ),
            {"ids": [item["id"] for item in made]},
        )
        assert left.scalar_one() == 0
    answer = await world.owner.ok("GET", PATH)
    assert (answer["consumption"], answer["grants"]) == (35, 500)
    assert timedelta(days=30) == instant(answer["to"]) - instant(answer["from"])
