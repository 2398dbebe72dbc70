"""Metering: one charge per idempotency key, no negative balances, exact decimals."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from client_scenarios.requests import (
    HERE,
    THERE,
    UNKNOWN_KEY,
    activate,
    balance,
    charged,
    consume,
    device,
)
from client_scenarios.shapes import (
    CONSUMPTION,
    an_amount,
    an_id,
    has_shape,
    is_refused,
    names_fields,
)
from client_scenarios.target import License, Vendor

WRONG: dict[str, list[Any]] = {
    "idempotencyKey": ["", 5, "x" * 129],
    "quantity": [0, -1, 1_000_000_001, 1.5, "2", True],
    "hardwareId": ["", "  ", 5, "x" * 257],
    "activationId": [5, "no-uuid"],
}
UNKNOWN_ACTIVATION = "01920000-0000-7000-8000-000000000001"


def moves(license_: License) -> list[tuple[str, Decimal, Decimal, int]]:
    """The ledger, oldest first, checked to have no gaps."""
    entries = list(reversed(license_.ledger))
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert entries[-1].balance_after == license_.balance
    return [(item.type, item.amount, item.balance_after, item.sequence) for item in entries]


def check_uses_are_counted(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=100)
    response = consume(vendor, license_, "export", quantity=30)
    assert response.status == 200, response
    facts = {"licenseId": license_.id, "featureName": "export", "quantity": 30}
    amounts = {"cost": an_amount(30), "balance": an_amount(70)}
    has_shape(response.content, {**CONSUMPTION, **facts, **amounts, "replayed": False})
    for usual in ({}, {"quantity": None}):
        keyless = consume(vendor, license_, "whatever-it-is-called", **usual)
        assert keyless.content["cost"] == 1, keyless
    assert charged(vendor, license_, "export", quantity=68)["balance"] == 0
    short = consume(vendor, license_, "export")
    lacking = {"cost": an_amount(1), "balance": an_amount(0)}
    is_refused(short, 402, "InsufficientBalance", replayed=False, **lacking)


def check_tokens_are_charged_by_price(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredToken", initial_meter_balance=Decimal("12.5"))
    vendor.set_price("Rendering", Decimal("0.75"))
    made = charged(vendor, license_, "Rendering", quantity=4)
    assert (made["cost"], made["balance"]) == (3, Decimal("9.5"))
    vendor.set_price("Rendering", 2)
    dearer = charged(vendor, license_, "rendering", quantity=2)
    assert (dearer["cost"], dearer["balance"]) == (4, Decimal("5.5"))
    assert dearer["featureName"] == "Rendering", "as the vendor writes it"
    assert {entry.feature_name for entry in license_.ledger} == {"Rendering", None}


def check_amounts_are_exact(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredToken", initial_meter_balance=Decimal("999999999.999999"))
    vendor.set_price("Grain", Decimal("0.000001"))
    first = charged(vendor, license_, "Grain")
    assert (first["cost"], first["balance"]) == (Decimal("0.000001"), Decimal("999999999.999998"))
    more = charged(vendor, license_, "Grain", quantity=1_000_000_000)
    assert (more["cost"], more["balance"]) == (1000, Decimal("999998999.999998"))
    assert str(more["cost"]) == "1000", "whole numbers have no fraction"
    for _ in range(3):
        last = charged(vendor, license_, "Grain", quantity=100_001)
    assert last["balance"] == Decimal("999998999.699995")
    assert license_.balance == last["balance"]


def check_the_balance(vendor: Vendor) -> None:
    for model, mode in (("MeteredCount", "Count"), ("MeteredToken", "Token")):
        license_ = vendor.issue(model, initial_meter_balance=970)
        response = balance(vendor, license_.key)
        assert response.status == 200, response
        amounts = {"held": an_amount(0), "balance": an_amount(970)}
        members = {"licenseId": license_.id, "mode": mode, **amounts}
        has_shape(response.content, members)
        assert str(response.content["balance"]) == "970"
        license_.revoke()
        assert balance(vendor, license_.key).content == response.content
    is_refused(balance(vendor, vendor.issue("Perpetual").key), 400, "NotMeteredLicense")
    is_refused(balance(vendor, UNKNOWN_KEY), 404, "LicenseNotFound")
    for query in ("", "?licenseKey="):
        names_fields(vendor.call("GET", f"/meter/balance{query}"), "licenseKey")
    wrong = {"X-API-KEY": "pk_no_such_key"}
    path = f"/meter/balance?licenseKey={UNKNOWN_KEY}"
    is_refused(vendor.call("GET", path, headers=wrong), 401, "Unauthorized")


def check_a_key_charges_once(vendor: Vendor) -> None:
    vendor.set_price("Once", 10)
    for model, cost in (("MeteredToken", 20), ("MeteredCount", 2)):
        license_ = vendor.issue(model, initial_meter_balance=100)
        first = charged(vendor, license_, "Once", quantity=2, idempotencyKey="a")
        again = charged(vendor, license_, "oNCE", quantity=2, idempotencyKey="a")
        assert again == {**first, "replayed": True}
        assert (
            charged(vendor, license_, "Once", quantity=2, idempotencyKey="A")["replayed"] is False
        )
        assert license_.balance == 100 - 2 * cost
        for other in ({"quantity": 3}, {"quantity": 2, "featureName": "Twice"}, {}):
            body = {"idempotencyKey": "a", **other}
            is_refused(consume(vendor, license_, "Once", **body), 422, "IdempotencyKeyReused")
        assert len(license_.ledger) == 3


def check_a_key_keeps_its_outcome(vendor: Vendor) -> None:
    """Even if price, license and balance change later."""
    vendor.set_price("Kept", 10)
    license_ = vendor.issue("MeteredToken", initial_meter_balance=15)
    made = charged(vendor, license_, "Kept", idempotencyKey="made")
    short = consume(vendor, license_, "Kept", idempotencyKey="short")
    lacking = {"cost": an_amount(10), "balance": an_amount(5)}
    is_refused(short, 402, "InsufficientBalance", replayed=False, **lacking)
    license_.grant(100)
    vendor.set_price("Kept", 1)
    license_.revoke()
    assert charged(vendor, license_, "Kept", idempotencyKey="made") == {**made, "replayed": True}
    again = consume(vendor, license_, "Kept", idempotencyKey="short")
    is_refused(again, 402, "InsufficientBalance", replayed=True, **lacking)
    is_refused(consume(vendor, license_, "Kept", idempotencyKey="new"), 400, "LicenseInvalid")
    assert license_.balance == 105


def check_other_refusals_are_not_kept(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredToken", initial_meter_balance=10)
    ask = partial(consume, vendor, license_, "Priced later", idempotencyKey="k")
    is_refused(ask(), 422, "PricingNotConfigured")
    vendor.set_price("Priced later", 1)
    license_.suspend()
    is_refused(ask(), 400, "LicenseInvalid")
    license_.reinstate()
    assert ask().content["replayed"] is False


def check_keys_belong_to_a_license(vendor: Vendor) -> None:
    first, second = (vendor.issue("MeteredCount", initial_meter_balance=5) for _ in range(2))
    assert charged(vendor, first, "export", idempotencyKey="same")["replayed"] is False
    other = charged(vendor, second, "import", quantity=2, idempotencyKey="same")
    assert (other["replayed"], other["balance"]) == (False, 3)


def check_refused_charges(vendor: Vendor) -> None:
    vendor.set_price("Costly", 1)
    unknown = {"licenseKey": UNKNOWN_KEY, "featureName": "Costly"}
    is_refused(vendor.call("POST", "/meter/consume", unknown), 404, "LicenseNotFound")
    is_refused(consume(vendor, vendor.issue("Perpetual"), "Costly"), 400, "NotMeteredLicense")
    license_ = vendor.issue("MeteredToken", initial_meter_balance=10)
    names_fields(consume(vendor, license_, "Costly"), "idempotencyKey")
    free = consume(vendor, license_, "Never priced", idempotencyKey="a")
    is_refused(free, 422, "PricingNotConfigured")
    short_lived = vendor.issue("MeteredCount", expires=timedelta(seconds=2))
    assert charged(vendor, short_lived, "a")["cost"] == 1
    vendor.wait(2.5)
    is_refused(consume(vendor, short_lived, "a"), 400, "LicenseInvalid")


def check_entitlements_come_before_prices(vendor: Vendor) -> None:
    for model in ("MeteredToken", "MeteredCount"):
        license_ = vendor.issue(model, features=["Granted"], initial_meter_balance=10)
        vendor.set_price("Granted", 1)
        assert charged(vendor, license_, "gRANTED", idempotencyKey="a")["cost"] == 1
        other = consume(vendor, license_, "Other", idempotencyKey="b")
        is_refused(other, 403, "FeatureNotEntitled")
        license_.suspend()
        other = consume(vendor, license_, "Other", idempotencyKey="b")
        is_refused(other, 400, "LicenseInvalid")


def check_invalid_charges_name_their_fields(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=10)
    for field, values in WRONG.items():
        for value in values:
            names_fields(consume(vendor, license_, "export", **{field: value}), field)
    many = {"licenseKey": 5, "featureName": "", "idempotencyKey": "", "quantity": 0}
    names_fields(vendor.call("POST", "/meter/consume", many), *many)
    longest = {"idempotencyKey": "y" * 128, "color": "red"}
    assert charged(vendor, license_, "x" * 128, **longest)["cost"] == 1


def check_devices_are_checked(vendor: Vendor) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=10)
    here = activate(vendor, license_, HERE).content["activationId"]
    there = activate(vendor, license_, THERE).content["activationId"]
    made = charged(vendor, license_, "a", hardwareId=HERE, activationId=here)
    assert license_.ledger[0].activation_id == here
    assert license_.ledger[0].id == made["ledgerEntryId"]
    charged(vendor, license_, "a", activationId=there)
    assert license_.ledger[0].activation_id == there
    charged(vendor, license_, "a", hardwareId="h1m-conformance-unheard-of")
    assert license_.ledger[0].activation_id is None
    mixed = consume(vendor, license_, "a", hardwareId=HERE, activationId=there)
    names_fields(mixed, "activationId")
    unknown_activation = consume(vendor, license_, "a", activationId=UNKNOWN_ACTIVATION)
    is_refused(unknown_activation, 404, "ActivationNotFound")
    first = charged(vendor, license_, "a", hardwareId=THERE, idempotencyKey="k")
    device(license_, THERE).block()
    refused = consume(vendor, license_, "a", idempotencyKey="k", hardwareId=THERE)
    is_refused(refused, 403, "DeviceBlocked")
    hidden = consume(vendor, license_, "a", idempotencyKey="k", activationId=there)
    is_refused(hidden, 403, "DeviceBlocked")
    names_fields(consume(vendor, license_, "a", idempotencyKey="k"), "hardwareId")
    elsewhere = charged(vendor, license_, "a", hardwareId=HERE, idempotencyKey="k")
    assert elsewhere == {**first, "replayed": True}
    assert license_.balance == 6


def check_the_ledger(vendor: Vendor) -> None:
    vendor.set_price("Booked", Decimal("2.5"))
    license_ = vendor.issue("MeteredToken", initial_meter_balance=100)
    made = charged(vendor, license_, "Booked", quantity=4, idempotencyKey="k")
    license_.grant(Decimal("0.5"), reason="A gift", external_reference="PO-7")
    license_.adjust(Decimal("-40.25"), "A mistake")
    is_refused(
        consume(vendor, license_, "Booked", quantity=1000, idempotencyKey="too-much"),
        402,
        "InsufficientBalance",
        cost=an_amount(2500),
        balance=an_amount("50.25"),
        replayed=False,
    )
    assert moves(license_) == [
        ("InitialGrant", 100, 100, 1),
        ("Consume", -10, 90, 2),
        ("AdminGrant", Decimal("0.5"), Decimal("90.5"), 3),
        ("Adjust", Decimal("-40.25"), Decimal("50.25"), 4),
    ]
    adjusted, granted, used, first = license_.ledger
    assert (used.feature_name, used.quantity, used.unit_price) == ("Booked", 4, Decimal("2.5"))
    assert (used.id, used.idempotency_key) == (made["ledgerEntryId"], "k")
    assert (granted.reason, granted.external_reference) == ("A gift", "PO-7")
    assert (adjusted.reason, adjusted.feature_name, first.reason) == ("A mistake", None, None)
    assert all(an_id(entry.id) for entry in license_.ledger)
