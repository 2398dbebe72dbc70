"""The routes of metering. A charge with an idempotency key is made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet._amounts import EXACT
from licet.testing._device_settings import require_accepted
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    LICENSE_KEY,
    integer,
    optional,
    read_fields,
    string,
    uuid,
)
from licet.testing._holds import held_credits, metered, settle_overdue
from licet.testing._messages import (
    IN_HEADERS,
    Request,
    Response,
    find_own_license,
    require_device_named,
    with_credential_headers,
)
from licet.testing._problems import Refused, bad_fields
from licet.testing._rules import in_fallback, license_status
from licet.testing._state import Device, License, Outcome, Price, State, Wallet
from licet.testing._wallet import record_entry

_CONSUME = {
    "licenseKey": LICENSE_KEY,
    "featureName": string(128, min_length=1, allow_blank=False),
    "idempotencyKey": optional(string(128, min_length=1)),
    "quantity": optional(integer(1, 1_000_000_000)),
    "hardwareId": optional(HARDWARE_ID),
    "activationId": optional(uuid),
    **CREDENTIALS,
}
_BALANCE = {"licenseKey": LICENSE_KEY, "hardwareId": optional(HARDWARE_ID), **CREDENTIALS}


@dataclass(frozen=True, slots=True)
class _Use:
    feature: str
    quantity: int
    key: str | None

    def matches(self, outcome: Outcome) -> bool:
        return (self.feature.casefold(), self.quantity) == (outcome.feature, outcome.quantity)


def consume(state: State, request: Request) -> Response:
    """POST /meter/consume."""
    fields = read_fields(request.body, _CONSUME)
    license_, wallet = _find_metered(state, fields, request.now)
    use = _Use(fields["featureName"], fields["quantity"] or 1, fields["idempotencyKey"])
    if wallet.mode == "Token" and use.key is None:
        raise bad_fields([("idempotencyKey", "is missing.")])
    device = _device(license_, fields["hardwareId"], fields["activationId"])
    require_device_named(license_, fields["hardwareId"])
    require_accepted(state, license_, fields["hardwareId"])
    earlier = wallet.outcomes.get(use.key) if use.key is not None else None
    if earlier is not None:
        return _replay(earlier, use)
    _check_license(license_, use, request.now)
    price = _price(state, wallet, use)
    outcome = _charge(license_, wallet, use, price, device, request.now)
    if use.key is not None:
        wallet.outcomes[use.key] = outcome
    return _response(outcome, replayed=False)


def balance(state: State, request: Request) -> Response:
    """GET /meter/balance."""
    fields = read_fields(with_credential_headers(request), _BALANCE)
    license_, wallet = _find_metered(state, fields, request.now, IN_HEADERS)
    require_device_named(license_, fields["hardwareId"])
    content = {
        "licenseId": license_.id,
        "mode": wallet.mode,
        "held": held_credits(license_, request.now),
        "balance": wallet.balance,
    }
    return Response(200, content)


def _find_metered(
    state: State,
    fields: Mapping[str, Any],
    now: datetime,
    names: tuple[str, str] = ("username", "password"),
) -> tuple[License, Wallet]:
    license_ = find_own_license(state, fields, names)
    settle_overdue(license_, now)
    return license_, metered(license_)


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
        raise bad_fields([("activationId", "belongs to another device than hardwareId.")])
    return named


def _check_license(license_: License, use: _Use, now: datetime) -> None:
    if license_status(license_, now) != "Active":
        raise Refused("LicenseInvalid", "The license is revoked, suspended or expired.")
    if in_fallback(license_, now):
        raise Refused("LicenseExpired", "The term has ended, and no balance is kept. Renew it.")
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
        shortfall = {"cost": cost, "balance": wallet.balance}
        return Outcome(use.feature.casefold(), use.quantity, refused=True, members=shortfall)
    entry = record_entry(
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
    content = {
        "success": True,
        "licenseId": license_.id,
        "featureName": price.feature,
        "quantity": use.quantity,
        "cost": cost,
        "balance": entry.balance_after,
        "ledgerEntryId": entry.id,
    }
    return Outcome(use.feature.casefold(), use.quantity, refused=False, members=content)


def _replay(earlier: Outcome, use: _Use) -> Response:
    if not use.matches(earlier):
        raise Refused("IdempotencyKeyReused")
    return _response(earlier, replayed=True)


def _response(outcome: Outcome, *, replayed: bool) -> Response:
    members: Mapping[str, Any] = {**outcome.members, "replayed": replayed}
    if outcome.refused:
        raise Refused("InsufficientBalance", extra=members)
    return Response(200, members)
