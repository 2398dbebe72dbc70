"""The sentences of the verdict and of its explanation."""

from collections.abc import Callable, Mapping

from licet_server.catalog.rules.model import Coverage
from licet_server.catalog.rules.releases import covers
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.admission import DeviceState, is_once_per_device
from licet_server.devices.rules.hardware import refusal_of_kind
from licet_server.devices.rules.proofs import refusal_of_device
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import DeviceProof, License, LicenseStatus
from licet_server.licenses.rules.runtime import CredentialsCheck
from licet_server.validation.rules.model import (
    Snapshot,
    ValidationContext,
    ValidationStatus,
)

VALID = "The license is valid."
VALID_IN_GRACE = (
    "The license is valid until {:%Y-%m-%d %H:%M} UTC, although its term has ended. Renew it."
)
LICENSE_EXISTS = "The product has a license with this key."
LICENSE_NOT_FOUND = license_errors.unknown_license_key().detail

FAILED: Mapping[ValidationStatus, str] = {
    ValidationStatus.REVOKED: license_errors.revoked().detail,
    ValidationStatus.SUSPENDED: license_errors.suspended().detail,
    ValidationStatus.CREDENTIALS_REQUIRED: (
        "The license requires a user name and a password. Send both."
    ),
    ValidationStatus.CREDENTIALS_INVALID: license_errors.credentials_wrong().detail,
    ValidationStatus.HARDWARE_ID_REQUIRED: (
        "The license requires a hardware ID. Send the hardware ID of this machine."
    ),
    ValidationStatus.HARDWARE_MISMATCH: device_errors.bound_elsewhere().detail,
    ValidationStatus.PENDING_APPROVAL: device_errors.pending_approval().detail,
    ValidationStatus.DEVICE_BLOCKED: device_errors.blocked().detail,
    ValidationStatus.ACTIVATION_REQUIRED: device_errors.activation_required().detail,
    ValidationStatus.TRIAL_ALREADY_USED: device_errors.trial_already_used().detail,
}


_OF_PROOFS = {ValidationStatus.DEVICE_PROOF_REQUIRED, ValidationStatus.HARDWARE_MISMATCH}


def failed(status: ValidationStatus, snapshot: Snapshot, context: ValidationContext) -> str:
    """Say why the license is not valid, and what to do about it."""
    end = snapshot.license.valid_until
    if status is ValidationStatus.EXPIRED and end is not None:
        return license_errors.expired(end).detail
    if status is ValidationStatus.RELEASE_NOT_ALLOWED:
        return _not_covered(snapshot, context)
    if status is ValidationStatus.HARDWARE_ID_NOT_ACCEPTED:
        refused = refusal_of_kind(context.settings, snapshot.license, context.hardware_id)
        if refused is not None:
            return refused.detail
    fault = snapshot.fault_of_key(context.shown)
    if fault is not None and status in _OF_PROOFS:
        return refusal_of_device(fault).detail
    if snapshot.device_state is DeviceState.OVER_LIMIT:
        return device_errors.over_limit().detail
    return FAILED[status]


def _not_covered(snapshot: Snapshot, context: ValidationContext) -> str:
    until = snapshot.license.covers_until(context.now)
    if until is not None and snapshot.app_release is not None:
        return (
            f"The license covers releases until {until:%Y-%m-%d %H:%M} UTC; version "
            f"{context.app_version} was published on "
            f"{snapshot.app_release.published_at:%Y-%m-%d %H:%M} UTC. Renew the license to use "
            "this version."
        )
    return (
        f"The license covers version {snapshot.release_version} and its major version; this "
        f"application is {context.app_version}. Upgrade the license to use this version."
    )


def in_fallback(license_: License) -> str:
    """Say that the license is valid for the releases that it keeps."""
    if license_.fallback_until is None:
        raise ValueError("the license has no fallback")
    return (
        f"The license is valid for releases until {license_.fallback_until:%Y-%m-%d %H:%M} UTC. "
        "Renew it to use newer ones."
    )


def _not_expired(snapshot: Snapshot, context: ValidationContext) -> str:
    term, end = snapshot.license.pending_term, snapshot.license.valid_until
    if term is not None:
        length = f"{term.months:,} months" if term.months else f"{term.days:,} days"
        return f"The license is valid for {length}, which begin with its first use."
    if end is None:
        return "The license does not expire."
    grace_end = snapshot.license.in_grace_until(context.now)
    if grace_end is not None:
        return VALID_IN_GRACE.format(grace_end)
    if snapshot.license.in_fallback(context.now):
        return in_fallback(snapshot.license)
    return f"The license is valid until {end:%Y-%m-%d %H:%M} UTC."


