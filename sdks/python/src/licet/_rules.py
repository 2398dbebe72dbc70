"""The verdict on a license file: pure decisions, in one order, without disk, network or clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from licet._claims import LicenseFile
from licet._clock import show, show_span
from licet._clock_guard import ClockReading, ClockState, judge_clock
from licet._keys import key_hash, normal_form
from licet._model import LicenseResult
from licet._semver import release_allows
from licet._state import State
from licet._status import SENTENCES, SERVER_STATUSES, LicenseValidationStatus
from licet.errors import ConfigurationError

Status = LicenseValidationStatus
Finding = tuple[LicenseValidationStatus, str]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that decides besides the file.

    Attributes:
        normal_key: The configured license key; ``None`` takes the file's own.
        now: The clock, carrying the machine's UTC offset.
        state: What this machine remembers.
        grace: How long an Online license lives on its file after the server last vouched for it.
    """

    normal_key: str | None
    hardware_id: str
    app_version: str | None
    now: datetime
    state: State
    grace: timedelta


def file_key(file: LicenseFile) -> str | None:
    """The normal form of the key inside a file, where it carries one."""
    try:
        return normal_form(file.license.key) if file.license.key else None
    except ConfigurationError:
        return None


def judge_file(file: LicenseFile, around: Circumstances) -> LicenseResult:
    """The verdict on a proven file."""
    reading = read_the_clock(file, around)
    contact = _last_contact(file, around.state)
    finding = (
        _other_key(file, around)
        or _remembered_refusal(file, around)
        or _status_in_file(file)
        or _expired(file, reading)
        or _clock(reading)
        or _hardware(file, around)
        or _release(file, around)
        or _stale(file, reading)
        or _grace(file, reading, contact, around)
        or (Status.Valid, SENTENCES[Status.Valid])
    )
    result = LicenseResult(
        status=finding[0],
        message=finding[1],
        source="file",
        license=file.license,
        product=file.product,
        release=file.release,
        checked_at=around.now,
        refresh_by=file.refresh_by,
        grace_ends_at=contact + around.grace if file.online else None,
    )
    if finding[0] is Status.Unknown:
        result = replace(result, server_status=_unknown_word(file, around))
    if reading.state is ClockState.WRONG_ZONE:
        result = replace(result, warning=zone_warning(reading.behind))
    return result


def read_the_clock(file: LicenseFile, around: Circumstances) -> ClockReading:
    """What the clock is worth against the file's signed times and this machine's memory."""
    state = around.state
    bound = max(file.issued_at, file.not_before)
    offset_then = None
    if state.high_water is not None and state.high_water > bound:
        bound, offset_then = state.high_water, state.utc_offset
    return judge_clock(around.now, bound, offset_then)


def zone_warning(behind: timedelta) -> str:
    """How a person is told of a time zone, without being accused."""
    return (
        f"This computer's clock is {show_span(behind)} behind, as it is when the time zone or "
        "daylight saving is set wrong. Set the time zone; the license is not affected."
    )


def _other_key(file: LicenseFile, around: Circumstances) -> Finding | None:
    inside = file_key(file)
    if around.normal_key is None or inside is None or inside == around.normal_key:
        return None
    return Status.LicenseNotFound, (
        "license.bin on this machine belongs to another license key than the one entered. "
        "Connect to the server once, or install the license.bin of this key."
    )


def applying_refusal(file: LicenseFile, around: Circumstances) -> str | None:
    """The server's remembered no, unless the file was issued after it."""
    refusal, inside = around.state.refusal, file_key(file)
    if refusal is None or inside is None or refusal.key_hash != key_hash(inside):
        return None
    return refusal.status if file.issued_at <= refusal.at else None


def _remembered_refusal(file: LicenseFile, around: Circumstances) -> Finding | None:
    word = applying_refusal(file, around)
    return _by_word(word) if word is not None else None


def _status_in_file(file: LicenseFile) -> Finding | None:
    word = file.license.status
    return None if word == "Active" else _by_word(word)


def _by_word(word: str) -> Finding:
    if word in SERVER_STATUSES and word != Status.Valid:
        status = Status(word)
        return status, SENTENCES[status]
    return Status.Unknown, unknown_sentence(word)


def unknown_sentence(word: str) -> str:
    """What is said of a status that this version does not know."""
    shown = word[:40] if word.isprintable() else "?"
    return (
        f'The server calls this license "{shown}", which this version of the application does '
        "not know. Update the application or ask the vendor."
    )


def _unknown_word(file: LicenseFile, around: Circumstances) -> str:
    return applying_refusal(file, around) or file.license.status


def _expired(file: LicenseFile, reading: ClockReading) -> Finding | None:
    end = file.license.expiration_date
    if end is None or reading.judged_at < end:
        return None
    return Status.Expired, f"The license expired on {show(end)}. Renew it with the vendor."


def _clock(reading: ClockReading) -> Finding | None:
    if reading.state is not ClockState.MOVED:
        return None
    return Status.ClockTampered, (
        f"This computer's clock is {show_span(reading.behind)} behind a time that has already "
        "passed. Set date and time, then connect to the license server once or install a fresh "
        "license.bin."
    )


def _hardware(file: LicenseFile, around: Circumstances) -> Finding | None:
    if file.hardware_ids:
        if around.hardware_id in file.hardware_ids:
            return None
        return Status.HardwareMismatch, SENTENCES[Status.HardwareMismatch]
    if file.license.type != "NodeLocked":
        return None
    return Status.HardwareIdRequired, (
        "This license is for one machine, and license.bin names none. Connect to the server once, "
        "or ask the vendor for a license.bin made for this machine's hardware id."
    )


def _release(file: LicenseFile, around: Circumstances) -> Finding | None:
    if release_allows(file.release.version, around.app_version):
        return None
    return Status.ReleaseNotAllowed, (
        f"The license covers release {file.release.version}, not version {around.app_version} of "
        "the application. Upgrade the license or install an earlier version."
    )


def _stale(file: LicenseFile, reading: ClockReading) -> Finding | None:
    if file.refresh_by is None or reading.judged_at < file.refresh_by:
        return None
    return Status.RefreshRequired, (
        f"license.bin had to be refreshed by {show(file.refresh_by)}. "
        "Connect to the license server, or install a fresh license.bin."
    )


def _last_contact(file: LicenseFile, state: State) -> datetime:
    inside = file_key(file)
    if state.last_contact is None or inside is None or state.contact_key != key_hash(inside):
        return file.issued_at
    return max(file.issued_at, state.last_contact)


def _grace(
    file: LicenseFile, reading: ClockReading, contact: datetime, around: Circumstances
) -> Finding | None:
    if not file.online:
        return None
    ends = contact + around.grace
    if reading.judged_at <= ends:
        return Status.GracePeriod, (
            "The license server was not asked. The license stays usable on this machine until "
            f"{show(ends)}; connect before then."
        )
    return Status.OnlineRequired, (
        f"The license server last confirmed this license on {show(contact)}, and the grace period "
        f"ended on {show(ends)}. Connect to the license server."
    )
