"""Races for a balance with real commits, through two servers on one database, with controls.

In any order, the ledger adds up to the balance, and nothing is charged twice.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from applications import AnotherServer
from devices.books import kinds_of
from metering.ledger_checks import assert_ledger_matches, rows_of
from testkit import Owner
from world import Vendor, open_vendor, through

from licet_server.kit.platform import Platform
from licet_server.licenses.storage import records
from licet_server.metering.storage import entries, wallets
from licet_server.metering.tables import meter_wallets


@pytest.fixture
async def nodes(owner: Owner, another_server: AnotherServer) -> AsyncIterator[Sequence[Vendor]]:
    """One product, through two servers."""
    here = await open_vendor(owner)
    async with through(await another_server(), here) as there:
        yield here, there


async def rush(
    nodes: Sequence[Vendor], made: dict[str, Any], calls: int, key: str | None = None
) -> Counter[tuple[int, str | None]]:
    """Send many charges at once and count the results; by default each has its own key."""
    answers = await asyncio.gather(
        *(
            nodes[n % len(nodes)].consume(made, idempotencyKey=key or f"key-{n}")
            for n in range(calls)
        )
    )
    return Counter((item.status_code, item.json().get("errorCode")) for item in answers)


@pytest.mark.specification("meter.insufficient")
@pytest.mark.parametrize("servers", [1, 2])
async def test_200_concurrent_charges_for_a_balance_of_100(
    nodes: Sequence[Vendor], platform: Platform, servers: int
) -> None:
    made = await nodes[0].issue("MeteredCount", initialMeterBalance=100)
    await nodes[0].warn_at(made, 50)
    results = await rush(nodes[:servers], made, 200)
    assert results == {(200, None): 100, (402, "InsufficientBalance"): 100}
    assert await assert_ledger_matches(platform, made) == 0
    ledger = await nodes[0].ledger(made, page=2, pageSize=51)
    assert [item["balanceAfter"] for item in ledger] == list(range(49, -1, -1))
    kinds = await kinds_of(platform, nodes[0], "meter.")
    assert kinds == ["meter.low_balance", "meter.depleted"]


@pytest.mark.specification("meter.idempotent")
@pytest.mark.parametrize("model", ["MeteredToken", "MeteredCount"])
async def test_concurrent_charges_with_one_key(
    nodes: Sequence[Vendor], platform: Platform, model: str
) -> None:
    await nodes[0].priced(cost=2)
    made = await nodes[0].issue(model, initialMeterBalance=12)
    for key, quantity, status in (("k", 5, 200), ("l", 50, 402)):
        answers = await asyncio.gather(
            *(nodes[n % 2].consume(made, idempotencyKey=key, quantity=quantity) for n in range(50))
        )
        assert {answer.status_code for answer in answers} == {status}
        bodies = [answer.json() for answer in answers]
        assert Counter(body.pop("replayed") for body in bodies) == {False: 1, True: 49}
        for body in bodies:
            body.pop("requestId", None)
            body.pop("detail", None)  # says whether it is the stored answer
        assert all(body == bodies[0] for body in bodies)
    assert len(await nodes[0].ledger(made)) == 2
    await assert_ledger_matches(platform, made)


async def test_one_key_for_different_quantities_at_once(
    nodes: Sequence[Vendor], platform: Platform
) -> None:
    made = await nodes[0].issue("MeteredCount")
    answers = await asyncio.gather(
        *(nodes[n % 2].consume(made, idempotencyKey="k", quantity=1 + n % 3) for n in range(30))
    )
    results = Counter((item.status_code, item.json().get("errorCode")) for item in answers)
    assert results == {(200, None): 10, (422, "IdempotencyKeyReused"): 20}
    assert len(await nodes[0].ledger(made)) == 2
    await assert_ledger_matches(platform, made)


async def test_grants_and_adjustments_among_charges(
    nodes: Sequence[Vendor], platform: Platform
) -> None:
    made = await nodes[0].issue("MeteredCount", initialMeterBalance=20)
    requests, sums = [], []
    for n in range(60):
        vendor = nodes[n % 2]
        if n % 4 == 0:
            requests.append(vendor.grant(made, 2))
            sums.append(2)
        elif n % 4 == 1:
            requests.append(vendor.adjust(made, -3))
            sums.append(-3)
        else:
            requests.append(vendor.consume(made, quantity=1 + n % 2))
            sums.append(-(1 + n % 2))
    answers = await asyncio.gather(*requests)
    assert {answer.status_code for answer in answers} <= {200, 402, 409}
    changed = sum(change for change, answer in zip(sums, answers, strict=True) if answer.is_success)
    assert await assert_ledger_matches(platform, made) == 20 + changed
    expected = Counter({"InitialGrant": 1})
    for answer in answers:
        body = answer.json()
        if answer.is_success:
            expected["Consume" if "cost" in body else "changed"] += 1
        else:
            assert body["errorCode"] in {"InsufficientBalance", "Conflict"}
    types = Counter(item["type"] for item in await nodes[0].ledger(made))
    assert types["Consume"] == expected["Consume"]
    assert types["AdminGrant"] + types["Adjust"] == expected["changed"]


async def test_a_deletion_among_charges(nodes: Sequence[Vendor], platform: Platform) -> None:
    """Every charge that succeeded is in the ledger, and none follows the deletion."""
    here, there = nodes
    for _ in range(3):
        made = await here.issue("MeteredCount")
        deletion = there.owner.ok("DELETE", f"/api/licenses/{made['id']}")
        answers, *_ = await asyncio.gather(
            rush(nodes, made, 30), deletion, *(there.grant(made, 1) for _ in range(3))
        )
        assert set(answers) <= {(200, None), (404, "LicenseNotFound")}
        balance = await assert_ledger_matches(platform, made)
        ledger = await here.ledger(made)
        charged = [item for item in ledger if item["type"] == "Consume"]
        assert len(charged) == answers[200, None]
        [wallet] = await rows_of(platform, meter_wallets, license_id=made["id"])
        assert wallet["closed_at"] is not None
        assert set(await rush(nodes, made, 5)) == {(404, "LicenseNotFound")}
        assert await assert_ledger_matches(platform, made) == balance


@pytest.mark.parametrize("what", ["consume", "grant", "adjust", "warn_at"])
async def test_a_request_that_waited_for_a_deletion_is_refused(
    nodes: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The license exists when the request begins, and is deleted before anything is locked."""
    here, there = nodes
    made = await here.issue("MeteredCount")
    where, name = (wallets, "lock_for_charges") if what == "consume" else (records, "lock_license")
    lock = getattr(where, name)

    async def lock_after_deletion(*args: Any) -> Any:
        monkeypatch.setattr(where, name, lock)
        await there.owner.ok("DELETE", f"/api/licenses/{made['id']}")
        return await lock(*args)

    monkeypatch.setattr(where, name, lock_after_deletion)
    given = () if what == "consume" else (5,)
    answer = await getattr(here, what)(made, *given)
    unknown = "LicenseNotFound" if what == "consume" else "NotFound"
    assert (answer.status_code, answer.json()["errorCode"]) == (404, unknown)
    assert await assert_ledger_matches(platform, made) == 100
    assert await kinds_of(platform, here, "meter.") == []


