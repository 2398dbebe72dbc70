"""Meters: charging a use exactly once, however often the network makes it ask, and the balance."""

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
    """What a meter counts: uses, or tokens at a price for each feature."""

    Count = "Count"
    Token = "Token"  # noqa: S105 - a mode's name


@dataclass(frozen=True, slots=True)
class Consumption:
    """A charge that was made.

    Attributes:
        cost: What it took from the balance.
        balance: What was left after it.
        ledger_entry_id: Where the vendor finds it.
        idempotency_key: The name of this charge; asking again with it charges nothing.
        replayed: Whether the charge was made by an earlier attempt with the same key.
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
    """What is left of a metered license, for all of its devices together."""

    license_id: str
    mode: MeterMode
    balance: Decimal


@dataclass(frozen=True, slots=True)
class Charge:
    """What is to be charged. The key names it in every attempt."""

    feature: str
    quantity: int
    idempotency_key: str
    activation_id: str | None


def make_charge(
    feature: str, quantity: int, idempotency_key: str | None, activation_id: str | None
) -> Charge:
    """A charge under the key given, or else under one of 128 random bits.

    Raises:
        ValueError: No server takes such a charge.
    """
    key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    if not 1 <= (optional_int(quantity) or 0) <= MAX_QUANTITY:
        raise ValueError(f"quantity must be a whole number from 1 to {MAX_QUANTITY:,}.")
    _check_name("feature", feature)
    _check_name("idempotency_key", key)
    return Charge(feature, quantity, key, activation_id)


def _check_name(label: str, text: object) -> None:
    if not isinstance(text, str) or not 1 <= len(text) <= MAX_NAME_LENGTH:
        raise ValueError(f"{label} must be a text of 1 to {MAX_NAME_LENGTH} characters.")


def is_charge_retryable(error: LicetError) -> bool:
    """Whether a charge that ended in this may be made, or turn out to have been, by asking again.

    That is safe even where the charge may have been made: its key keeps it from being made twice.
    """
    return isinstance(error, _RETRYABLE) and not isinstance(error, _NOT_RETRYABLE)


CHARGE_RETRIES = RetryPolicy(attempts=5, seconds=20.0, is_retryable=is_charge_retryable)


def consume(core: LicenseCore, charge: Charge) -> Flow[Consumption]:
    """Make a charge, once."""
    fields = {
        "licenseKey": core.required_key(),
        "featureName": charge.feature,
        "quantity": charge.quantity,
        "idempotencyKey": charge.idempotency_key,
        "hardwareId": core.hardware_id,
        "activationId": charge.activation_id,
    }
    try:
        answer, request_id = yield from call(core.config, CONSUME, fields, retries=CHARGE_RETRIES)
        return _read_consumption(answer, charge, request_id)
    except LicetError as error:
        error.idempotency_key = charge.idempotency_key
        raise


def balance(core: LicenseCore) -> Flow[Balance]:
    """Ask what is left."""
    fields = {"licenseKey": core.required_key()}
    answer, request_id = yield from call(core.config, BALANCE, fields, method="GET")
    license_id, left = answer.get("licenseId"), optional_amount(answer.get("balance"))
    mode = answer.get("mode")
    if not isinstance(license_id, str) or left is None or mode not in tuple(MeterMode):
        raise _unexpected_reply("the balance", request_id)
    return Balance(license_id, MeterMode(mode), left)


def _read_consumption(
    answer: Mapping[str, Any], charge: Charge, request_id: str | None
) -> Consumption:
    cost, left = optional_amount(answer.get("cost")), optional_amount(answer.get("balance"))
    ids = answer.get("ledgerEntryId"), answer.get("licenseId")
    if cost is None or left is None or not all(isinstance(value, str) for value in ids):
        raise _unexpected_reply("the charge", request_id)
    return Consumption(
        feature_name=str(answer.get("featureName", charge.feature)),
        quantity=optional_int(answer.get("quantity")) or charge.quantity,
        cost=cost,
        balance=left,
        ledger_entry_id=str(ids[0]),
        license_id=str(ids[1]),
        idempotency_key=charge.idempotency_key,
        replayed=answer.get("replayed") is True,
    )


def _unexpected_reply(what: str, request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"The answer about {what} is not one that a license server gives. "
        "Check that ServerBaseEndpoint is the API's address.",
        http_status=200,
        request_id=request_id,
    )