NOT: Mapping[LicenseStatus, Callable[[Snapshot, ValidationContext], str]] = {
    LicenseStatus.REVOKED: lambda *_: "The license is not revoked.",
    LicenseStatus.SUSPENDED: lambda *_: "The license is not suspended.",
    LicenseStatus.EXPIRED: _not_expired,
}


def credentials(snapshot: Snapshot, context: ValidationContext) -> str:
    """Say that no credentials are required, or that they are correct."""
    if snapshot.license.username is None:
        return "The license does not require a user name and password."
    if context.credentials is CredentialsCheck.NOT_CHECKED:
        return "The application must send the license's user name and password."
    return "The user name and password are correct."


def release(snapshot: Snapshot, context: ValidationContext) -> str:
    """Say that the version is covered, unknown, or not comparable."""
    line, app_version = snapshot.release_version, context.app_version
    if app_version is None:
        return "The application sent no version, so the version was not checked."
    until = snapshot.license.covers_until(context.now)
    if snapshot.app_release is not None and until is not None:
        if snapshot.app_release.coverage is Coverage.EVERYONE:
            return f"Version {app_version} is for everyone."
        return f"The license covers version {app_version}, and releases until {until:%Y-%m-%d}."
    if snapshot.is_dated:
        return f"The product has no published release {app_version}, so its date was not checked."
    if line is not None and covers(line, app_version) is None:
        return (
            f"The application's version {app_version} cannot be compared with release {line}, "
            "so the version was not checked."
        )
    return f"The license covers the application's version {context.app_version}."


def hardware_id(_: Snapshot, context: ValidationContext) -> str:
    """Say that a hardware ID is not required, or was sent."""
    if context.hardware_id is not None:
        return "The application sent a hardware ID."
    return "A license of this model without blocked devices does not require one."


def kind(_: Snapshot, context: ValidationContext) -> str:
    """Say that the hardware ID is of an accepted kind, or that there is none."""
    if context.hardware_id is None:
        return "Without a hardware ID there is no kind to check."
    return "The product accepts hardware IDs of this kind for the license."


def trial(snapshot: Snapshot, context: ValidationContext) -> str:
    """Say that the device had no other Trial, or may have had one."""
    if not is_once_per_device(context.settings, snapshot.license):
        return "The license does not depend on other trials of the device."
    return "The device had no other trial of the product."


def block(snapshot: Snapshot, _: ValidationContext) -> str:
    """Say that the device is not blocked."""
    if snapshot.facts.own is None:
        return "No device with this hardware ID is blocked."
    return "The device is not blocked."


def proof(snapshot: Snapshot, context: ValidationContext) -> str:
    """Say that no proof of the device's key is asked for, or that there is one."""
    mode, own = snapshot.license.device_proof, snapshot.facts.own
    if mode is DeviceProof.OFF:
        return "The license does not ask devices to prove their keys."
    if mode is DeviceProof.WHEN_PRESENT and (own is None or own.jkt is None):
        return "The device has proven no key yet, so it does not have to."
    if context.shown is None:
        return "The application must prove the key of its device."
    return "The device has proven its key."


def binding(snapshot: Snapshot, context: ValidationContext) -> str:
    """Say that the license is not bound to another machine."""
    if not snapshot.license.traits.is_node_locked:
        return "A license of this model is not bound to one machine."
    if context.hardware_id is None:
        return "Without a hardware ID there is no machine to compare."
    if snapshot.device_state is DeviceState.BLOCKED:
        return "The binding was not checked, because the device is blocked."
    if snapshot.device_state is DeviceState.OVER_LIMIT:
        return "The license was converted; whether this device has its seat is checked next."
    if snapshot.device_state is DeviceState.UNBOUND:
        return (
            "The license is not bound to a machine yet; it is bound to the first one that "
            "validates."
        )
    return "The license is bound to this machine."


def seat(snapshot: Snapshot, _: ValidationContext) -> str:
    """Say that a seat is not required, or that the device holds one."""
    if not snapshot.license.traits.activation_required:
        return "A license of this model validates without an activated device."
    return "This device holds a seat."