@pytest.mark.specification("states.revoked")
@pytest.mark.parametrize("act", ["revoke", "suspend"])
@pytest.mark.parametrize("rereads", [True, False])
async def test_a_charge_after_a_committed_revocation_is_refused(
    nodes: Sequence[Vendor],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    rereads: bool,
    act: str,
) -> None:
    """The license is active when it is looked up, and revoked before the wallet is locked.

    Control: if the status dates are ignored, the charge is made.
    """
    here, there = nodes
    license_ = await here.issue("MeteredCount")
    await here.consumed(license_, idempotencyKey="earlier")
    lock = wallets.lock_for_charges

    async def lock_after_revocation(*args: Any) -> Any:
        monkeypatch.setattr(wallets, "lock_for_charges", lock)
        await there.owner.ok("POST", f"/api/licenses/{license_['id']}/{act}", {})
        locked, status = await lock(*args)
        return locked, status if rereads else {}

    monkeypatch.setattr(wallets, "lock_for_charges", lock_after_revocation)
    response = await here.consume(license_)
    assert response.json().get("errorCode") == ("LicenseInvalid" if rereads else None)
    assert await assert_ledger_matches(platform, license_) == (99 if rereads else 98)
    replay = await here.consumed(license_, idempotencyKey="earlier")
    assert replay["replayed"] is True
    assert (await here.consume(license_)).json()["errorCode"] == "LicenseInvalid"


async def test_a_revocation_among_charges(nodes: Sequence[Vendor], platform: Platform) -> None:
    """Each charge either is in the ledger or was refused; afterwards all are refused."""
    here, there = nodes
    license_ = await here.issue("MeteredCount")
    revocation = there.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke", {})
    results, _ = await asyncio.gather(rush(nodes, license_, 60), revocation)
    assert set(results) <= {(200, None), (400, "LicenseInvalid")}
    balance = await assert_ledger_matches(platform, license_)
    assert balance == 100 - results[200, None]
    assert set(await rush(nodes, license_, 10, "new")) == {(400, "LicenseInvalid")}
    assert await assert_ledger_matches(platform, license_) == balance


@pytest.mark.specification("meter.threshold")
async def test_concurrent_threshold_changes_warn_once(
    nodes: Sequence[Vendor], platform: Platform
) -> None:
    made = await nodes[0].issue("MeteredCount")
    answers = await asyncio.gather(*(nodes[n % 2].warn_at(made, 200 + n) for n in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert await kinds_of(platform, nodes[0], "meter.") == ["meter.low_balance"]


@pytest.mark.parametrize("key", ["k", None])
@pytest.mark.parametrize("locked", [True, False])
async def test_without_the_lock_only_the_unique_indexes_protect(
    nodes: Sequence[Vendor],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    locked: bool,
    key: str | None,
) -> None:
    """Two charges read the wallet at once: nothing is charged twice, but one gets a 500."""
    made = await nodes[0].issue("MeteredCount")
    lock, look_up, both = wallets.lock_for_charges, entries.fetch_by_keys, asyncio.Barrier(2)

    async def meet_then_lock(*args: Any) -> Any:
        await both.wait()
        return await lock(*args)

    async def read_then_meet(*args: Any) -> Any:
        found = await wallets.fetch_wallets(*args)
        await both.wait()
        return found, {}

    async def look_up_then_meet(*args: Any) -> Any:
        found = await look_up(*args)
        await both.wait()
        return found

    monkeypatch.setattr(wallets, "lock_for_charges", meet_then_lock if locked else read_then_meet)
    if not locked:
        monkeypatch.setattr(entries, "fetch_by_keys", look_up_then_meet)
    results = await rush(nodes, made, 2, key)
    if locked:
        assert results == {(200, None): 2}
    else:
        assert results == {(200, None): 1, (500, "InternalError"): 1}
    assert await assert_ledger_matches(platform, made) == 100 - (2 if locked and key is None else 1)
