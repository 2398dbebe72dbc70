"""Operators change balances, set prices and read ledgers, within their rights."""

import asyncio
import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import NOWHERE, bad_fields, join, refusal
from devices.books import events_in
from metering.factories import MeterShop, new_key, open_meter_shop
from metering.ledger_checks import assert_ledger_matches, rows_of, state_of
from sqlalchemy import Engine, delete, event
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform
from licet_server.metering.tables import feature_prices, meter_wallets

MOVES = ["grant", "adjust"]


@pytest.fixture
async def shop(owner: Owner) -> MeterShop:
    return await open_meter_shop(owner)


def move_body(made: dict[str, Any], amount: Any = 5) -> dict[str, Any]:
    return {"licenseId": made["id"], "amount": amount, "reason": "A payment"}


@pytest.mark.parametrize("what", MOVES)
async def test_an_idempotency_key_takes_effect_once(
    shop: MeterShop, platform: Platform, what: str
) -> None:
    made = await shop.issue("MeteredCount")
    path, headers = f"/api/meter/{what}", {"idempotency-key": f'"{new_key()}"'}
    first = await shop.owner.send("POST", path, move_body(made), headers=headers)
    again = await shop.owner.send("POST", path, move_body(made), headers=headers)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    other = await shop.owner.send("POST", path, move_body(made, 6), headers=headers)
    assert refusal(other) == (422, "IdempotencyKeyReused")
    assert await assert_ledger_matches(platform, made) == 105
    assert (await shop.owner.send("POST", path, move_body(made))).json()["balance"] == 110


