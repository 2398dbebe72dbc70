"""The ordered rules of validation; the first rule that fails decides the verdict.

Each rule has a check, which is pure and cheap, and a sentence for when it passes. Validation runs
checks up to the first failure and writes one sentence; an explanation runs all of them and writes
every sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from licet_server.catalog.rules.model import Release
from licet_server.catalog.rules.releases import PublishedVersion, covers
from licet_server.devices.rules.admission import DeviceState, is_once_per_device
from licet_server.devices.rules.hardware import refusal_of_kind
from licet_server.devices.rules.proofs import ProofFault
from licet_server.licenses.rules.coverage import Fallback, is_covered
from licet_server.licenses.rules.model import INACTIVE, License, LicenseStatus
from licet_server.licenses.rules.runtime import CredentialsCheck
from licet_server.licenses.rules.traits import SeatKind
from licet_server.validation.rules import messages
from licet_server.validation.rules.model import (
    RuleName,
    RuleResult,
    Snapshot,
    ValidationContext,
    ValidationStatus,
    ValidationWarning,
    Verdict,
)


def is_hardware_id_required(license_: License) -> bool:
    """Check whether the license is for one machine, or has a blocked device that could hide."""
    return license_.traits.is_node_locked or license_.blocked_devices > 0


def needs_trial(snapshot: Snapshot, context: ValidationContext, verdict: Verdict) -> bool:
    """Check whether a valid Trial has yet to be stored as the first one of the machine."""
    return (
        verdict.valid
        and snapshot.first_trial is None
        and is_once_per_device(context.settings, snapshot.license)
    )


def is_release_allowed(release_version: str | None, app_version: str | None) -> bool:
    """Check whether the license's release covers the application's major version.

    Versions that cannot be compared do not restrict; `warnings_of` names them.
    """
    if release_version is None or app_version is None:
        return True
    return covers(release_version, app_version) is not False


def is_covered_release(
    license_: License,
    line: str | None,
    version: str | None,
    release: Release | PublishedVersion | None,
    now: datetime,
) -> bool:
    """Check whether the license covers this version of an application, and its release if known.

    With a maintenance, the date of a known release decides and no major version. Without one, the
    major version decides, and in the fallback the date, too.
    """
    published_at = None if release is None else release.published_at
    has_date = license_.updates_until is not None and published_at is not None
    if not has_date and not is_release_allowed(line, version):
        return False
    if release is None or published_at is None:
        return True
    return is_covered(published_at, release.coverage, license_.covers_until(now))


def needs_date(license_: License, now: datetime) -> bool:
    """Check whether it matters when the application's release was published.

    A little earlier than it does, since the verdict is made a little later.
    """
    return license_.updates_until is not None or (
        license_.fallback is not Fallback.NONE and license_.is_unpaid(now + timedelta(minutes=1))
    )


def warnings_of(snapshot: Snapshot, app_version: str | None) -> list[ValidationWarning]:
    """Return what the rules could not check."""
    if app_version is None or snapshot.app_release is not None:
        return []
    line = snapshot.release_version
    is_compared = line is None or covers(line, app_version) is not None
    if is_compared and not snapshot.is_dated:
        return []
    return [ValidationWarning.VERSION_NOT_COMPARABLE]


Check = Callable[[Snapshot, ValidationContext], ValidationStatus | None]
Sentence = Callable[[Snapshot, ValidationContext], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A check, which returns the verdict's status if it fails, and the sentence if it passes."""

    name: RuleName
    check: Check
    passed: Sentence


LICENSE_NOT_FOUND = Verdict(ValidationStatus.LICENSE_NOT_FOUND, messages.LICENSE_NOT_FOUND)
_VALID = Verdict(ValidationStatus.VALID, messages.VALID)
NAMES_NO_DEVICE = Verdict(
    ValidationStatus.HARDWARE_ID_REQUIRED, messages.FAILED[ValidationStatus.HARDWARE_ID_REQUIRED]
)
_EXISTS = RuleResult(rule=RuleName.LICENSE_EXISTS, status=None, detail=messages.LICENSE_EXISTS)


def decide(snapshot: Snapshot, context: ValidationContext) -> Verdict:
    """Return the verdict of the first rule that fails; later rules are not checked."""
    for rule in RULES:
        status = rule.check(snapshot, context)
        if status is not None:
            return Verdict(status, messages.failed(status, snapshot, context))
    grace_end = snapshot.license.in_grace_until(context.now)
    if grace_end is not None:
        return Verdict(ValidationStatus.VALID, messages.VALID_IN_GRACE.format(grace_end))
    if snapshot.license.in_fallback(context.now):
        return Verdict(ValidationStatus.VALID, messages.in_fallback(snapshot.license))
    return _VALID


def explain(snapshot: Snapshot, context: ValidationContext) -> list[RuleResult]:
    """Explain every rule in order, each with its sentence."""
    results = [_EXISTS]
    for rule in RULES:
        status = rule.check(snapshot, context)
        if status is None:
            detail = rule.passed(snapshot, context)
        else:
            detail = messages.failed(status, snapshot, context)
        results.append(RuleResult(rule=rule.name, status=status, detail=detail))
    return results


def status_of(results: Sequence[RuleResult]) -> ValidationStatus:
    """Return the status of the verdict that these results explain."""
    return next((item.status for item in results if item.status), ValidationStatus.VALID)


