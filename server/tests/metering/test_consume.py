"""Charges: what they cost, what is refused, and in which order."""

from typing import Any

import pytest
from metering.factories import new_key, refused
from testkit import FakeClock
from world import World, open_vendor

from licet_server.kit.ids import new_id


@pytest.mark.specification("models.usage-based", "meter.consume")
async def test_uses_are_counted(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=100)
    answer = await world.consume(made, "Any feature", quantity=30)
    assert answer.status_code == 200
    body = answer.json()
    assert body == {
        "success": True,
        "licenseId": made["id"],
        "featureName": "Any feature",
        "quantity": 30,
        "cost": 30,
        "balance": 70,
        "ledgerEntryId": body["ledgerEntryId"],
        "replayed": False,
    }
    assert '"cost":30,' in answer.text
    assert (await world.consume(made)).json()["balance"] == 69
    assert await world.balance(made) == 69
    assert (await world.read(made))["meterBalance"] == 69


@pytest.mark.specification("models.credit-based")
async def test_tokens_have_a_price_for_each_feature(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=10)
    feature = await world.priced("Export", 2.5)
    assert (await world.consumed(made, "export", quantity=2))["cost"] == 5
    assert (await world.price(feature, 0.000001)).status_code == 200
    body = await world.consumed(made, "EXPORT")
    assert (body["cost"], body["balance"]) == (0.000001, 4.999999)
    assert body["featureName"] == "Export"
    [first, *rest] = await world.ledger(made)
    assert (first["type"], first["amount"], first["sequence"]) == ("InitialGrant", 10, 1)
    assert [(item["amount"], item["unitPrice"], item["balanceAfter"]) for item in rest] == [
        (-5, 2.5, 5),
        (-0.000001, 0.000001, 4.999999),
    ]


@pytest.mark.specification("states.zero-balance", "runtime.no-balance", "meter.insufficient")
async def test_a_charge_beyond_the_balance_changes_nothing(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=5)
    answer = await world.consume(made, quantity=6)
    assert refused(answer) == (402, "InsufficientBalance")
    assert {key: answer.json()[key] for key in ("cost", "balance", "replayed")} == {
        "cost": 6,
        "balance": 5,
        "replayed": False,
    }
    assert (await world.consume(made, quantity=5)).json()["balance"] == 0
    assert refused(await world.consume(made)) == (402, "InsufficientBalance")
    assert (await world.validate(made))["valid"] is True
    assert len(await world.ledger(made)) == 2


@pytest.mark.specification("meter.idempotent")
async def test_the_same_key_charges_once(world: World) -> None:
    made = await world.issue("MeteredCount")
    first = await world.consumed(made, idempotencyKey="k", quantity=3)
    for feature in ("export", "EXPORT"):
        again = await world.consumed(made, feature, idempotencyKey="k", quantity=3)
        assert again == {**first, "replayed": True}
    await world.consumed(made, quantity=10)
    assert await world.consumed(made, idempotencyKey="k", quantity=3) == {**first, "replayed": True}
    assert await world.balance(made) == 87


async def test_the_same_key_for_something_else_is_refused(world: World) -> None:
    made, other = await world.issue("MeteredCount"), await world.issue("MeteredCount")
    await world.consumed(made, idempotencyKey="k", quantity=3)
    for fields in ({"quantity": 4}, {"feature": "import", "quantity": 3}):
        answer = await world.consume(made, **{"idempotencyKey": "k", **fields})  # type: ignore[arg-type]
        assert refused(answer) == (422, "IdempotencyKeyReused")
    assert (await world.consumed(other, idempotencyKey="k", quantity=4))["replayed"] is False
    assert await world.balance(made) == 97


async def test_a_refusal_for_lack_of_balance_is_replayed(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=5)
    first = await world.consume(made, idempotencyKey="k", quantity=6)
    await world.grant(made, 100)
    again = await world.consume(made, idempotencyKey="k", quantity=6)
    assert refused(first) == refused(again) == (402, "InsufficientBalance")
    before, after = first.json(), again.json()
    assert after.pop("replayed") is True
    assert before.pop("replayed") is False
    assert "send a new key" not in before.pop("detail")
    assert "send a new key" in after.pop("detail")
    del before["requestId"], after["requestId"]
    assert before == after
    assert refused(await world.consume(made, idempotencyKey="k")) == (422, "IdempotencyKeyReused")
    assert [item["type"] for item in await world.ledger(made)] == ["InitialGrant", "AdminGrant"]