@pytest.mark.parametrize("what", MOVES)
async def test_a_concurrent_idempotency_key_takes_effect_once(
    shop: MeterShop, platform: Platform, what: str
) -> None:
    made = await shop.issue("MeteredCount")
    path, headers = f"/api/meter/{what}", {"idempotency-key": new_key()}
    answers = await asyncio.gather(
        *(shop.owner.send("POST", path, move_body(made), headers=headers) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert sum("idempotent-replayed" in answer.headers for answer in answers) == 5
    assert await assert_ledger_matches(platform, made) == 105


async def test_a_refused_change_is_not_stored(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount")
    headers = {"idempotency-key": new_key()}
    body = move_body(made, -101)
    answer = await shop.owner.send("POST", "/api/meter/adjust", body, headers=headers)
    assert refusal(answer) == (409, "Conflict")
    await shop.grant(made, 1)
    answer = await shop.owner.send("POST", "/api/meter/adjust", body, headers=headers)
    assert answer.json()["balance"] == 0
    assert "idempotent-replayed" not in answer.headers


@pytest.mark.specification("meter.grant")
async def test_a_balance_does_not_go_below_zero(shop: MeterShop, platform: Platform) -> None:
    made = await shop.issue("MeteredToken", initialMeterBalance=2.5)
    answer = await shop.adjust(made, -2.500001)
    assert refusal(answer) == (409, "Conflict")
    assert "2.5" in answer.json()["detail"]
    assert (await shop.adjust(made, -2.5)).json()["balance"] == 0
    assert await assert_ledger_matches(platform, made) == 0


@pytest.mark.specification("meter.grant")
async def test_reasons_and_references_stand_in_the_ledger(shop: MeterShop) -> None:
    made = await shop.issue("MeteredToken", initialMeterBalance=1)
    granted = await shop.grant(made, 2.5, reason="Order", externalReference="inv-7")
    bare = await shop.grant(made, 0.000001)
    adjusted = await shop.adjust(made, -1.5, reason="Too much")
    _, *entries = await shop.ledger(made)
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


async def test_only_metered_licenses_have_a_meter(shop: MeterShop, platform: Platform) -> None:
    made = await shop.issue("Floating")
    before = await state_of(platform, shop)
    asked = [
        shop.grant(made, 1),
        shop.adjust(made, 1),
        shop.warn_at(made, 1),
        shop.warn_at(made, None),
        shop.owner.send("GET", f"/api/meter/balance/{made['id']}"),
        shop.owner.send("GET", f"/api/licenses/{made['id']}/ledger"),
    ]
    for answer in [await item for item in asked]:
        assert refusal(answer) == (400, "NotMeteredLicense")
    assert await state_of(platform, shop) == before
    shown = await shop.read(made)
    assert {shown[name] for name in ("meterMode", "meterBalance", "lowBalanceThreshold")} == {None}


async def test_a_missing_wallet_is_reported(shop: MeterShop, platform: Platform) -> None:
    made = await shop.issue("MeteredCount")
    async with platform.database.transaction() as db:
        await db.execute(delete(meter_wallets).where(meter_wallets.c.license_id == made["id"]))
    asked = [
        shop.consume(made),
        shop.call("GET", f"/api/meter/balance?licenseKey={made['licenseKey']}", None),
        shop.owner.send("GET", f"/api/meter/balance/{made['id']}"),
        shop.owner.send("GET", f"/api/licenses/{made['id']}/ledger"),
        shop.grant(made, 1),
        shop.adjust(made, 1),
        shop.warn_at(made, 1),
    ]
    for answer in [await item for item in asked]:
        assert refusal(answer) == (400, "WalletNotFound")
    assert (await shop.read(made))["meterBalance"] is None


def everything(made: dict[str, Any], feature: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Every route of operators; those that read come first."""
    license_id, prices = made["id"], f"/api/meter/features/{feature['id']}/pricing"
    return [
        ("GET", f"/api/meter/balance/{license_id}", None),
        ("GET", f"/api/licenses/{license_id}/ledger", None),
        ("GET", prices, None),
        ("PUT", prices, {"tokenCost": 1}),
        ("POST", "/api/meter/grant", move_body(made)),
        ("POST", "/api/meter/adjust", move_body(made)),
        ("PUT", f"/api/licenses/{license_id}/meter-settings", {"lowBalanceThreshold": 1}),
        ("PUT", f"/api/licenses/{license_id}/meter-settings", {}),
    ]


async def test_strangers_find_nothing(shop: MeterShop, stranger: Owner, platform: Platform) -> None:
    feature, made = await shop.priced(), await shop.issue("MeteredToken")
    deleted = await shop.issue("MeteredCount")
    await shop.owner.ok("DELETE", f"/api/licenses/{deleted['id']}")
    before = await state_of(platform, shop)
    for license_ in (made, deleted):
        for method, path, body in everything(license_, feature):
            assert refusal(await stranger.send(method, path, body)) == (404, "NotFound"), path
            anonymous = await stranger.client.request(method, path, json=body, headers=shop.key)
            assert refusal(anonymous) == (401, "Unauthorized"), path
    for license_id in (made["id"], deleted["id"], NOWHERE):
        path = f"/api/licenses/{license_id}/ledger"
        answer = await stranger.send("GET", path, headers={"accept": "text/csv"})
        assert refusal(answer) == (404, "NotFound")
    assert await state_of(platform, shop) == before


@pytest.mark.specification("roles.viewer")
@pytest.mark.parametrize("role", [Role.VIEWER, Role.MEMBER])
async def test_viewers_cannot_change_balances(
    shop: MeterShop, new_owner: Callable[..., Any], platform: Platform, role: Role
) -> None:
    reader = await new_owner(role)
    await join(platform, shop.owner, reader, role)
    feature, made = await shop.priced(), await shop.issue("MeteredToken")
    before = await state_of(platform, shop)
    balance, ledger, *others = everything(made, feature)
    assert (await reader.ok(*balance))["balance"] == 12.5
    assert [item["amount"] for item in (await reader.ok(*ledger))["items"]] == [12.5]
    for place in others:
        assert refusal(await reader.send(*place)) == (403, "Forbidden"), place
    assert await state_of(platform, shop) == before


@pytest.mark.specification("roles.owner")
async def test_admins_can_use_every_route(
    shop: MeterShop, new_owner: Callable[..., Any], platform: Platform
) -> None:
    admin = await new_owner("Admin")
    await join(platform, shop.owner, admin, Role.ADMIN)
    feature, made = await shop.priced(), await shop.issue("MeteredToken")
    for place in everything(made, feature):
        await admin.ok(*place)


async def test_the_ledger_in_pages_sorted_and_walked(shop: MeterShop, clock: FakeClock) -> None:
    made = await shop.issue("MeteredCount")
    for _ in range(6):
        clock.advance(seconds=1)
        await shop.consumed(made)
    path = f"/api/licenses/{made['id']}/ledger"

    async def numbers(**query: Any) -> list[int]:
        found = await shop.owner.ok("GET", path, params=query)
        return [item["sequence"] for item in found["items"]]

    down = [7, 6, 5, 4, 3, 2, 1]
    assert await numbers() == await numbers(sort="-sequence") == await numbers(sort="-createdAt")
    assert await numbers() == down
    assert await numbers(sort="createdAt") == await numbers(sort="sequence") == down[::-1]
    assert await numbers(page=2, pageSize=3) == [4, 3, 2]
    assert await numbers(page=4, pageSize=3) == []
    first = await shop.owner.ok("GET", path, params={"pageSize": 3})
    assert (first["page"], first["pageSize"], first["totalCount"]) == (1, 3, 7)
    assert bad_fields(await shop.owner.send("GET", path, params={"sort": "amount"})) == ["sort"]
    walked: list[int] = []
    after: str | None = ""
    while after is not None:
        step = await shop.owner.ok("GET", path, params={"after": after, "pageSize": 3})
        walked += [item["sequence"] for item in step["items"]]
        after = step["nextAfter"]
    assert walked == down[::-1]


async def test_the_ledger_as_csv_without_formulas(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount")
    await shop.grant(made, 5, reason="=1+1", externalReference="@SUM(A1)")
    await shop.adjust(made, -5, reason='-2 "quoted",\nand more')
    await shop.consumed(made, "+feature", idempotencyKey="\t=key", quantity=3)
    await shop.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    path = f"/api/licenses/{made['id']}/ledger"
    answer = await shop.owner.send("GET", path, headers={"accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="ledger.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["sequence"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["amount"] for row in rows] == ["100", "5", "-5", "-3"]
    assert (rows[1]["reason"], rows[1]["externalReference"]) == ("'=1+1", "'@SUM(A1)")
    assert rows[2]["reason"].startswith("'-2 ")
    assert (rows[3]["featureName"], rows[3]["idempotencyKey"]) == ("'+feature", "'\t=key")
    assert list(rows[0]) == list((await shop.ledger(made))[0])


@pytest.mark.parametrize("start", [*"=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"], ids=ascii)
async def test_no_spreadsheet_takes_a_text_for_a_formula(shop: MeterShop, start: str) -> None:
    """Some read full-width signs like the others, and some drop control characters first."""
    made = await shop.issue("MeteredCount")
    await shop.grant(made, 5, reason=f"{start}1+1", externalReference=f" \n{start}=A1")
    path = f"/api/licenses/{made['id']}/ledger"
    answer = await shop.owner.send("GET", path, headers={"accept": "text/csv"})
    row = list(csv.DictReader(io.StringIO(answer.text, newline="")))[1]
    assert (row["reason"], row["externalReference"]) == (f"'{start}1+1", f"' \n{start}=A1")


@pytest.mark.specification("meter.pricing")
async def test_the_history_of_a_price(shop: MeterShop, clock: FakeClock) -> None:
    feature = await shop.feature()
    path = f"/api/meter/features/{feature['id']}/pricing"
    assert (await shop.owner.ok("GET", path))["items"] == []
    for cost in (2, 2.0, 3.5, 3.5, 2):
        clock.advance(seconds=1)
        answer = (await shop.price(feature, cost)).json()
        assert (answer["tokenCost"], answer["active"]) == (cost, True)
    found = (await shop.owner.ok("GET", path))["items"]
    assert [(item["tokenCost"], item["active"]) for item in found] == [
        (2, True),
        (3.5, False),
        (2, False),
    ]
    assert found[0] == answer
    assert {item["featureId"] for item in found} == {feature["id"]}
    sorted_ = (await shop.owner.ok("GET", path, params={"sort": "tokenCost"}))["items"]
    assert [item["tokenCost"] for item in sorted_] == [2, 2, 3.5]


async def test_two_prices_at_once_leave_one(shop: MeterShop, platform: Platform) -> None:
    feature = await shop.feature()
    answers = await asyncio.gather(*(shop.price(feature, 1 + n % 4) for n in range(12)))
    assert {answer.status_code for answer in answers} == {200}
    rows = await rows_of(platform, feature_prices, institution_id=shop.owner.institution_id)
    [active] = [row for row in rows if row["replaced_at"] is None]
    assert active["id"] == rows[-1]["id"]
    made = await shop.issue("MeteredToken")
    assert (await shop.consumed(made))["cost"] == active["token_cost"]


async def test_a_feature_goes_with_its_prices(shop: MeterShop, platform: Platform) -> None:
    feature, made = await shop.priced(cost=2), await shop.issue("MeteredToken")
    first = await shop.consumed(made, idempotencyKey="k")
    await shop.owner.ok("DELETE", f"/api/features/{feature['id']}")
    owner = shop.owner.institution_id
    assert await rows_of(platform, feature_prices, institution_id=owner) == []
    for method in ("GET", "PUT"):
        path = f"/api/meter/features/{feature['id']}/pricing"
        body = {"tokenCost": 1} if method == "PUT" else None
        assert refusal(await shop.owner.send(method, path, body)) == (404, "NotFound")
    refused = await shop.consume(made, idempotencyKey=new_key())
    assert refusal(refused) == (422, "PricingNotConfigured")
    assert await shop.consumed(made, idempotencyKey="k") == {**first, "replayed": True}
    assert (await shop.ledger(made))[-1]["featureName"] == "export"
    assert refusal(await shop.price({"id": NOWHERE}, 1)) == (404, "NotFound")


@pytest.mark.specification("meter.threshold")
async def test_the_threshold_is_set_shown_and_cleared(shop: MeterShop) -> None:
    made = await shop.issue("MeteredToken", initialMeterBalance=20)
    path = f"/api/licenses/{made['id']}/meter-settings"
    shown = (await shop.warn_at(made, 7.5)).json()
    assert (shown["meterMode"], shown["meterBalance"]) == ("Token", 20)
    assert shown["lowBalanceThreshold"] == 7.5
    assert (await shop.owner.ok("PUT", path, {}))["lowBalanceThreshold"] == 7.5
    assert (await shop.read(made))["lowBalanceThreshold"] == 7.5
    listing = await shop.owner.ok("GET", f"/api/licenses?productId={shop.product['id']}")
    assert [(item["meterBalance"], item["lowBalanceThreshold"]) for item in listing["items"]] == [
        (20, 7.5)
    ]
    assert (await shop.warn_at(made, None)).json()["lowBalanceThreshold"] is None
    assert (await shop.read(made))["lowBalanceThreshold"] is None


async def test_the_recorded_events(shop: MeterShop, platform: Platform) -> None:
    made = await shop.issue("MeteredToken", initialMeterBalance=20)
    await shop.warn_at(made, 10)
    granted = (await shop.grant(made, 2.5, reason="Order", externalReference="inv-7")).json()
    adjusted = (await shop.adjust(made, -12.5, reason="Too much")).json()
    await shop.adjust(made, -1)
    await shop.adjust(made, -9)
    told = await events_in(platform, shop, "meter.")
    common = {
        "licenseId": made["id"],
        "productId": shop.product["id"],
        "mode": "Token",
        "lowBalanceThreshold": 10,
    }
    bare = {"reason": "A correction", "externalReference": None}
    entries = [item["id"] for item in await shop.ledger(made)]
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
    assert {str(item["actor_id"]) for item in told} == {shop.owner.user_id}


async def test_a_list_of_metered_licenses_costs_as_much_as_one(shop: MeterShop) -> None:
    path = f"/api/licenses?productId={shop.product['id']}&pageSize=100"

    async def statements() -> int:
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            await shop.owner.ok("GET", path)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return len(sent)

    await shop.issue("MeteredCount")
    few = await statements()
    await asyncio.gather(
        *(shop.issue("MeteredToken" if n % 2 else "MeteredCount") for n in range(24))
    )
    assert 0 < await statements() <= few + 1
    listed = (await shop.owner.ok("GET", path))["items"]
    assert sorted(item["meterBalance"] for item in listed) == [12.5] * 12 + [100] * 13


@pytest.mark.specification("meter.grant")
async def test_a_grant_is_above_zero_and_an_adjustment_has_either_sign(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount", initialMeterBalance=10)
    for amount in (0, -1):
        assert bad_fields(await shop.grant(made, amount)) == ["amount"]
    assert bad_fields(await shop.adjust(made, 0)) == ["amount"]
    moved = [(await shop.adjust(made, amount)).json()["balance"] for amount in (3, -4)]
    assert moved == [13, 9]
