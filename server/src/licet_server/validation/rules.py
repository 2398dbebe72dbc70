"""The ordered rules of validation; the first one that fails gives the status."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, auto

from licet_server.catalog.rules.versions import semver_of
from licet_server.devices.rules.model import DeviceFacts
from licet_server.devices.rules.standing import DeviceStanding, standing_of
from licet_server.licenses.rules.model import License, LicenseStatus


class ValidationStatus(StrEnum):
    """The stable answer codes; an SDK shows them and a program branches on them."""

    VALID = "Valid"
    LICENSE_NOT_FOUND = "LicenseNotFound"
    EXPIRED = "Expired"
    REVOKED = "Revoked"
    SUSPENDED = "Suspended"
    HARDWARE_ID_REQUIRED = "HardwareIdRequired"
    HARDWARE_MISMATCH = "HardwareMismatch"
    PENDING_APPROVAL = "PendingApproval"
    DEVICE_BLOCKED = "DeviceBlocked"
    CREDENTIALS_REQUIRED = "CredentialsRequired"
    CREDENTIALS_INVALID = "CredentialsInvalid"
    RELEASE_NOT_ALLOWED = "ReleaseNotAllowed"


class Credentials(StrEnum):
    """What came of the user name and password of the request."""

    NOT_CHECKED = auto()
    ABSENT = auto()
    FIT = auto()
    DO_NOT_FIT = auto()


NO_DEVICE = DeviceFacts()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that the verdict looks at, read in one go; `license` is `None` for an unknown key.

    `facts` are those of the asking machine, and empty where it has not said which one it is.
    """

    license: License | None
    features: Sequence[str] | None
    release_version: str | None
    facts: DeviceFacts = NO_DEVICE


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the asking application says of itself, and the instant."""

    now: datetime
    hardware_id: str | None = None
    app_version: str | None = None
    credentials: Credentials = Credentials.ABSENT


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule's outcome; `status` is what a failure means, `None` when it passed."""

    rule: str
    status: ValidationStatus | None
    detail: str

    @property
    def passed(self) -> bool:
        """Whether the rule lets the license through."""
        return self.status is None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer: a status, a sentence for people, and every rule that was looked at."""

    status: ValidationStatus
    message: str
    results: Sequence[RuleResult]

    @property
    def valid(self) -> bool:
        """Whether the application may run."""
        return self.status is ValidationStatus.VALID


Check = Callable[[License, Snapshot, Circumstances], tuple[ValidationStatus | None, str]]


def decide(snapshot: Snapshot, circumstances: Circumstances) -> Verdict:
    """The verdict over all rules; none is skipped, so that explaining shows them all."""
    results = list(_results(snapshot, circumstances))
    failed = next((result for result in results if not result.passed), None)
    if failed is None or failed.status is None:
        return Verdict(ValidationStatus.VALID, "The license is valid.", results)
    return Verdict(failed.status, failed.detail, results)


def to_settle(snapshot: Snapshot, verdict: Verdict) -> DeviceStanding | None:
    """What this validation has yet to do about the machine: bind it, make it wait, record it.

    Nothing while another rule comes first: an expired license is bound to nobody.
    """
    if snapshot.license is None or not snapshot.license.traits.is_node_locked:
        return None
    if verdict.status not in _SETTLED_WITH:
        return None
    standing = standing_of(snapshot.license, snapshot.facts)
    wanted = {DeviceStanding.UNBOUND, DeviceStanding.UNKNOWN, DeviceStanding.ELSEWHERE}
    return standing if standing in wanted else None


_SETTLED_WITH = {
    ValidationStatus.VALID,
    ValidationStatus.PENDING_APPROVAL,
    ValidationStatus.HARDWARE_MISMATCH,
}


def is_release_allowed(release_version: str | None, app_version: str | None) -> bool:
    """The version line: no application of a higher major version than the license's release.

    Versions that are no semver (semver.org 2.0) do not restrict.
    """
    release, app = semver_of(release_version), semver_of(app_version)
    return release is None or app is None or app.major <= release.major


def _results(snapshot: Snapshot, circumstances: Circumstances) -> Iterator[RuleResult]:
    if snapshot.license is None:
        detail = "There is no license with this key for this product. Check it for typing errors."
        yield RuleResult("LicenseExists", ValidationStatus.LICENSE_NOT_FOUND, detail)
        return
    yield RuleResult("LicenseExists", None, "The product has a license with this key.")
    for name, check in _CHECKS:
        status, detail = check(snapshot.license, snapshot, circumstances)
        yield RuleResult(name, status, detail)


def _not_revoked(
    item: License, _: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if item.status(circumstances.now) is LicenseStatus.REVOKED:
        return ValidationStatus.REVOKED, "The license was revoked. Ask the vendor for a new one."
    return None, "The license is not revoked."


def _not_suspended(
    item: License, _: Snapshot, __: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if item.suspended_at is not None:
        message = "The license is suspended. Ask the vendor to reinstate it."
        return ValidationStatus.SUSPENDED, message
    return None, "The license is not suspended."


def _not_expired(
    item: License, _: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    end = item.expiration_date
    if end is None:
        return None, "The license has no end."
    moment = f"{end:%Y-%m-%d %H:%M} UTC"
    if end <= circumstances.now:
        return ValidationStatus.EXPIRED, f"The license expired on {moment}. Renew it to go on."
    return None, f"The license runs until {moment}."


def _credentials(
    item: License, _: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if item.username is None:
        return None, "The license asks for no user name and password."
    match circumstances.credentials:
        case Credentials.ABSENT:
            message = "The license asks for a user name and password. Send both."
            return ValidationStatus.CREDENTIALS_REQUIRED, message
        case Credentials.DO_NOT_FIT:
            message = "The user name or the password is wrong."
            return ValidationStatus.CREDENTIALS_INVALID, message
        case Credentials.FIT:
            return None, "User name and password are right."
        case Credentials.NOT_CHECKED:
            return None, "The application must send the license's user name and password."


def _release(
    _: License, snapshot: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    release, app = snapshot.release_version, circumstances.app_version
    if app is None:
        return None, "The application named no version, so none was compared."
    if not is_release_allowed(release, app):
        message = (
            f"The license covers version {release} and its major version; this application is "
            f"{app}. It takes an upgrade of the license."
        )
        return ValidationStatus.RELEASE_NOT_ALLOWED, message
    return None, f"The license covers the application's version {app}."


def _hardware_id(
    item: License, _: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if not item.traits.is_node_locked:
        return None, f"A {item.type} license validates without a hardware id."
    if circumstances.hardware_id is None:
        message = "The license is for one machine. Send the hardware id of this one."
        return ValidationStatus.HARDWARE_ID_REQUIRED, message
    return None, "The machine has a hardware id."


def _not_blocked(
    item: License, snapshot: Snapshot, _: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if standing_of(item, snapshot.facts) is DeviceStanding.BLOCKED:
        message = "This device was blocked by the vendor. Ask the vendor to unblock it."
        return ValidationStatus.DEVICE_BLOCKED, message
    if snapshot.facts.own is None:
        return None, "No device with this hardware id is blocked."
    return None, "The device is not blocked."


def _machine(
    item: License, snapshot: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if not item.traits.is_node_locked:
        return None, f"A {item.type} license is not bound to one machine."
    if circumstances.hardware_id is None:
        return None, "Without a hardware id there is no machine to compare."
    return _MACHINES[standing_of(item, snapshot.facts)]


def _seat(
    item: License, snapshot: Snapshot, circumstances: Circumstances
) -> tuple[ValidationStatus | None, str]:
    if not item.traits.activation_required:
        return None, f"A {item.type} license validates without an activated device."
    if circumstances.hardware_id is None:
        return None, "Without a hardware id it is not known whether the device holds a seat."
    if standing_of(item, snapshot.facts) is DeviceStanding.SEATED:
        return None, "This device holds a seat."
    return None, "This device holds no seat; it validates, but takes one for sessions and files."


_WAITING = "The vendor has not yet approved this device. Try again when he has."
_MACHINES: Mapping[DeviceStanding, tuple[ValidationStatus | None, str]] = {
    DeviceStanding.SEATED: (None, "The license is bound to this machine."),
    DeviceStanding.UNBOUND: (
        None,
        "The license is bound to no machine yet; the first that validates gets it.",
    ),
    DeviceStanding.ELSEWHERE: (
        ValidationStatus.HARDWARE_MISMATCH,
        "The license is bound to another machine. Ask the vendor to free it there first.",
    ),
    DeviceStanding.PENDING: (ValidationStatus.PENDING_APPROVAL, _WAITING),
    DeviceStanding.UNKNOWN: (ValidationStatus.PENDING_APPROVAL, _WAITING),
    DeviceStanding.BLOCKED: (None, "What the machine is does not matter while it is blocked."),
}

_CHECKS: Sequence[tuple[str, Check]] = (
    ("NotRevoked", _not_revoked),
    ("NotSuspended", _not_suspended),
    ("NotExpired", _not_expired),
    ("Credentials", _credentials),
    ("ReleaseAllowed", _release),
    ("HardwareIdGiven", _hardware_id),
    ("DeviceNotBlocked", _not_blocked),
    ("MachineBound", _machine),
    ("Seat", _seat),
)