@pytest.mark.specification("meter.codes")
async def test_other_refusals_are_not_stored(world: World) -> None:
    made = await world.issue("MeteredToken")
    fields = {"idempotencyKey": "k"}
    feature = await world.feature()
    assert refused(await world.consume(made, **fields)) == (422, "PricingNotConfigured")
    await world.price(feature, 1)
    assert (await world.consumed(made, **fields))["replayed"] is False


async def test_a_replay_returns_the_result_whatever_changed_since(world: World) -> None:
    feature = await world.priced(cost=2)
    made = await world.issue("MeteredToken", initialMeterBalance=10)
    first = await world.consumed(made, idempotencyKey="k")
    await world.price(feature, 3)
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    assert await world.consumed(made, idempotencyKey="k") == {**first, "replayed": True}
    assert refused(await world.consume(made, idempotencyKey="l")) == (400, "LicenseInvalid")


@pytest.mark.specification("licenses.entitlements", "meter.codes")
async def test_only_entitled_features_are_charged(world: World) -> None:
    await world.priced("export", 1)
    await world.priced("import", 1)
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    chosen = await world.owner.ok("POST", path, {"name": "Pro", "featureNames": ["export"]})
    for model in ("MeteredToken", "MeteredCount"):
        made = await world.issue(model, entitlementSetId=chosen["id"])
        assert (await world.consumed(made, "Export"))["cost"] == 1
        for feature in ("import", "unknown"):
            answer = await world.consume(made, feature, idempotencyKey=new_key())
            assert refused(answer) == (403, "FeatureNotEntitled")


@pytest.mark.specification("meter.codes")
async def test_revoked_suspended_and_expired_share_one_code(world: World) -> None:
    for action in ("revoke", "suspend"):
        made = await world.issue("MeteredCount")
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
        assert refused(await world.consume(made)) == (400, "LicenseInvalid")
    made = await world.issue("MeteredCount", expirationDate="2030-01-15T13:00:00Z")
    world.clock.advance(hours=1)
    await world.owner.sign_in()
    assert refused(await world.consume(made)) == (400, "LicenseInvalid")
    assert await world.balance(made) == 100


@pytest.mark.specification("meter.consume", "meter.codes")
async def test_only_metered_licenses(world: World) -> None:
    for model in ("Perpetual", "Floating"):
        made = await world.issue(model)
        assert refused(await world.consume(made)) == (400, "NotMeteredLicense")
    unknown = {"licenseKey": "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA"}
    assert refused(await world.consume(unknown)) == (404, "LicenseNotFound")


async def test_a_deleted_license_is_unknown_and_its_ledger_stays(world: World) -> None:
    made = await world.issue("MeteredCount")
    await world.consumed(made, quantity=7)
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert refused(await world.consume(made)) == (404, "LicenseNotFound")
    assert [item["amount"] for item in await world.ledger(made)] == [100, -7]
    for path in (f"/api/meter/balance/{made['id']}", f"/api/licenses/{made['id']}"):
        assert (await world.owner.send("GET", path)).status_code == 404
    assert refused(await world.grant(made, 1)) == (404, "NotFound")


@pytest.mark.specification("meter.attribution")
async def test_usage_is_attributed_to_devices(world: World) -> None:
    made, other = await world.issue("MeteredCount"), await world.issue("MeteredCount")
    activation = (await world.activate(made, "m1")).json()["activationId"]
    foreign = (await world.activate(other, "m1")).json()["activationId"]
    await world.consumed(made, hardwareId="m1")
    await world.consumed(made, activationId=activation)
    await world.consumed(made, activationId=activation, hardwareId="m1")
    await world.consumed(made, hardwareId="m2")
    attributed = [item["activationId"] for item in await world.ledger(made)]
    assert attributed == [None, activation, activation, activation, None]
    for unknown in (foreign, str(new_id(_now()))):
        answer = await world.consume(made, activationId=unknown)
        assert refused(answer) == (404, "ActivationNotFound")
    answer = await world.consume(made, activationId=activation, hardwareId="m2")
    assert refused(answer) == (400, "InvalidRequest")
    await world.operate(activation, "block")
    for fields in ({"hardwareId": "m1"}, {"activationId": activation}):
        assert refused(await world.consume(made, **fields)) == (403, "DeviceBlocked")
    assert await world.balance(made) == 96


