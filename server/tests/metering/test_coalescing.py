"""Charges that share a transaction: what goes wrong with one, or with all, is told as it is."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import refusal
from devices.books import waits_for_a_lock
from metering.ledger_checks import assert_ledger_matches
from sqlalchemy.exc import DBAPIError
from testkit import running
from world import Vendor, World, through

from licet_server.app import Application
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.coalesce import Coalescer
from licet_server.kit.database import Connection, concerns_one_item
from licet_server.kit.outages import OutcomeUnknown
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.metering.service import charging, meters
from licet_server.metering.storage import wallets

Opened = Callable[[], AbstractAsyncContextManager[Connection]]


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[list[str | None]]:
    """The idempotency keys of each try to charge, in order."""
    tried: list[list[str | None]] = []
    charge = charging.charge

    async def charge_and_tell(db: Connection, charges: Sequence[Any], *clocks: Any) -> Any:
        tried.append([item.idempotency_key for item in charges])
        return await charge(db, charges, *clocks)

    monkeypatch.setattr(meters, "charge", charge_and_tell)
    return tried


def failing_at(key: str, error: Exception) -> Callable[..., Awaitable[dict[UUID, str]]]:
    """Stores what happened, and fails when one of it has this key."""
    insert = charging.insert_charges

    async def insert_unless(db: Connection, items: Sequence[Any], *others: Any) -> dict[UUID, str]:
        spelled = await insert(db, items, *others)
        if any(item.idempotency_key == key for _, item in items):
            raise error
        return spelled

    return insert_unless


@asynccontextmanager
async def held(platform: Platform, *licenses: dict[str, Any]) -> AsyncIterator[Connection]:
    """Lock the wallets of these licenses in another transaction."""
    async with platform.database.transaction() as db:
        keys = [(UUID(made["institutionId"]), UUID(made["id"])) for made in licenses]
        assert len(await wallets.lock_wallets(db, keys)) == len(keys)
        yield db


async def charge_each(
    vendor: Vendor, made: dict[str, Any], keys: Sequence[str]
) -> list[httpx.Response]:
    return await asyncio.gather(*(vendor.consume(made, idempotencyKey=key) for key in keys))


async def keys_charged(vendor: Vendor, made: dict[str, Any]) -> list[str]:
    return [item["idempotencyKey"] for item in await vendor.ledger(made) if item["idempotencyKey"]]


@pytest.mark.undivided
async def test_a_poisoned_charge_fails_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, batches: list[list[str | None]]
) -> None:
    made = await world.issue("MeteredCount")
    monkeypatch.setattr(charging, "insert_charges", failing_at("k-5", ValueError("poison")))
    keys = [f"k-{n}" for n in range(12)]
    answers = await charge_each(world, made, keys)
    failed = {key for key, answer in zip(keys, answers, strict=True) if not answer.is_success}
    assert failed == {"k-5"}
    assert refusal(answers[5]) == (500, "InternalError")
    assert sorted(await keys_charged(world, made)) == sorted(set(keys) - failed)
    assert await assert_ledger_matches(world.platform, made) == 89
    assert max(map(len, batches)) > 1
    monkeypatch.undo()
    assert (await world.consumed(made, idempotencyKey="k-5"))["replayed"] is False


@pytest.mark.undivided
async def test_the_same_key_in_a_batch_is_charged_at_the_first_try(
    world: World, batches: list[list[str | None]]
) -> None:
    made = await world.issue("MeteredCount")
    answers = await charge_each(world, made, ["k"] * 20)
    assert sorted(answer.json()["replayed"] for answer in answers) == [False] + [True] * 19
    assert len({answer.json()["ledgerEntryId"] for answer in answers}) == 1
    assert max(map(len, batches)) > 1
    assert sum(map(len, batches)) == 20
    assert await assert_ledger_matches(world.platform, made) == 99


async def test_a_lost_connection_is_not_retried_for_each_charge(
    world: World, monkeypatch: pytest.MonkeyPatch, batches: list[list[str | None]]
) -> None:
    made = await world.issue("MeteredCount")
    monkeypatch.setattr(charging, "insert_charges", failing_at("k-0", ConnectionResetError("gone")))
    keys = [f"k-{n}" for n in range(12)]
    for answer in await charge_each(world, made, keys):
        if not answer.is_success:
            assert refusal(answer) == (503, "Unavailable")
            assert answer.headers["retry-after"] == "1"
    assert sorted(key for batch in batches for key in batch if key) == sorted(keys)
    [lost] = [batch for batch in batches if "k-0" in batch]
    assert set(await keys_charged(world, made)) == set(keys) - set(lost)
    await assert_ledger_matches(world.platform, made)


async def test_a_cancelled_caller_does_not_affect_others(world: World) -> None:
    made = await world.issue("MeteredCount")
    async with held(world.platform, made):
        flying = asyncio.create_task(world.consume(made, idempotencyKey="flying"))
        assert await waits_for_a_lock(world.platform, flying)
        keys = [f"k-{n}" for n in range(8)]
        waiting = [asyncio.create_task(world.consume(made, idempotencyKey=key)) for key in keys]
        for task in (flying, waiting[3], waiting[7]):
            task.cancel()
        await asyncio.wait([flying, waiting[3], waiting[7]])
    left = [task for n, task in enumerate(waiting) if n not in {3, 7}]
    for answer in await asyncio.gather(*left):
        assert answer.json()["replayed"] is False
    charged = await keys_charged(world, made)
    assert set(keys) - {"k-3", "k-7"} <= set(charged) <= {"flying", *keys}
    assert await assert_ledger_matches(world.platform, made) == 100 - len(charged)
    for key in ("flying", "k-3", "k-7"):
        again = await world.consumed(made, idempotencyKey=key)
        assert again["replayed"] is (key in charged)


@pytest.fixture
async def narrow(
    world: World,
    application: Application,
    fast_passwords: Passwords,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Vendor]:
    """The vendor through a server whose queue holds two charges."""
    serial = Batching.serial

    def narrowed(batching: Batching, name: str, run: Any, tenant_of: Any) -> Coalescing[Any, Any]:
        if name != "charges":
            return serial(batching, name, run, tenant_of)
        return Coalescer(run, max_waiting=2, bisects=concerns_one_item, name=name)

    monkeypatch.setattr(Batching, "serial", narrowed)
    async with (
        running(application.platform.settings, world.clock, fast_passwords) as server,
        through(server, world) as there,
    ):
        yield there


async def test_beyond_the_queue_nothing_is_charged(narrow: Vendor, platform: Platform) -> None:
    made = await narrow.issue("MeteredCount")
    async with held(platform, made):
        first = asyncio.create_task(narrow.consume(made, idempotencyKey="first"))
        assert await waits_for_a_lock(platform, first)
        keys = [f"k-{n}" for n in range(9)]
        others = [asyncio.create_task(narrow.consume(made, idempotencyKey=key)) for key in keys]
        refused = []
        for done in asyncio.as_completed(others):
            refused.append(await done)
            if len(refused) == 7:
                break
    for answer in refused:
        assert refusal(answer) == (503, "Unavailable")
        assert answer.headers["retry-after"] == "1"
    answers = await asyncio.gather(first, *others)
    assert [answer.status_code for answer in answers].count(200) == 3
    assert len(await keys_charged(narrow, made)) == 3
    assert await assert_ledger_matches(platform, made) == 97


def committing_without_a_word(open_: Opened) -> Opened:
    """Every transaction commits, but the confirmation is lost."""

    @asynccontextmanager
    async def transaction() -> AsyncIterator[Connection]:
        async with open_() as db:
            yield db
        raise OutcomeUnknown

    return transaction


def lost_before_the_commit(open_: Opened) -> Opened:
    """Every transaction is rolled back at its commit."""

    @asynccontextmanager
    async def transaction() -> AsyncIterator[Connection]:
        async with open_() as db:
            yield db
            raise OutcomeUnknown

    return transaction


@pytest.mark.parametrize("loses", [committing_without_a_word, lost_before_the_commit])
@pytest.mark.parametrize("balance", [100, 3])
async def test_an_unconfirmed_commit_is_not_retried(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    batches: list[list[str | None]],
    loses: Callable[[Opened], Opened],
    balance: int,
) -> None:
    """Neither as a whole nor in halves; a retry with the same key finds out."""
    made = await world.issue("MeteredCount", initialMeterBalance=balance)
    keys = [f"k-{n}" for n in range(8)]
    with monkeypatch.context() as patched:
        lossy = loses(world.platform.database.keyed_transaction)
        patched.setattr(world.platform.database, "keyed_transaction", lossy)
        answers = await charge_each(world, made, keys)
    for answer in answers:
        assert refusal(answer) == (503, "Unavailable")
        assert answer.headers["retry-after"] == "1"
        assert "Retry with the same idempotencyKey" in answer.json()["detail"]
    assert sorted(key for batch in batches for key in batch if key) == keys
    stored = loses is committing_without_a_word
    again = await charge_each(world, made, keys)
    assert {answer.json()["replayed"] for answer in again} == {stored}
    charged = min(balance, len(keys))
    assert [answer.status_code for answer in again].count(200) == charged
    assert await assert_ledger_matches(world.platform, made) == balance - charged


def head_on() -> DBAPIError:
    """The driver's error for a deadlock."""
    cause = Exception("deadlock detected")
    cause.sqlstate = "40P01"  # type: ignore[attr-defined]
    return DBAPIError("INSERT", {}, cause)


@pytest.mark.parametrize("meetings", [1, 2, 3])
async def test_charges_are_retried_after_a_deadlock(
    world: World, monkeypatch: pytest.MonkeyPatch, batches: list[list[str | None]], meetings: int
) -> None:
    made = await world.issue("MeteredCount")
    insert = charging.insert_charges

    async def insert_at_last(db: Connection, items: Sequence[Any], *others: Any) -> dict[UUID, str]:
        spelled = await insert(db, items, *others)
        if len(batches) <= meetings:
            raise head_on()
        return spelled

    monkeypatch.setattr(charging, "insert_charges", insert_at_last)
    answer = await world.consume(made, idempotencyKey="k")
    tries = min(meetings + 1, 3)
    assert batches == [["k"]] * tries
    charged = meetings < tries
    if charged:
        assert answer.json()["replayed"] is False
    else:
        assert refusal(answer) == (409, "ConcurrencyConflict")
    assert await assert_ledger_matches(world.platform, made) == 100 - charged
    assert (await world.consumed(made, idempotencyKey="k"))["replayed"] is charged
