"""Operators change balances, set prices and read ledgers, within their rights."""

import asyncio
import csv
import io
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import events_in
from metering.factories import new_key
from metering.ledger_checks import assert_ledger_matches, rows_of, state_of
from sqlalchemy import Engine, delete, event
from world import World

from licet_server.metering.tables import feature_prices, meter_wallets

MOVES = ["grant", "adjust"]


def move_body(made: dict[str, Any], amount: Any = 5) -> dict[str, Any]:
    return {"licenseId": made["id"], "amount": amount, "reason": "A payment"}


@pytest.mark.parametrize("what", MOVES)
async def test_an_idempotency_key_takes_effect_once(world: World, what: str) -> None:
    made = await world.issue("MeteredCount")
    path, headers = f"/api/meter/{what}", {"idempotency-key": f'"{new_key()}"'}
    first = await world.owner.send("POST", path, move_body(made), headers=headers)
    again = await world.owner.send("POST", path, move_body(made), headers=headers)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    other = await world.owner.send("POST", path, move_body(made, 6), headers=headers)
    assert refusal(other) == (422, "IdempotencyKeyReused")
    assert await assert_ledger_matches(world.platform, made) == 105
    assert (await world.owner.send("POST", path, move_body(made))).json()["balance"] == 110


@pytest.mark.parametrize("what", MOVES)
async def test_a_concurrent_idempotency_key_takes_effect_once(world: World, what: str) -> None:
    made = await world.issue("MeteredCount")
    path, headers = f"/api/meter/{what}", {"idempotency-key": new_key()}
    answers = await asyncio.gather(
        *(world.owner.send("POST", path, move_body(made), headers=headers) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert sum("idempotent-replayed" in answer.headers for answer in answers) == 5
    assert await assert_ledger_matches(world.platform, made) == 105


async def test_a_refused_change_is_not_stored(world: World) -> None:
    made = await world.issue("MeteredCount")
    headers = {"idempotency-key": new_key()}
    body = move_body(made, -101)
    answer = await world.owner.send("POST", "/api/meter/adjust", body, headers=headers)
    assert refusal(answer) == (409, "Conflict")
    await world.grant(made, 1)
    answer = await world.owner.send("POST", "/api/meter/adjust", body, headers=headers)
    assert answer.json()["balance"] == 0
    assert "idempotent-replayed" not in answer.headers


@pytest.mark.specification("meter.grant")
async def test_a_balance_does_not_go_below_zero(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=2.5)
    answer = await world.adjust(made, -2.500001)
    assert refusal(answer) == (409, "Conflict")
    assert "2.5" in answer.json()["detail"]
    assert (await world.adjust(made, -2.5)).json()["balance"] == 0
    assert await assert_ledger_matches(world.platform, made) == 0


@pytest.mark.specification("meter.grant")
async def test_reasons_and_references_are_in_the_ledger(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=1)
    granted = await world.grant(made, 2.5, reason="Order", externalReference="inv-7")
    bare = await world.grant(made, 0.000001)
    adjusted = await world.adjust(made, -1.5, reason="Too much")
    _, *entries = await world.ledger(made)
    names = ("type", "amount", "balanceAfter", "reason", "externalReference")
    assert [tuple(item[name] for name in names) for item in entries] == [
        ("AdminGrant", 2.5, 3.5, "Order", "inv-7"),
        ("AdminGrant", 0.000001, 3.500001, None, None),
        ("Adjust", -1.5, 2.000001, "Too much", None),
    ]
    for answer, entry in zip((granted, bare, adjusted), entries, strict=True):
        assert answer.json() == {
            "licenseId": made["id"],
            "balance": entry["balanceAfter"],
            "ledgerEntryId": entry["id"],
        }
        assert {entry[name] for name in ("featureName", "quantity", "idempotencyKey")} == {None}


async def test_only_metered_licenses_have_a_meter(world: World) -> None:
    made = await world.issue("Floating")
    before = await state_of(world.platform, world)
    asked = [
        world.grant(made, 1),
        world.adjust(made, 1),
        world.warn_at(made, 1),
        world.warn_at(made, None),
        world.owner.send("GET", f"/api/meter/balance/{made['id']}"),
        world.owner.send("GET", f"/api/licenses/{made['id']}/ledger"),
    ]
    for answer in [await item for item in asked]:
        assert refusal(answer) == (400, "NotMeteredLicense")
    assert await state_of(world.platform, world) == before
    shown = await world.read(made)
    assert {shown[name] for name in ("meterMode", "meterBalance", "lowBalanceThreshold")} == {None}


async def test_a_missing_wallet_is_reported(world: World) -> None:
    made = await world.issue("MeteredCount")
    async with world.platform.database.transaction() as db:
        await db.execute(delete(meter_wallets).where(meter_wallets.c.license_id == made["id"]))
    asked = [
        world.consume(made),
        world.call("GET", f"/api/meter/balance?licenseKey={made['licenseKey']}", None),
        world.owner.send("GET", f"/api/meter/balance/{made['id']}"),
        world.owner.send("GET", f"/api/licenses/{made['id']}/ledger"),
        world.grant(made, 1),
        world.adjust(made, 1),
        world.warn_at(made, 1),
    ]
    for answer in [await item for item in asked]:
        assert refusal(answer) == (400, "WalletNotFound")
    assert (await world.read(made))["meterBalance"] is None


async def test_the_ledger_is_paged_sorted_and_walked(world: World) -> None:
    made = await world.issue("MeteredCount")
    for _ in range(6):
        world.clock.advance(seconds=1)
        await world.consumed(made)
    path = f"/api/licenses/{made['id']}/ledger"

    async def numbers(**query: Any) -> list[int]:
        found = await world.owner.ok("GET", path, params=query)
        return [item["sequence"] for item in found["items"]]

    down = [7, 6, 5, 4, 3, 2, 1]
    assert await numbers() == await numbers(sort="-sequence") == await numbers(sort="-createdAt")
    assert await numbers() == down
    assert await numbers(sort="createdAt") == await numbers(sort="sequence") == down[::-1]
    assert await numbers(page=2, pageSize=3) == [4, 3, 2]
    assert await numbers(page=4, pageSize=3) == []
    first = await world.owner.ok("GET", path, params={"pageSize": 3})
    assert (first["page"], first["pageSize"], first["totalCount"]) == (1, 3, 7)
    assert bad_fields(await world.owner.send("GET", path, params={"sort": "amount"})) == ["sort"]
    walked: list[int] = []
    after: str | None = ""
    while after is not None:
        step = await world.owner.ok("GET", path, params={"after": after, "pageSize": 3})
        walked += [item["sequence"] for item in step["items"]]
        after = step["nextAfter"]
    assert walked == down[::-1]


async def test_the_ledger_as_csv_without_formulas(world: World) -> None:
    made = await world.issue("MeteredCount")
    await world.grant(made, 5, reason="=1+1", externalReference="@SUM(A1)")
    await world.adjust(made, -5, reason='-2 "quoted",\nand more')
    await world.consumed(made, "+feature", idempotencyKey="\t=key", quantity=3)
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    path = f"/api/licenses/{made['id']}/ledger"
    answer = await world.owner.send("GET", path, headers={"accept": "text/csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="ledger.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["sequence"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["amount"] for row in rows] == ["100", "5", "-5", "-3"]
    assert (rows[1]["reason"], rows[1]["externalReference"]) == ("'=1+1", "'@SUM(A1)")
    assert rows[2]["reason"].startswith("'-2 ")
    assert (rows[3]["featureName"], rows[3]["idempotencyKey"]) == ("'+feature", "'\t=key")
    assert list(rows[0]) == list((await world.ledger(made))[0])


@pytest.mark.parametrize("start", [*"=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"], ids=ascii)
async def test_texts_in_csv_are_no_formulas_to_spreadsheets(world: World, start: str) -> None:
    """Some read full-width signs like the others, and some drop control characters first."""
    made = await world.issue("MeteredCount")
    await world.grant(made, 5, reason=f"{start}1+1", externalReference=f" \n{start}=A1")
    path = f"/api/licenses/{made['id']}/ledger"
    answer = await world.owner.send("GET", path, headers={"accept": "text/csv"})
    row = list(csv.DictReader(io.StringIO(answer.text, newline="")))[1]
    assert (row["reason"], row["externalReference"]) == (f"'{start}1+1", f"' \n{start}=A1")


@pytest.mark.specification("meter.pricing")
async def test_the_history_of_a_price(world: World) -> None:
    feature = await world.feature()
    path = f"/api/meter/features/{feature['id']}/pricing"
    assert (await world.owner.ok("GET", path))["items"] == []
    for cost in (2, 2.0, 3.5, 3.5, 2):
        world.clock.advance(seconds=1)
        answer = (await world.price(feature, cost)).json()
        assert (answer["tokenCost"], answer["active"]) == (cost, True)
    found = (await world.owner.ok("GET", path))["items"]
    assert [(item["tokenCost"], item["active"]) for item in found] == [
        (2, True),
        (3.5, False),
        (2, False),
    ]
    assert found[0] == answer
    assert {item["featureId"] for item in found} == {feature["id"]}
    sorted_ = (await world.owner.ok("GET", path, params={"sort": "tokenCost"}))["items"]
    assert [item["tokenCost"] for item in sorted_] == [2, 2, 3.5]


async def test_two_prices_at_once_leave_one(world: World) -> None:
    feature = await world.feature()
    answers = await asyncio.gather(*(world.price(feature, 1 + n % 4) for n in range(12)))
    assert {answer.status_code for answer in answers} == {200}
    rows = await rows_of(world.platform, feature_prices, institution_id=world.owner.institution_id)
    [active] = [row for row in rows if row["replaced_at"] is None]
    assert active["id"] == rows[-1]["id"]
    made = await world.issue("MeteredToken")
    assert (await world.consumed(made))["cost"] == active["token_cost"]


async def test_a_feature_goes_with_its_prices(world: World) -> None:
    feature, made = await world.priced(cost=2), await world.issue("MeteredToken")
    first = await world.consumed(made, idempotencyKey="k")
    await world.owner.ok("DELETE", f"/api/features/{feature['id']}")
    owner = world.owner.institution_id
    assert await rows_of(world.platform, feature_prices, institution_id=owner) == []
    for method in ("GET", "PUT"):
        path = f"/api/meter/features/{feature['id']}/pricing"
        body = {"tokenCost": 1} if method == "PUT" else None
        assert refusal(await world.owner.send(method, path, body)) == (404, "NotFound")
    refused = await world.consume(made, idempotencyKey=new_key())
    assert refusal(refused) == (422, "PricingNotConfigured")
    assert await world.consumed(made, idempotencyKey="k") == {**first, "replayed": True}
    assert (await world.ledger(made))[-1]["featureName"] == "export"


@pytest.mark.specification("meter.threshold")
async def test_the_threshold_is_set_shown_and_cleared(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=20)
    path = f"/api/licenses/{made['id']}/meter-settings"
    shown = (await world.warn_at(made, 7.5)).json()
    assert (shown["meterMode"], shown["meterBalance"]) == ("Token", 20)
    assert shown["lowBalanceThreshold"] == 7.5
    assert (await world.owner.ok("PUT", path, {}))["lowBalanceThreshold"] == 7.5
    assert (await world.read(made))["lowBalanceThreshold"] == 7.5
    listing = await world.owner.ok("GET", f"/api/licenses?productId={world.product['id']}")
    assert [(item["meterBalance"], item["lowBalanceThreshold"]) for item in listing["items"]] == [
        (20, 7.5)
    ]
    assert (await world.warn_at(made, None)).json()["lowBalanceThreshold"] is None
    assert (await world.read(made))["lowBalanceThreshold"] is None


async def test_the_recorded_events(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=20)
    await world.warn_at(made, 10)
    granted = (await world.grant(made, 2.5, reason="Order", externalReference="inv-7")).json()
    adjusted = (await world.adjust(made, -12.5, reason="Too much")).json()
    await world.adjust(made, -1)
    await world.adjust(made, -9)
    told = await events_in(world.platform, world, "meter.")
    common = {
        "licenseId": made["id"],
        "productId": world.product["id"],
        "mode": "Token",
        "lowBalanceThreshold": 10,
    }
    bare = {"reason": "A correction", "externalReference": None}
    entries = [item["id"] for item in await world.ledger(made)]
    assert [(item["kind"], item["data"], item["changes"]) for item in told] == [
        (
            "meter.granted",
            {**common, "balance": 22.5, "amount": 2.5, "ledgerEntryId": granted["ledgerEntryId"]}
            | {"reason": "Order", "externalReference": "inv-7"},
            {"balance": [20, 22.5]},
        ),
        (
            "meter.adjusted",
            {**common, "balance": 10, "amount": -12.5, "ledgerEntryId": adjusted["ledgerEntryId"]}
            | {"reason": "Too much", "externalReference": None},
            {"balance": [22.5, 10]},
        ),
        ("meter.low_balance", {**common, "balance": 10}, None),
        (
            "meter.adjusted",
            {**common, "balance": 9, "amount": -1, "ledgerEntryId": entries[3], **bare},
            {"balance": [10, 9]},
        ),
        (
            "meter.adjusted",
            {**common, "balance": 0, "amount": -9, "ledgerEntryId": entries[4], **bare},
            {"balance": [9, 0]},
        ),
        ("meter.depleted", {**common, "balance": 0}, None),
    ]
    assert {str(item["actor_id"]) for item in told} == {world.owner.user_id}


async def test_a_list_of_metered_licenses_costs_as_much_as_one(world: World) -> None:
    path = f"/api/licenses?productId={world.product['id']}&pageSize=100"

    async def statements() -> int:
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            await world.owner.ok("GET", path)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return len(sent)

    await world.issue("MeteredCount")
    few = await statements()
    await asyncio.gather(
        *(world.issue("MeteredToken" if n % 2 else "MeteredCount") for n in range(24))
    )
    assert 0 < await statements() <= few + 1
    listed = (await world.owner.ok("GET", path))["items"]
    assert sorted(item["meterBalance"] for item in listed) == [12.5] * 12 + [100] * 13


@pytest.mark.specification("meter.grant")
async def test_a_grant_is_above_zero_and_an_adjustment_has_either_sign(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=10)
    for amount in (0, -1):
        assert bad_fields(await world.grant(made, amount)) == ["amount"]
    assert bad_fields(await world.adjust(made, 0)) == ["amount"]
    moved = [(await world.adjust(made, amount)).json()["balance"] for amount in (3, -4)]
    assert moved == [13, 9]
