"""The verdict on a license file. Pure checks in a fixed order: no disk, no network, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from licet._claims import LicenseFile
from licet._clock import after, format_duration, format_time
from licet._clock_guard import (
    TOLERANCE,
    ClockReading,
    ClockState,
    assess_clock,
    is_quarter_hours,
)
from licet._device_key import DeviceKey
from licet._keys import key_hash
from licet._license_models import traits_of
from licet._model import License, LicenseResult
from licet._semver import release_allows
from licet._state import State
from licet._status import MESSAGES, SERVER_STATUSES, LicenseValidationStatus
from licet._wording import english, word

Status = LicenseValidationStatus
Finding = tuple[LicenseValidationStatus, str]


@dataclass(frozen=True, slots=True)
class Confirmation:
    """When the server signed that the license of a key is valid on this machine."""

    key_hash: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SignedRefusal:
    """When the server signed that the license of a key is refused on this machine, and why."""

    key_hash: str
    status: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FileContext:
    """Everything besides the file that the verdict depends on.

    Attributes:
        normal_key: The configured license key; ``None`` accepts the key in the file.
        app_released_at: When this release of the application was published, if it says so.
        test_mode: Whether a test license is accepted.
        now: The current time with the machine's UTC offset.
        state: The state stored on this machine.
        grace: How long an Online license stays valid after a signed verdict last confirmed it.
        confirmed: The last signed verdict for this machine, if it confirmed a license.
        refused: The last refusal of the file's license key, if the server signed it for this
            machine.
        device_key: The key of this device, for a file that names one.
        released_seq: Up to which number this device has released what answers its requests.
        components: The components of this machine, for a file that names some.
    """

    normal_key: str | None
    hardware_id: str
    app_version: str | None
    app_released_at: datetime | None
    now: datetime
    state: State
    grace: timedelta
    confirmed: Confirmation | None = None
    refused: SignedRefusal | None = None
    device_key: DeviceKey | None = None
    test_mode: bool = False
    released_seq: int = 0
    components: Mapping[str, str] = field(default_factory=dict)


def evaluate_file(file: LicenseFile, context: FileContext) -> LicenseResult:
    """Evaluate a verified file."""
    now = time_of(file.license, file.issued_at, context.now, context.state)
    reading = assess_file_clock(file, context)
    license_ = _license_at(file.license, context.app_released_at, reading.judged_at)
    contact = _last_contact(file, context.confirmed)
    refused = _applicable_refusal(file, reading, context)
    finding = (
        _check_license_key(file, context)
        or _check_mode(file, context)
        or (refusal_finding(refused) if refused is not None else None)
        or _check_status(file)
        # First: an end that has not come says nothing.
        or (_check_clock(reading) if _needs_clock(file, context) else None)
        or _check_expiration(license_, reading)
        or _check_request(file, context)
        or _check_hardware(file, context)
        or _check_device_key(file, context)
        or _check_release(file, license_, context)
        or _check_refresh(file, reading)
        or _check_grace(file, reading, contact, context)
        or (Status.Valid, MESSAGES[Status.Valid])
    )
    result = LicenseResult(
        status=finding[0],
        message=finding[1],
        source="file",
        license=license_,
        product=file.product,
        release=file.release,
        checked_at=now,
        refresh_by=file.refresh_by,
        grace_ends_at=after(contact, context.grace) if file.online and contact else None,
    )
    if finding[0] is Status.Unknown:
        result = replace(result, server_status=refused or file.license.status)
    if reading.state is ClockState.WRONG_TIME_ZONE:
        result = replace(result, warnings=(time_zone_warning(reading.behind),))
    return result


def evaluate_lease(
    lease: LicenseFile, ends_at: datetime, context: FileContext, what: str
) -> LicenseResult | None:
    """Evaluate a verified lease of ``what``, such as "a seat is borrowed"; ``None`` at its end."""
    reading = assess_file_clock(lease, context)
    refused = _applicable_refusal(lease, reading, context)
    finding = (
        _check_mode(lease, context)
        or (refusal_finding(refused) if refused is not None else None)
        or _check_status(lease)
        or _check_clock(reading)
    )
    if finding is None and reading.judged_at >= ends_at:
        return None
    status, message = (
        finding
        or _check_release(lease, lease.license, context)
        or (Status.Valid, f"The license is valid: {what} until {format_time(ends_at)}.")
    )
    is_wrong_zone = reading.state is ClockState.WRONG_TIME_ZONE
    unknown = (refused or lease.license.status) if status is Status.Unknown else None
    return LicenseResult(
        status,
        message,
        source="file",
        license=lease.license,
        product=lease.product,
        release=lease.release,
        checked_at=time_of(lease.license, lease.issued_at, context.now, context.state),
        lease_ends_at=ends_at if status.valid else None,
        server_status=unknown,
        warnings=(time_zone_warning(reading.behind),) if is_wrong_zone else (),
    )


def assess_file_clock(file: LicenseFile, context: FileContext) -> ClockReading:
    """Compare the clock with the file's signed times and this machine's state."""
    state = context.state
    now = time_of(file.license, file.issued_at, context.now, state)
    bound = max(file.issued_at, file.not_before)
    if context.confirmed is not None:
        bound = max(bound, context.confirmed.at)
    bound_offset = None
    if state.high_water is not None and state.high_water > bound:
        bound, bound_offset = state.high_water, state.utc_offset
    return assess_clock(now, bound, bound_offset)


def time_of(license_: License | None, signed_at: datetime, now: datetime, state: State) -> datetime:
    """The time by this machine's clock, or for a test license by its server's.

    That time is known from the last verdict and goes on with this machine's clock, so that an
    application follows the clock of a Test product. What was signed at ``signed_at`` shows that
    this time has come.
    """
    if license_ is None or not license_.test:
        return now
    return max(after(now, state.server_ahead), signed_at.astimezone(now.tzinfo))


def clock_warning(offset: timedelta) -> str:
    """The warning about a wrong clock that does no harm.

    Args:
        offset: The right time minus the clock's: positive if the clock is behind.
    """
    if is_quarter_hours(offset):
        return time_zone_warning(offset)
    return f"{_off(offset)}. Correct the date and time; the license is not affected."


def time_zone_warning(offset: timedelta) -> str:
    """The warning about a wrong time zone; the offset is that of :func:`clock_warning`."""
    return (
        f"{_off(offset)}, probably because the time zone or daylight saving time is set "
        "incorrectly. Correct the time zone; the license is not affected."
    )


def _off(offset: timedelta) -> str:
    side = "behind" if offset > timedelta(0) else "ahead"
    return f"This computer's clock is {format_duration(offset)} {side}"


def _check_license_key(file: LicenseFile, context: FileContext) -> Finding | None:
    key = file.normal_key
    if context.normal_key is None or key is None or key == context.normal_key:
        return None
    return Status.LicenseNotFound, (
        "license.bin on this machine belongs to a different license key than the one entered. "
        "Connect to the license server once, or install the license.bin of this key."
    )


def _check_mode(file: LicenseFile, context: FileContext) -> Finding | None:
    if context.test_mode or not file.license.test:
        return None
    return Status.TestLicense, MESSAGES[Status.TestLicense]


def _applicable_refusal(
    file: LicenseFile, reading: ClockReading, context: FileContext
) -> str | None:
    """The status of the last refusal, unless the file was issued after it.

    A refusal from a time that has not come does not count: the clock that signed it was ahead.
    """
    refused, key = context.refused, file.normal_key
    if refused is None or key is None or refused.key_hash != key_hash(key):
        return None
    has_come = refused.at - reading.judged_at <= TOLERANCE
    return refused.status if has_come and file.issued_at <= refused.at else None


def _check_status(file: LicenseFile) -> Finding | None:
    server_status = file.license.status
    return None if server_status == "Active" else refusal_finding(server_status)


def refusal_finding(server_status: str) -> Finding:
    """The status and the message of a refusal by the server."""
    if server_status in SERVER_STATUSES and server_status != Status.Valid:
        status = Status(server_status)
        return status, MESSAGES[status]
    return Status.Unknown, unknown_status_message(server_status)


def unknown_status_message(server_status: str) -> str:
    """The message for a status that this version does not know."""
    return english(Status.Unknown, status=word(server_status))


def _license_at(license_: License, released_at: datetime | None, at: datetime) -> License:
    """The license at an instant; past its term it may be in its fallback.

    Not for an application without a date: what it keeps is told by dates alone.
    """
    end = license_.expiration_date
    if released_at is None or license_.fallback_until is None or end is None or at < end:
        return license_
    return replace(license_, expiration_date=None, in_fallback=True)


def _needs_clock(file: LicenseFile, context: FileContext) -> bool:
    """Whether the verdict depends on the time; on a release that is kept for ever it does not."""
    license_, released_at = file.license, context.app_released_at
    kept = license_.fallback_until
    if kept is None and license_.expiration_date is None:
        kept = license_.updates_until
    is_kept = kept is not None and released_at is not None and released_at <= kept
    return not is_kept or file.refresh_by is not None or file.online


def _check_expiration(license_: License, reading: ClockReading) -> Finding | None:
    end = license_.expiration_date
    if end is None or reading.judged_at < end:
        return None
    return Status.Expired, english(Status.Expired, endsAt=format_time(end))


def _check_clock(reading: ClockReading) -> Finding | None:
    if reading.state is not ClockState.MOVED:
        return None
    return Status.ClockTampered, (
        f"This computer's clock is {format_duration(reading.behind)} behind a time that has "
        "already passed. Correct the date and time, then connect to the license server once or "
        "install a new license.bin."
    )


def _check_request(file: LicenseFile, context: FileContext) -> Finding | None:
    if file.request is not None and file.request.seq <= context.released_seq:
        return Status.ActivationRequired, (
            "This device has released its license. Make a new offline request, and take its answer."
        )
    if file.code_key is None or file.hardware_ids:
        return None
    return Status.ActivationRequired, (
        "license.bin needs the code of this device. Make an offline request, and enter the code "
        "with which it is answered."
    )


def _check_hardware(file: LicenseFile, context: FileContext) -> Finding | None:
    if file.hardware_ids:
        if context.hardware_id in file.hardware_ids or _is_recognized(file, context):
            return None
        return Status.HardwareMismatch, MESSAGES[Status.HardwareMismatch]
    if not traits_of(file.license.type).file_names_device:
        return None
    return Status.HardwareIdRequired, MESSAGES[Status.HardwareIdRequired]


def _is_recognized(file: LicenseFile, context: FileContext) -> bool:
    """Whether the machine has enough of the components that the file names."""
    if file.least_equal is None:
        return False
    equal = file.components.items() & context.components.items()
    return len(equal) >= file.least_equal


def _check_device_key(file: LicenseFile, context: FileContext) -> Finding | None:
    key = context.device_key
    if file.jkt is None or (key is not None and key.jkt == file.jkt):
        return None
    return Status.DeviceProofRequired, (
        "license.bin was made for an installation with another device key. Connect to the license "
        "server once, or ask the vendor for a license.bin for this machine."
    )


def _check_release(file: LicenseFile, license_: License, context: FileContext) -> Finding | None:
    until, released_at = license_.covers_until, context.app_released_at
    if released_at is not None and until is not None and released_at > until:
        return Status.ReleaseNotAllowed, (
            f"The license covers releases until {format_time(until)}, and this one is later. Renew "
            "its updates or install an earlier version."
        )
    has_date = released_at is not None and license_.updates_until is not None
    if has_date or release_allows(file.release.version, context.app_version):
        return None
    return Status.ReleaseNotAllowed, (
        f"The license covers release {file.release.version}, not version {context.app_version} of "
        "the application. Upgrade the license or install an earlier version."
    )


def _check_refresh(file: LicenseFile, reading: ClockReading) -> Finding | None:
    if file.refresh_by is None or reading.judged_at < file.refresh_by:
        return None
    refresh_by = format_time(file.refresh_by)
    return Status.RefreshRequired, english(Status.RefreshRequired, refreshBy=refresh_by)


def _last_contact(file: LicenseFile, confirmed: Confirmation | None) -> datetime | None:
    """When a signed verdict last confirmed this license on this machine."""
    key = file.normal_key
    if confirmed is None or key is None or confirmed.key_hash != key_hash(key):
        return None
    return confirmed.at


def _check_grace(
    file: LicenseFile, reading: ClockReading, contact: datetime | None, context: FileContext
) -> Finding | None:
    if not file.online:
        return None
    if contact is None:
        return Status.OnlineRequired, (
            "This license has to be checked with the license server, which has not confirmed it on "
            "this machine yet: license.bin alone is not sufficient. Connect to the license server."
        )
    ends = after(contact, context.grace)
    if reading.judged_at <= ends:
        return Status.GracePeriod, english(Status.GracePeriod, graceEndsAt=format_time(ends))
    return Status.OnlineRequired, (
        f"The license server last confirmed this license on {format_time(contact)}, and the "
        f"grace period ended on {format_time(ends)}. Connect to the license server."
    )