@pytest.mark.specification("meter.key-required")
async def test_a_credit_based_charge_needs_a_key(world: World) -> None:
    await world.priced()
    made = await world.issue("MeteredToken")
    answer = await world.consume(made)
    assert refused(answer) == (400, "InvalidRequest")
    assert [item["field"] for item in answer.json()["errors"]] == ["idempotencyKey"]


@pytest.mark.specification("meter.balance")
async def test_the_balance_for_the_application(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=12.5)
    path = f"/api/meter/balance?licenseKey={made['licenseKey']}"
    expected = {"licenseId": made["id"], "mode": "Token", "balance": 12.5, "held": 0}
    assert (await world.call("GET", path, None)).json() == expected
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    assert (await world.call("GET", path, None)).json() == expected
    assert await world.owner.ok("GET", f"/api/meter/balance/{made['id']}") == expected
    plain = await world.issue("Perpetual")
    answer = await world.call("GET", f"/api/meter/balance?licenseKey={plain['licenseKey']}", None)
    assert refused(answer) == (400, "NotMeteredLicense")
    assert refused(await world.call("GET", "/api/meter/balance?licenseKey=x", None))[0] == 404
    answer = await world.call("GET", "/api/meter/balance", None)
    assert refused(answer) == (400, "InvalidRequest")
    assert [item["field"] for item in answer.json()["errors"]] == ["licenseKey"]


def _now() -> Any:
    return FakeClock()()


@pytest.mark.specification("models.credit-based")
async def test_devices_spend_one_wallet_at_the_price_of_each_feature(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=20)
    await world.priced("export", 2.5)
    await world.priced("scan", 0.5)
    charged = [
        await world.consumed(made, feature, hardwareId=machine, quantity=2)
        for machine in ("machine-1", "machine-2")
        for feature in ("export", "scan")
    ]
    costs = [(item["cost"], item["balance"]) for item in charged]
    assert costs == [(5, 15), (1, 14), (5, 9), (1, 8)]


@pytest.mark.specification("models.usage-based")
async def test_devices_share_one_counter_and_prices_do_not_count(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=20)
    await world.priced("export", 2.5)
    charged = [
        await world.consumed(made, "export", hardwareId=machine, quantity=quantity)
        for machine, quantity in (("machine-1", 3), ("machine-2", 4))
    ]
    assert [(item["cost"], item["balance"]) for item in charged] == [(3, 17), (4, 13)]


@pytest.mark.specification("licenses.entitlements")
async def test_without_a_set_every_feature_is_charged(world: World) -> None:
    """Although the product has a set, and the price list a feature that is not in it."""
    await world.priced("export", 1)
    await world.priced("import", 1)
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    await world.owner.ok("POST", path, {"name": "Pro", "featureNames": ["export"]})
    for model in ("MeteredToken", "MeteredCount"):
        made = await world.issue(model)
        assert made["features"] is None
        assert (await world.validate(made))["license"]["features"] is None
        for feature in ("export", "import"):
            assert (await world.consumed(made, feature))["cost"] == 1


@pytest.mark.specification("states.zero-balance", "runtime.no-balance")
@pytest.mark.parametrize("model", ["MeteredToken", "MeteredCount"])
async def test_an_empty_wallet_stops_charges_alone(world: World, model: str) -> None:
    await world.priced(cost=1)
    made = await world.issue(model, initialMeterBalance=1)
    assert (await world.consumed(made))["balance"] == 0
    assert (await world.read(made))["status"] == "Active"
    assert (await world.validate(made, "machine-1"))["status"] == "Valid"
    assert (await world.activate(made, "machine-1")).status_code == 201
    machine = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
    session = await world.call("POST", "/api/sessions/connect", machine)
    assert session.status_code == 201, session.text
    beat = {"sessionId": session.json()["sessionId"]}
    assert (await world.call("POST", "/api/sessions/heartbeat", beat)).status_code == 200
    assert (await world.refresh(made, "machine-1")).status_code == 200
    answer = await world.consume(made, idempotencyKey=new_key())
    assert refused(answer) == (402, "InsufficientBalance")


@pytest.mark.specification("meter.codes")
async def test_a_license_of_another_product_is_unknown(world: World) -> None:
    made = await world.issue("MeteredCount")
    sibling = await open_vendor(world.owner, name="Sibling")
    assert refused(await sibling.consume(made)) == (404, "LicenseNotFound")
    assert await world.balance(made) == 100
