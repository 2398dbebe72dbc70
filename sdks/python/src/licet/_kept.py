"""Signed verdicts that are kept on this machine: the last confirmation, and a refusal.

A kept verdict is verified each time it is read, so nothing that is written on this machine, and no
file of another machine, can take its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from licet._claims import read_string
from licet._jose import RejectedTokenError, decode_segment, read_object, split_token
from licet._model import License, LicenseResult
from licet._public_key import PublicKey
from licet._rules import refusal_finding
from licet._status import LicenseValidationStatus
from licet._verdict import VERDICT_TYP, read_verdict


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """A verdict that the server signed for this machine.

    Attributes:
        server_status: The status as sent by the server.
        status: The status as this version understands it.
        key_hash: The hash of the license key that it is about.
        at: When the server signed it.
    """

    server_status: str
    status: LicenseValidationStatus
    key_hash: str
    at: datetime
    license: License | None


def refusal_result(kept: KeptVerdict, now: datetime) -> LicenseResult:
    """The result for a refusal in the place of license.bin."""
    status, message = refusal_finding(kept.server_status)
    return LicenseResult(
        status,
        message,
        source="file",
        license=kept.license,
        checked_at=now,
        server_status=kept.server_status if status is LicenseValidationStatus.Unknown else None,
    )


def is_verdict(text: str) -> bool:
    """Whether this claims to be a verdict. Verifies nothing."""
    try:
        return read_object(decode_segment(split_token(text, 3)[0])).get("typ") == VERDICT_TYP
    except RejectedTokenError:
        return False


def read_kept(
    token: str, keys: Sequence[PublicKey], *, product_id: str, hardware_id: str
) -> KeptVerdict | None:
    """Read a kept verdict; ``None`` if it was not signed for this product and this machine."""
    try:
        verdict, claims = read_verdict(token, keys, product_id)
        if claims.get("hardwareId") != hardware_id:
            return None
        return KeptVerdict(
            verdict.server_status,
            verdict.status,
            read_string(claims, "licenseKeyHash"),
            verdict.issued_at,
            verdict.license,
        )
    except RejectedTokenError:
        return None
