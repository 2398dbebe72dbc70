"""Metering: charges made exactly once despite retries, and the balance."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from licet._api import call
from licet._core import LicenseCore
from licet._error_codes import charge_refused, optional_amount, optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._retries import RetryPolicy
from licet._spending import Shortfall, Spending, Use, spend
from licet.errors import (
    CaptivePortalError,
    ConcurrencyConflictError,
    DnsError,
    LicenseFileError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    ServerRefusedError,
    ServerUnavailableError,
    TlsError,
    UnexpectedReplyError,
)

_log = logging.getLogger("licet")

CONSUME = "/meter/consume"
BALANCE = "/meter/balance"
MAX_QUANTITY = 1_000_000_000
MAX_NAME_LENGTH = 128

_RETRYABLE = (NetworkError, ServerUnavailableError, RateLimitedError, ConcurrencyConflictError)
_NOT_RETRYABLE = (TlsError, ProxyError, CaptivePortalError)
_NEVER_SENT = (DnsError, ServerRefusedError, TlsError, ProxyError, CaptivePortalError)


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
        reserved: Whether reserved credits were charged, without the server: ``balance`` is what is
            left of these, and ``ledger_entry_id`` names the lease and the charge in it.
    """

    feature_name: str
    quantity: int
    cost: Decimal
    balance: Decimal
    ledger_entry_id: str
    license_id: str
    idempotency_key: str
    replayed: bool = False
    reserved: bool = False


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
    """Make a charge exactly once: of reserved credits, or else with the server."""
    key = charge.idempotency_key
    try:
        spent = yield from _spent(core, charge)
        if isinstance(spent, Spending):
            return _of_reserved(spent, charge)
        refusal = charge_refused(spent.cost, spent.left) if isinstance(spent, Shortfall) else spent
        if refusal is not None and not core.config.has_server:
            raise refusal
        try:
            return (yield from _consume_online(core, charge))
        except NetworkError as error:
            if refusal is not None and was_not_sent(error):
                raise refusal from error
            raise
    except LicetError as error:
        error.idempotency_key = key
        raise


def _spent(
    core: LicenseCore, charge: Charge
) -> Flow[Spending | Shortfall | LicenseFileError | None]:
    """Charge reserved credits; the error if the journal cannot be written.

    The server may be charged then: a line that has reached the journal after all has the same key,
    and is not charged again.
    """
    use = Use(charge.feature, charge.quantity, charge.idempotency_key)
    try:
        return (yield from spend(core, use))
    except LicenseFileError as fault:
        _log.warning("the reserved credits are not used: %s", fault.message)
        return fault


def was_not_sent(error: NetworkError) -> bool:
    """Whether the server cannot have got the request."""
    return type(error) is NetworkError or isinstance(error, _NEVER_SENT)


def _of_reserved(spent: Spending, charge: Charge) -> Consumption:
    return Consumption(
        feature_name=spent.feature,
        quantity=charge.quantity,
        cost=spent.cost,
        balance=spent.left,
        ledger_entry_id=spent.entry_id,
        license_id=spent.license_id,
        idempotency_key=charge.idempotency_key,
        replayed=spent.replayed,
        reserved=True,
    )


def _consume_online(core: LicenseCore, charge: Charge) -> Flow[Consumption]:
    fields = {
        "licenseKey": core.required_key(),
        "featureName": charge.feature,
        "quantity": charge.quantity,
        "idempotencyKey": charge.idempotency_key,
        "hardwareId": core.hardware_id,
        **core.credentials,
        "activationId": charge.activation_id,
    }
    response, request_id = yield from call(core, CONSUME, fields, retries=CHARGE_RETRIES)
    return _read_consumption(core, response, charge, request_id)


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
