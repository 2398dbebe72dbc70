"""Leases: a seat or credits that the server signed for this device, valid until their end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet._amounts import read_plain
from licet._claims import LicenseFile, read_epoch, read_file_claims, read_mapping, read_string
from licet._error_codes import optional_int
from licet._jose import RejectedTokenError, verify_token
from licet._keys import key_hash
from licet._public_key import PublicKey

LEASE_TYP = "lease+jwt"
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class LeaseHolder:
    """Whom a lease has to be for: this product, license key and device."""

    product_id: str
    normal_key: str
    hardware_id: str
    jkt: str


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease whose signature and holder have been verified.

    Attributes:
        terms: The license and when the lease was signed, as a license.bin has them.
        seq: Which token of the lease it is: a renewal counts one up.
    """

    id: str
    seq: int
    ends_at: datetime
    terms: LicenseFile


@dataclass(frozen=True, slots=True)
class CreditLease:
    """A verified lease of reserved credits.

    Attributes:
        prices: The name of a feature and the price of one use, by its case-folded name.
        any_feature: Whether each use of any other feature costs 1.
    """

    lease: Lease
    amount: Decimal
    prices: Mapping[str, tuple[str, Decimal]]
    any_feature: bool

    def price_of(self, feature: str) -> tuple[str, Decimal] | None:
        """The name under which a feature is charged, and its price; ``None`` if it has none."""
        if self.any_feature:
            return feature, _ONE
        return self.prices.get(feature.casefold())


def open_lease(token: str, keys: Sequence[PublicKey], holder: LeaseHolder) -> Lease:
    """Verify the lease of a borrowed seat and read its claims. Compares no time.

    Raises:
        RejectedTokenError: It was edited, is not signed with a trusted key, or is for another
            product, license key or device.
    """
    return _open(token, keys, holder, "Seat")[0]


def open_credits(token: str, keys: Sequence[PublicKey], holder: LeaseHolder) -> CreditLease:
    """Verify the lease of reserved credits and read its claims. Compares no time.

    Raises:
        RejectedTokenError: As for a seat.
    """
    lease, claims = _open(token, keys, holder, "Credits")
    amount, mode = _read_amount(claims, "quantity"), claims.get("mode")
    if not amount:
        raise RejectedTokenError("its claims are malformed: quantity")
    if mode == "Token":
        prices = read_mapping(claims, "prices")
        priced = {name.casefold(): (name, _read_amount(prices, name)) for name in prices}
        return CreditLease(lease, amount, priced, any_feature=False)
    if mode != "Count":
        raise RejectedTokenError("its claims are malformed: mode")
    counted = {name.casefold(): (name, _ONE) for name in lease.terms.license.features or ()}
    return CreditLease(lease, amount, counted, any_feature=claims.get("anyFeature") is True)


def _open(
    token: str, keys: Sequence[PublicKey], holder: LeaseHolder, kind: str
) -> tuple[Lease, Mapping[str, Any]]:
    claims = verify_token(token, keys, typ=LEASE_TYP, need_kid=True)
    if not _is_for(claims, holder, kind):
        raise RejectedTokenError("it is for another product, license key or device")
    seq, ends_at = optional_int(claims.get("seq")), read_epoch(claims, "exp")
    if seq is None or seq < 1:
        raise RejectedTokenError("its claims are malformed: seq")
    read_epoch(claims, "nbf")
    terms = replace(read_file_claims(claims, protected=False), normal_key=holder.normal_key)
    return Lease(read_string(claims, "jti"), seq, ends_at, terms), claims


def _read_amount(claims: Mapping[str, Any], name: str) -> Decimal:
    try:
        return read_plain(claims.get(name))
    except ValueError as error:
        raise RejectedTokenError(f"its claims are malformed: {name}") from error


def _is_for(claims: Mapping[str, Any], holder: LeaseHolder, kind: str) -> bool:
    own = {
        "aud": holder.product_id,
        "kind": kind,
        "hardwareId": holder.hardware_id,
        "licenseKeyHash": key_hash(holder.normal_key),
        "cnf": {"jkt": holder.jkt},
    }
    return all(claims.get(name) == value for name, value in own.items())
