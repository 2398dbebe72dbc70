"""Races for a balance with real commits, through two servers on one database, and the control.

Whatever the order, the ledger leads to the balance, and nothing is charged twice.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from devices.books import kinds_of
from metering.books import assert_books_balance, rows_of
from metering.factories import MeterShop, open_meter_shop
from testkit import FakeClock, Owner, client_of, running

from licet_server.app import Application
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.metering.storage import wallets
from licet_server.metering.tables import meter_wallets


@pytest.fixture
async def shops(
    owner: Owner, application: Application, clock: FakeClock, fast_passwords: Passwords
) -> AsyncIterator[Sequence[MeterShop]]:
    """One vendor's product, seen through two servers."""
    here = await open_meter_shop(owner)
    async with (
        running(application.platform.settings, clock, fast_passwords) as other,
        client_of(other, "203.0.113.79") as client,
    ):
        there = Owner(client, owner.token, owner.institution_id, owner.user_id, owner.email)
        yield here, MeterShop(there, here.product, here.key)


async def rush(
    shops: Sequence[MeterShop], made: dict[str, Any], calls: int, key: str | None = None
) -> Counter[tuple[int, str | None]]:
    """Many charges of one use at once; without a key given, each has its own."""
    answers = await asyncio.gather(
        *(
            shops[n % len(shops)].consume(made, idempotencyKey=key or f"key-{n}")
            for n in range(calls)
        )
    )
    return Counter((item.status_code, item.json().get("errorCode")) for item in answers)


@pytest.mark.parametrize("servers", [1, 2])
async def test_two_hundred_at_once_for_a_hundred_uses(
    shops: Sequence[MeterShop], platform: Platform, servers: int
) -> None:
    made = await shops[0].issue("MeteredCount", initialMeterBalance=100)
    await shops[0].warn_at(made, 50)
    told = await rush(shops[:servers], made, 200)
    assert told == {(200, None): 100, (402, "InsufficientBalance"): 100}
    assert await assert_books_balance(platform, made) == 0
    ledger = await shops[0].ledger(made, page=2, pageSize=51)
    assert [item["balanceAfter"] for item in ledger] == list(range(49, -1, -1))
    kinds = await kinds_of(platform, shops[0], "meter.")
    assert kinds == ["meter.low_balance", "meter.depleted"]


@pytest.mark.parametrize("model", ["MeteredToken", "MeteredCount"])
async def test_the_same_key_from_everywhere_at_once(
    shops: Sequence[MeterShop], platform: Platform, model: str
) -> None:
    await shops[0].priced(cost=2)
    made = await shops[0].issue(model, initialMeterBalance=12)
    for key, quantity, status in (("k", 5, 200), ("l", 50, 402)):
        answers = await asyncio.gather(
            *(shops[n % 2].consume(made, idempotencyKey=key, quantity=quantity) for n in range(50))
        )
        assert {answer.status_code for answer in answers} == {status}
        bodies = [answer.json() for answer in answers]
        assert Counter(body.pop("replayed") for body in bodies) == {False: 1, True: 49}
        for body in bodies:
            body.pop("requestId", None)
        assert all(body == bodies[0] for body in bodies)
    assert len(await shops[0].ledger(made)) == 2
    await assert_books_balance(platform, made)


async def test_the_same_key_for_different_uses_at_once(
    shops: Sequence[MeterShop], platform: Platform
) -> None:
    made = await shops[0].issue("MeteredCount")
    answers = await asyncio.gather(
        *(shops[n % 2].consume(made, idempotencyKey="k", quantity=1 + n % 3) for n in range(30))
    )
    told = Counter((item.status_code, item.json().get("errorCode")) for item in answers)
    assert told == {(200, None): 10, (422, "IdempotencyKeyReused"): 20}
    assert len(await shops[0].ledger(made)) == 2
    await assert_books_balance(platform, made)


