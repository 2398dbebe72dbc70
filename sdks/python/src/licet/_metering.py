"""Metering: charges made exactly once despite retries, and the balance."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from licet._api import call
from licet._core import LicenseCore
from licet._error_codes import optional_amount, optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._retries import RetryPolicy
from licet.errors import (
    CaptivePortalError,
    ConcurrencyConflictError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    ServerUnavailableError,
    TlsError,
    UnexpectedReplyError,
)

CONSUME = "/meter/consume"
BALANCE = "/meter/balance"
MAX_QUANTITY = 1_000_000_000
MAX_NAME_LENGTH = 128

_RETRYABLE = (NetworkError, ServerUnavailableError, RateLimitedError, ConcurrencyConflictError)
_NOT_RETRYABLE = (TlsError, ProxyError, CaptivePortalError)


class MeterMode(StrEnum):
    """How a license is charged: by uses, or by tokens at a price for each feature."""

    Count = "Count"
    Token = "Token"  # noqa: S105 - a mode's name


@dataclass(frozen=True, slots=True)
class Consumption:
    """A charge that was made.

    >>> charge = metered.consume("export", 3, idempotency_key="order-17")
    >>> charge.cost, charge.balance, charge.replayed
    (Decimal('3'), Decimal('7'), False)
    >>> metered.consume("export", 3, idempotency_key="order-17").replayed
    True
    >>> metered.balance().balance
    Decimal('7')

    Attributes:
        cost: The amount charged.
        balance: The balance after the charge.
        ledger_entry_id: The ID of the charge in the vendor's ledger.
        idempotency_key: The key of the charge; repeating the call with it charges nothing.
        replayed: Whether an earlier attempt with the same key made the charge.
    """

    feature_name: str
    quantity: int
    cost: Decimal
    balance: Decimal
    ledger_entry_id: str
    license_id: str
    idempotency_key: str
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Balance:
    """The balance of a metered license, shared by all its devices."""

    license_id: str
    mode: MeterMode
    balance: Decimal


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge to make. All attempts use the same idempotency key."""

    feature: str
    quantity: int
    idempotency_key: str
    activation_id: str | None


def make_charge(
    feature: str, quantity: int, idempotency_key: str | None, activation_id: str | None
) -> Charge:
    """Create a charge, with a random 128-bit idempotency key unless one is given.

    Raises:
        ValueError: An argument is out of range.
    """
    key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    if not 1 <= (optional_int(quantity) or 0) <= MAX_QUANTITY:
        raise ValueError(f"quantity must be an integer from 1 to {MAX_QUANTITY:,}.")
    _check_name("feature", feature)
    _check_name("idempotency_key", key)
    return Charge(feature, quantity, key, activation_id)


def _check_name(label: str, text: object) -> None:
    if not isinstance(text, str) or not 1 <= len(text) <= MAX_NAME_LENGTH:
        raise ValueError(f"{label} must be a string of 1 to {MAX_NAME_LENGTH} characters.")


def is_charge_retryable(error: LicetError) -> bool:
    """Whether to retry a charge that failed with this error.

    Retrying is safe even if the charge was made: the idempotency key prevents a second charge.
    """
    return isinstance(error, _RETRYABLE) and not isinstance(error, _NOT_RETRYABLE)


CHARGE_RETRIES = RetryPolicy(attempts=5, budget=2.0, is_retryable=is_charge_retryable)


def consume(core: LicenseCore, charge: Charge) -> Flow[Consumption]:
    """Make a charge exactly once."""
    fields = {
        "licenseKey": core.required_key(),
        "featureName": charge.feature,
        "quantity": charge.quantity,
        "idempotencyKey": charge.idempotency_key,
        "hardwareId": core.hardware_id,
        **core.credentials,
        "activationId": charge.activation_id,
    }
    try:
        response, request_id = yield from call(core, CONSUME, fields, retries=CHARGE_RETRIES)
        return _read_consumption(core, response, charge, request_id)
    except LicetError as error:
        error.idempotency_key = charge.idempotency_key
        raise


def balance(core: LicenseCore) -> Flow[Balance]:
    """Get the balance."""
    fields = {"licenseKey": core.required_key(), "hardwareId": core.hardware_id}
    response, request_id = yield from call(
        core, BALANCE, fields, method="GET", headers=core.credential_headers
    )
    license_id, left = response.get("licenseId"), optional_amount(response.get("balance"))
    mode = response.get("mode")
    if not isinstance(license_id, str) or left is None or mode not in tuple(MeterMode):
        raise _unexpected_reply("the balance", request_id)
    if not core.is_this_license(license_id):
        raise _another("the balance", request_id)
    return Balance(license_id, MeterMode(mode), left)


def _read_consumption(
    core: LicenseCore, response: Mapping[str, Any], charge: Charge, request_id: str | None
) -> Consumption:
    cost, left = optional_amount(response.get("cost")), optional_amount(response.get("balance"))
    ids = response.get("ledgerEntryId"), response.get("licenseId")
    if cost is None or left is None or not all(isinstance(value, str) for value in ids):
        raise _unexpected_reply("the charge", request_id)
    if not _is_about(charge, response) or not core.is_this_license(str(ids[1])):
        raise _another("the charge", request_id)
    return Consumption(
        feature_name=response["featureName"],
        quantity=charge.quantity,
        cost=cost,
        balance=left,
        ledger_entry_id=str(ids[0]),
        license_id=str(ids[1]),
        idempotency_key=charge.idempotency_key,
        replayed=response.get("replayed") is True,
    )


def _is_about(charge: Charge, response: Mapping[str, Any]) -> bool:
    """Whether a response is to this charge. Features are compared without case."""
    feature, key = response.get("featureName"), response.get("idempotencyKey")
    return (
        isinstance(feature, str)
        and feature.casefold() == charge.feature.casefold()
        and optional_int(response.get("quantity")) == charge.quantity
        and key in {None, charge.idempotency_key}
    )


def _another(what: str, request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"The response about {what} is to another request. Something between the application and "
        "the license server mixes up responses; check proxies.",
        http_status=200,
        request_id=request_id,
    )


def _unexpected_reply(what: str, request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"The response about {what} does not come from a license server.",
        hint=CHECK_ADDRESS,
        http_status=200,
        request_id=request_id,
    )
