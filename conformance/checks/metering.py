"""Charges and balances."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import World

CONSUME = "/meter/consume"


def metered(world: World, balance: Any = 10, type_: str = "MeteredCount") -> tuple[Any, str]:
    license_ = world.issue(type_, initialMeterBalance=balance)
    return license_, world.client(license_)


@proves("LIC-MET-004")
def check_the_same_key_again(world: World) -> None:
    license_, client = metered(world)
    charge = {"client": client, "featureName": "export", "idempotencyKey": "order-1"}
    first = world.driver.call("consume", **charge, quantity=3)
    again = world.driver.call("consume", **charge, quantity=3, case="again")
    assert (first["replayed"], again["replayed"]) == (False, True), "replayed is wrong"
    assert again["ledgerEntryId"] == first["ledgerEntryId"], "it is another charge"
    assert Decimal(world.state_of(license_)["balance"]) == 7, "it was charged twice"
    error = world.driver.error("consume", **charge, quantity=4)
    expect(error, {"code": "IdempotencyKeyReused"})


@proves("LIC-MET-005")
def check_a_charge_beyond_the_balance(world: World) -> None:
    license_, client = metered(world, 2)
    error = world.driver.error("consume", client=client, featureName="export", quantity=3)
    assert error["code"] == "InsufficientBalance", error["code"]
    found = [Decimal(error["cost"]), Decimal(error["balance"])]
    assert found == [Decimal(3), Decimal(2)], f"cost and balance are {found}"
    assert Decimal(world.state_of(license_)["balance"]) == 2


@proves("LIC-MET-006")
def check_a_receipt_for_another_charge(world: World) -> None:
    _, client = metered(world)
    for wrong in ({"featureName": "import"}, {"quantity": 1}):
        world.fault(CONSUME, response=wrong)
        name = next(iter(wrong))
        error = world.driver.error(
            "consume", client=client, featureName="export", quantity=2, case=f"wrong-{name}"
        )
        expect(error, {"code": "UnexpectedReply"})


@proves("LIC-MET-007")
def check_arguments_out_of_range(world: World) -> None:
    _, client = metered(world)
    for wrong in (
        {"quantity": 0},
        {"quantity": -1},
        {"quantity": 1_000_000_001},
        {"featureName": ""},
        {"featureName": "x" * 129},
        {"idempotencyKey": ""},
        {"idempotencyKey": "x" * 129},
    ):
        given = {"featureName": "export", "quantity": 1, **wrong}
        error = world.driver.error("consume", client=client, **given)
        expect(error, {"code": "InvalidArgument"})
    assert world.requests(CONSUME) == [], "a request was sent"


@proves("LIC-MET-008")
def check_exact_amounts(world: World) -> None:
    license_, client = metered(world, "1", "MeteredToken")
    world.control("POST", "/prices", featureName="render", tokenCost="0.1")
    for left in ("0.9", "0.8", "0.7"):
        charge = world.driver.call("consume", client=client, featureName="render", case="render")
        assert Decimal(charge["cost"]) == Decimal("0.1"), f"the cost is {charge['cost']}"
        assert Decimal(charge["balance"]) == Decimal(left), f"the balance is {charge['balance']}"
    balance = world.driver.call("balance", client=client)
    assert Decimal(balance["balance"]) == Decimal("0.7"), f"the balance is {balance['balance']}"
    expect(balance, {"mode": "Token", "licenseId": license_["id"]})


@proves("LIC-MET-009")
def check_the_key_of_an_unknown_outcome(world: World) -> None:
    license_, client = metered(world)
    page = {"status": 200, "headers": {"Content-Type": "text/html"}, "body": "<html>"}
    world.fault(CONSUME, processed=True, **page)
    error = world.driver.error("consume", client=client, featureName="export", case="unknown")
    key = error.get("idempotencyKey")
    assert key, "the error has no idempotency key"
    given = {"client": client, "featureName": "export", "idempotencyKey": key}
    again = world.driver.call("consume", **given)
    assert again["replayed"] is True, "the charge was not found"
    assert Decimal(world.state_of(license_)["balance"]) == 9, "it was charged twice"


@proves("LIC-MET-010")
def check_a_license_without_a_meter(world: World) -> None:
    client = world.client(world.issue())
    error = world.driver.error("consume", client=client, featureName="export")
    expect(error, {"code": "NotMetered"})
    expect(world.driver.error("balance", client=client), {"code": "NotMetered"})


@proves("LIC-MET-011")
def check_the_key_of_a_receipt(world: World) -> None:
    _, client = metered(world)
    charge = {"client": client, "featureName": "export"}
    given = world.driver.call("consume", **charge, idempotencyKey="order-1", case="given-key")
    expect(given, {"idempotencyKey": "order-1"})
    world.clear_log()
    own = world.driver.call("consume", **charge, case="own-key")
    (request,) = world.requests(CONSUME)
    expect(own, {"idempotencyKey": request["body"]["idempotencyKey"]})