def has_seats_of_devices(license_: License) -> bool:
    """Check whether a device takes a seat of the license when it is activated."""
    return license_.traits.seat_kind in _SEATS_OF_DEVICES


_SEATS_OF_DEVICES = {SeatKind.DEVICE, SeatKind.MACHINE}


def needs_binding(snapshot: Snapshot, verdict: Verdict) -> bool:
    """Check whether the machine has yet to be bound, submitted for approval, or recorded as denied.

    Not if another rule fails first: an expired license is not bound to a machine.
    """
    if not snapshot.license.traits.is_node_locked:
        return False
    return snapshot.device_state in _BINDING_STATES.get(verdict.status, ())


_TO_BIND = {DeviceState.UNBOUND, DeviceState.UNKNOWN}
_BINDING_STATES = {
    ValidationStatus.VALID: _TO_BIND,
    ValidationStatus.PENDING_APPROVAL: _TO_BIND,
    ValidationStatus.HARDWARE_MISMATCH: {DeviceState.ELSEWHERE},
}


def _check_status(status: LicenseStatus) -> Check:
    applies, failure = INACTIVE[status], ValidationStatus(status)
    return lambda snapshot, context: failure if applies(snapshot.license, context.now) else None


def _check_credentials(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if snapshot.license.username is None:
        return None
    return _CREDENTIAL_FAILURES.get(context.credentials)


_CREDENTIAL_FAILURES: Mapping[CredentialsCheck, ValidationStatus] = {
    CredentialsCheck.MISSING: ValidationStatus.CREDENTIALS_REQUIRED,
    CredentialsCheck.WRONG: ValidationStatus.CREDENTIALS_INVALID,
}


def _check_release(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if is_covered_release(
        snapshot.license,
        snapshot.release_version,
        context.app_version,
        snapshot.app_release,
        context.now,
    ):
        return None
    return ValidationStatus.RELEASE_NOT_ALLOWED


def _check_hardware_id(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if context.hardware_id is not None:
        return None
    is_required = is_hardware_id_required(snapshot.license)
    if is_required or is_once_per_device(context.settings, snapshot.license):
        return ValidationStatus.HARDWARE_ID_REQUIRED
    return None


def _check_kind(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if refusal_of_kind(context.settings, snapshot.license, context.hardware_id) is None:
        return None
    return ValidationStatus.HARDWARE_ID_NOT_ACCEPTED


def _check_trial(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if not is_once_per_device(context.settings, snapshot.license):
        return None
    if snapshot.first_trial in {None, snapshot.license.id}:
        return None
    return ValidationStatus.TRIAL_ALREADY_USED


def _check_block(snapshot: Snapshot, _: ValidationContext) -> ValidationStatus | None:
    if snapshot.device_state is DeviceState.BLOCKED:
        return ValidationStatus.DEVICE_BLOCKED
    return None


def _check_proof(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    match snapshot.fault_of_key(context.shown):
        case None:
            return None
        case ProofFault.OTHER_KEY:
            return ValidationStatus.HARDWARE_MISMATCH
        case _:
            return ValidationStatus.DEVICE_PROOF_REQUIRED


def _check_binding(snapshot: Snapshot, context: ValidationContext) -> ValidationStatus | None:
    if context.hardware_id is None or not snapshot.license.traits.is_node_locked:
        return None
    return _BINDING_FAILURES.get(snapshot.device_state)


_BINDING_FAILURES: Mapping[DeviceState, ValidationStatus] = {
    DeviceState.ELSEWHERE: ValidationStatus.HARDWARE_MISMATCH,
    DeviceState.PENDING: ValidationStatus.PENDING_APPROVAL,
    DeviceState.UNKNOWN: ValidationStatus.PENDING_APPROVAL,
}


def _check_seat(snapshot: Snapshot, _: ValidationContext) -> ValidationStatus | None:
    if snapshot.device_state is DeviceState.OVER_LIMIT:
        return ValidationStatus.ACTIVATION_REQUIRED
    if not snapshot.license.traits.activation_required:
        return None
    # A blocked device keeps its seat.
    if snapshot.device_state in {DeviceState.SEATED, DeviceState.BLOCKED}:
        return None
    return ValidationStatus.ACTIVATION_REQUIRED


RULES: Sequence[Rule] = (
    # First, so that nothing about a license is disclosed before they are correct.
    Rule(name=RuleName.CREDENTIALS, check=_check_credentials, passed=messages.credentials),
    *(
        Rule(
            name=RuleName(f"Not{status}"), check=_check_status(status), passed=messages.NOT[status]
        )
        for status in INACTIVE
    ),
    Rule(name=RuleName.RELEASE_ALLOWED, check=_check_release, passed=messages.release),
    Rule(name=RuleName.HARDWARE_ID_GIVEN, check=_check_hardware_id, passed=messages.hardware_id),
    Rule(name=RuleName.HARDWARE_ID_ACCEPTED, check=_check_kind, passed=messages.kind),
    Rule(name=RuleName.DEVICE_NOT_BLOCKED, check=_check_block, passed=messages.block),
    Rule(name=RuleName.DEVICE_PROVEN, check=_check_proof, passed=messages.proof),
    Rule(name=RuleName.MACHINE_BOUND, check=_check_binding, passed=messages.binding),
    Rule(name=RuleName.SEAT, check=_check_seat, passed=messages.seat),
    Rule(name=RuleName.FIRST_TRIAL, check=_check_trial, passed=messages.trial),
)
"""After `LicenseExists`, in the order in which they are checked and explained."""