async def test_grants_and_adjustments_against_charges(
    shops: Sequence[MeterShop], platform: Platform
) -> None:
    made = await shops[0].issue("MeteredCount", initialMeterBalance=20)
    asked, sums = [], []
    for n in range(60):
        shop = shops[n % 2]
        if n % 4 == 0:
            asked.append(shop.grant(made, 2))
            sums.append(2)
        elif n % 4 == 1:
            asked.append(shop.adjust(made, -3))
            sums.append(-3)
        else:
            asked.append(shop.consume(made, quantity=1 + n % 2))
            sums.append(-(1 + n % 2))
    answers = await asyncio.gather(*asked)
    assert {answer.status_code for answer in answers} <= {200, 402, 409}
    moved = sum(by for by, answer in zip(sums, answers, strict=True) if answer.is_success)
    assert await assert_books_balance(platform, made) == 20 + moved
    wanted = Counter({"InitialGrant": 1})
    for answer in answers:
        body = answer.json()
        if answer.is_success:
            wanted["Consume" if "cost" in body else "moved"] += 1
        else:
            assert body["errorCode"] in {"InsufficientBalance", "Conflict"}
    types = Counter(item["type"] for item in await shops[0].ledger(made))
    assert types["Consume"] == wanted["Consume"]
    assert types["AdminGrant"] + types["Adjust"] == wanted["moved"]


async def test_a_deletion_against_charges(shops: Sequence[MeterShop], platform: Platform) -> None:
    """What was answered as charged is in the ledger, and nothing comes after the end."""
    here, there = shops
    for _ in range(3):
        made = await here.issue("MeteredCount")
        ending = there.owner.ok("DELETE", f"/api/licenses/{made['id']}")
        answers, *_ = await asyncio.gather(
            rush(shops, made, 30), ending, *(there.grant(made, 1) for _ in range(3))
        )
        assert set(answers) <= {(200, None), (404, "LicenseNotFound")}
        balance = await assert_books_balance(platform, made)
        ledger = await here.ledger(made)
        charged = [item for item in ledger if item["type"] == "Consume"]
        assert len(charged) == answers[200, None]
        [wallet] = await rows_of(platform, meter_wallets, license_id=made["id"])
        assert wallet["closed_at"] is not None
        assert set(await rush(shops, made, 5)) == {(404, "LicenseNotFound")}
        assert await assert_books_balance(platform, made) == balance


@pytest.mark.parametrize("what", ["consume", "grant", "adjust", "warn_at"])
async def test_what_waited_for_a_deletion_is_not_done(
    shops: Sequence[MeterShop], platform: Platform, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The license was there when somebody looked for it, and gone when he held the wallet."""
    here, there = shops
    made = await here.issue("MeteredCount")
    lock = wallets.lock_wallets

    async def lock_after_the_end(*given: Any) -> Any:
        monkeypatch.setattr(wallets, "lock_wallets", lock)
        await there.owner.ok("DELETE", f"/api/licenses/{made['id']}")
        return await lock(*given)

    monkeypatch.setattr(wallets, "lock_wallets", lock_after_the_end)
    given = () if what == "consume" else (5,)
    answer = await getattr(here, what)(made, *given)
    unknown = "LicenseNotFound" if what == "consume" else "NotFound"
    assert (answer.status_code, answer.json()["errorCode"]) == (404, unknown)
    assert await assert_books_balance(platform, made) == 100
    assert await kinds_of(platform, here, "meter.") == []


async def test_two_thresholds_at_once_are_told_once(
    shops: Sequence[MeterShop], platform: Platform
) -> None:
    made = await shops[0].issue("MeteredCount")
    answers = await asyncio.gather(*(shops[n % 2].warn_at(made, 200 + n) for n in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert await kinds_of(platform, shops[0], "meter.") == ["meter.low_balance"]


@pytest.mark.parametrize("key", ["k", None])
@pytest.mark.parametrize("held", [True, False])
async def test_without_the_lock_only_the_indexes_are_left_to_refuse(
    shops: Sequence[MeterShop],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    held: bool,
    key: str | None,
) -> None:
    """Two who look at the same moment: never charged twice, but one is told of a fault of ours."""
    made = await shops[0].issue("MeteredCount")
    lock, both = wallets.lock_wallets, asyncio.Barrier(2)

    async def meet_then_lock(*given: Any) -> Any:
        await both.wait()
        return await lock(*given)

    async def look_then_meet(*given: Any) -> Any:
        found = await wallets.fetch_wallets(*given)
        await both.wait()
        return found

    monkeypatch.setattr(wallets, "lock_wallets", meet_then_lock if held else look_then_meet)
    told = await rush(shops, made, 2, key)
    if held:
        assert told == {(200, None): 2}
    else:
        assert told == {(200, None): 1, (500, "InternalError"): 1}
    assert await assert_books_balance(platform, made) == 100 - (2 if held and key is None else 1)
