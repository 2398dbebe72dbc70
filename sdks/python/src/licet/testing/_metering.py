"""The routes of meters. A charge with an idempotency key happens once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet.testing._answers import Answer, Call, find_license
from licet.testing._fields import (
    HARDWARE_ID,
    LICENSE_KEY,
    identifier,
    optional,
    read_fields,
    text,
    whole,
)
from licet.testing._refusals import Refused, bad_fields
from licet.testing._rules import license_status
from licet.testing._state import Device, License, Outcome, Price, State, Wallet
from licet.testing._wallet import EXACT, record

_CONSUME = {
    "licenseKey": LICENSE_KEY,
    "featureName": text(128, shortest=1, blank=False),
    "idempotencyKey": optional(text(128, shortest=1)),
    "quantity": optional(whole(1, 1_000_000_000)),
    "hardwareId": optional(HARDWARE_ID),
    "activationId": optional(identifier),
}
_BALANCE = {"licenseKey": LICENSE_KEY}


@dataclass(frozen=True, slots=True)
class _Use:
    feature: str
    quantity: int
    key: str | None

    def is_that_of(self, outcome: Outcome) -> bool:
        return (self.feature.casefold(), self.quantity) == (outcome.feature, outcome.quantity)


def consume(state: State, call: Call) -> Answer:
    """POST /meter/consume."""
    asked = read_fields(call.body, _CONSUME)
    license_, wallet = _metered(state, asked["licenseKey"])
    use = _Use(asked["featureName"], asked["quantity"] or 1, asked["idempotencyKey"])
    if wallet.mode == "Token" and use.key is None:
        raise bad_fields([("idempotencyKey", "is missing.")])
    device = _device(license_, asked["hardwareId"], asked["activationId"])
    known = wallet.outcomes.get(use.key) if use.key is not None else None
    if known is not None:
        return _replay(known, use)
    _check_license(license_, use, call.now)
    price = _price(state, wallet, use)
    outcome = _charge(license_, wallet, use, price, device, call.now)
    if use.key is not None:
        wallet.outcomes[use.key] = outcome
    return _answer(outcome, replayed=False)


def balance(state: State, call: Call) -> Answer:
    """GET /meter/balance."""
    license_, wallet = _metered(state, read_fields(call.body, _BALANCE)["licenseKey"])
    content = {"licenseId": license_.id, "mode": wallet.mode, "balance": wallet.balance}
    return Answer(200, content)


def _metered(state: State, license_key: str) -> tuple[License, Wallet]:
    license_ = find_license(state, license_key)
    if license_ is None:
        raise Refused("LicenseNotFound")
    if license_.wallet is None:
        raise Refused("NotMeteredLicense")
    return license_, license_.wallet


def _device(license_: License, hardware_id: str | None, activation_id: str | None) -> Device | None:
    device = license_.devices.get(hardware_id or "")
    if device is not None and device.blocked:
        raise Refused("DeviceBlocked")
    if activation_id is None:
        return device
    wanted = activation_id.lower().replace("-", "")
    rows = license_.devices.values()
    named = next((row for row in rows if row.id.replace("-", "") == wanted), None)
    if named is None:
        raise Refused("ActivationNotFound")
    if named.blocked:
        raise Refused("DeviceBlocked")
    if hardware_id not in {None, named.hardware_id}:
        raise bad_fields([("activationId", "is of another machine than hardwareId.")])
    return named


def _check_license(license_: License, use: _Use, now: datetime) -> None:
    if license_status(license_, now) != "Active":
        raise Refused("LicenseInvalid", "The license is revoked, suspended or past its term.")
    granted = license_.features
    if granted is not None and use.feature.casefold() not in {name.casefold() for name in granted}:
        raise Refused("FeatureNotEntitled")


def _price(state: State, wallet: Wallet, use: _Use) -> Price:
    if wallet.mode == "Count":
        return Price(use.feature, Decimal(1))
    price = state.prices.get(use.feature.casefold())
    if price is None:
        raise Refused("PricingNotConfigured")
    return price


def _charge(
    license_: License,
    wallet: Wallet,
    use: _Use,
    price: Price,
    device: Device | None,
    now: datetime,
) -> Outcome:
    cost = EXACT.multiply(price.token_cost, Decimal(use.quantity))
    if wallet.balance < cost:
        lacking = {"cost": cost, "balance": wallet.balance}
        return Outcome(use.feature.casefold(), use.quantity, refused=True, members=lacking)
    entry = record(
        wallet,
        "Consume",
        cost.copy_negate(),
        now,
        feature_name=price.feature,
        quantity=use.quantity,
        unit_price=price.token_cost if wallet.mode == "Token" else None,
        idempotency_key=use.key,
        activation_id=None if device is None else device.id,
    )
    made = {
        "success": True,
        "licenseId": license_.id,
        "featureName": price.feature,
        "quantity": use.quantity,
        "cost": cost,
        "balance": entry.balance_after,
        "ledgerEntryId": entry.id,
    }
    return Outcome(use.feature.casefold(), use.quantity, refused=False, members=made)


def _replay(known: Outcome, use: _Use) -> Answer:
    if not use.is_that_of(known):
        raise Refused("IdempotencyKeyReused")
    return _answer(known, replayed=True)


def _answer(outcome: Outcome, *, replayed: bool) -> Answer:
    members: Mapping[str, Any] = {**outcome.members, "replayed": replayed}
    if outcome.refused:
        raise Refused("InsufficientBalance", extra=members)
    return Answer(200, members)
