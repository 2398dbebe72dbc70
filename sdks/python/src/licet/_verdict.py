"""The server's signed verdict, accepted only if every claim matches the request.

The signature alone would allow a relay to replay the verdict on another license; the nonce alone
would allow a fake server. The unsigned JSON around the token is never read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from licet._claims import read_epoch, read_license, read_mapping, read_string
from licet._clock import format_duration, format_time
from licet._clock_guard import is_quarter_hours
from licet._jose import RejectedTokenError, verify_token
from licet._keys import key_hash
from licet._model import License, LicenseResult
from licet._public_key import PublicKey
from licet._rules import clock_warning, unknown_status_message
from licet._state import MAX_CLOCK_OFFSET
from licet._status import MESSAGES, SERVER_STATUSES, LicenseValidationStatus

VERDICT_TYP = "verdict+jwt"
LEEWAY = timedelta(minutes=2)
MAX_LIFETIME = timedelta(minutes=15)

Status = LicenseValidationStatus


@dataclass(frozen=True, slots=True)
class VerdictRequest:
    """The request that a verdict must match.

    Attributes:
        test_mode: Whether a verdict on a test license is accepted.
    """

    product_id: str
    normal_key: str
    hardware_id: str | None
    nonce: str
    test_mode: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verified verdict.

    Attributes:
        server_status: The status as sent by the server.
        status: The status as this version understands it.
        clock_offset: The server's time minus this machine's, positive if the clock is behind;
            ``None`` if the clock is within the verdict's lifetime and leeway.
        server_ahead: The same for an accepted test license, whose time is the server's; then the
            clock is never wrong.
    """

    server_status: str
    status: LicenseValidationStatus
    license: License | None
    issued_at: datetime
    clock_offset: timedelta | None
    server_ahead: timedelta | None = None

    @property
    def clock_off_by_time_zone(self) -> bool:
        """Whether the offset can be explained by a wrong time zone."""
        return self.clock_offset is not None and is_quarter_hours(self.clock_offset)


def verify_verdict(
    token: object, keys: Sequence[PublicKey], request: VerdictRequest, now: datetime
) -> Verdict:
    """Verify a verdict token and match its claims with the request.

    Raises:
        RejectedTokenError: The signature or a claim does not match.
    """
    if not isinstance(token, str):
        raise RejectedTokenError("the verdict is not signed")
    verdict, claims = read_verdict(token, keys, request.product_id)
    _require(claims.get("nonce") == request.nonce, "it is for another request (nonce)")
    _require(
        claims.get("licenseKeyHash") == key_hash(request.normal_key),
        "it is for another license key",
    )
    _require(claims.get("hardwareId") == request.hardware_id, "it is for another machine")
    offset = _clock_offset(now, verdict.issued_at, read_epoch(claims, "exp"))
    if verdict.license is None or not verdict.license.test:
        return replace(verdict, clock_offset=offset)
    if not request.test_mode:
        return replace(verdict, status=Status.TestLicense, clock_offset=offset)
    return replace(verdict, server_ahead=verdict.issued_at - now)


def read_verdict(
    token: str, keys: Sequence[PublicKey], product_id: str
) -> tuple[Verdict, dict[str, Any]]:
    """Verify a verdict of this product, and return it with its claims.

    What the verdict is about (license key, machine, request) is left to the caller.

    Raises:
        RejectedTokenError: The signature or a claim does not match.
    """
    claims = verify_token(token, keys, typ=VERDICT_TYP, need_kid=False)
    _require(claims.get("aud") == product_id, "it is for another product")
    issued_at, expires_at = read_epoch(claims, "iat"), read_epoch(claims, "exp")
    lifetime = expires_at - issued_at
    _require(timedelta(0) < lifetime <= MAX_LIFETIME, "its lifetime is invalid")
    server_status, status = _read_status(claims)
    terms = _read_terms(claims, status, issued_at)
    return Verdict(server_status, status, terms, issued_at, None), claims


def verdict_result(verdict: Verdict, *, now: datetime, request_id: str | None) -> LicenseResult:
    """Convert a verified verdict to the application's result."""
    status, message = verdict.status, MESSAGES.get(verdict.status)
    if status.valid and verdict.clock_offset is not None:
        status, message = Status.ClockTampered, _clock_message(verdict, now)
    return LicenseResult(
        status=status,
        message=message or unknown_status_message(verdict.server_status),
        source="server",
        license=verdict.license,
        checked_at=now,
        server_status=verdict.server_status if status is Status.Unknown else None,
        request_id=request_id,
    )


def with_server_clock(verdict: Verdict, result: LicenseResult) -> LicenseResult:
    """The result for a verdict that has just arrived: up to a day off, a wrong clock only warns.

    The nonce shows that the verdict is new, so the time in it is right.
    """
    offset = verdict.clock_offset
    if offset is None or not verdict.status.valid or abs(offset) > MAX_CLOCK_OFFSET:
        return result
    message, warning = MESSAGES[Status.Valid], clock_warning(offset)
    return replace(result, status=Status.Valid, message=message, warnings=(warning,))


def _require(holds: bool, failure: str) -> None:
    if not holds:
        raise RejectedTokenError(failure)


def _read_status(claims: Mapping[str, Any]) -> tuple[str, LicenseValidationStatus]:
    server_status, valid = read_string(claims, "status"), claims.get("valid")
    _require(isinstance(valid, bool), "its claims are malformed: valid")
    if server_status not in SERVER_STATUSES:
        return server_status, Status.Unknown
    status = Status(server_status)
    _require(status.valid is valid, "it contradicts itself (valid, status)")
    return server_status, status


def _read_terms(
    claims: Mapping[str, Any], status: LicenseValidationStatus, issued_at: datetime
) -> License | None:
    seat = {"seat": claims.get("seat")}
    if not status.valid:
        raw = claims.get("license")
        return read_license({**seat, **raw}) if isinstance(raw, dict) else None
    terms = read_license({**seat, **read_mapping(claims, "license")})
    _require(terms.status == "Active", "it contradicts itself (license.status)")
    expires = terms.expiration_date
    _require(
        expires is None or issued_at - expires < LEEWAY,
        "it contradicts itself (license.expirationDate)",
    )
    return terms


def _clock_offset(now: datetime, issued_at: datetime, expires_at: datetime) -> timedelta | None:
    if issued_at - now <= LEEWAY and now - expires_at <= LEEWAY:
        return None
    return issued_at - now


def _clock_message(verdict: Verdict, now: datetime) -> str:
    offset = verdict.clock_offset or timedelta(0)
    side = "behind" if offset > timedelta(0) else "ahead of"
    advice = (
        "The difference looks like a wrong time zone: correct the time zone."
        if verdict.clock_off_by_time_zone
        else "Correct the date and time."
    )
    return (
        f"The license is valid, but this computer's clock ({format_time(now)}) is "
        f"{format_duration(offset)} {side} the license server's. {advice} Then try again."
    )
