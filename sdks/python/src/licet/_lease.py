"""The lease of a borrowed seat: what the server signed for this device, valid until its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from licet._claims import LicenseFile, read_epoch, read_file_claims, read_string
from licet._error_codes import optional_int
from licet._jose import RejectedTokenError, verify_token
from licet._keys import key_hash
from licet._public_key import PublicKey

LEASE_TYP = "lease+jwt"


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


def open_lease(token: str, keys: Sequence[PublicKey], holder: LeaseHolder) -> Lease:
    """Verify a lease and read its claims. Compares no time.

    Raises:
        RejectedTokenError: It was edited, is not signed with a trusted key, or is for another
            product, license key or device.
    """
    claims = verify_token(token, keys, typ=LEASE_TYP, need_kid=True)
    if not _is_for(claims, holder):
        raise RejectedTokenError("it is for another product, license key or device")
    seq, ends_at = optional_int(claims.get("seq")), read_epoch(claims, "exp")
    if seq is None or seq < 1:
        raise RejectedTokenError("its claims are malformed: seq")
    read_epoch(claims, "nbf")
    terms = replace(read_file_claims(claims, protected=False), normal_key=holder.normal_key)
    return Lease(read_string(claims, "jti"), seq, ends_at, terms)


def _is_for(claims: Mapping[str, Any], holder: LeaseHolder) -> bool:
    own = {
        "aud": holder.product_id,
        "kind": "Seat",
        "hardwareId": holder.hardware_id,
        "licenseKeyHash": key_hash(holder.normal_key),
        "cnf": {"jkt": holder.jkt},
    }
    return all(claims.get(name) == value for name, value in own.items())
