"""Snapshots, from which a verdict is made, and verdicts."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from licet_server.devices.rules.model import DeviceFacts
from licet_server.devices.rules.standing import DeviceState, device_state_of
from licet_server.licenses.rules.credentials import CredentialsCheck
from licet_server.licenses.rules.entitlements import NOT_RESTRICTED, Entitlements
from licet_server.licenses.rules.model import License
from licet_server.validation.rules.seats import NO_SEAT, Seat


class ValidationStatus(StrEnum):
    """The stable codes of a verdict; an SDK shows them and programs branch on them."""

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
    ACTIVATION_REQUIRED = "ActivationRequired"
    RELEASE_NOT_ALLOWED = "ReleaseNotAllowed"


NO_DEVICE = DeviceFacts()


class Snapshot(Struct, frozen=True, kw_only=True, dict=True):
    """A known license with everything the verdict depends on, read at one time.

    `facts` are those of the requesting machine; without a hardware ID they have no device of its
    own. `seat` is that of the requesting device or session.
    """

    license: License
    entitlements: Entitlements = NOT_RESTRICTED
    release_version: str | None = None
    facts: DeviceFacts = NO_DEVICE
    seat: Seat = NO_SEAT

    @cached_property
    def device_state(self) -> DeviceState:
        """The state of the requesting machine; computed once, and only if needed."""
        return device_state_of(self.license, self.facts)


class ValidationContext(Struct, frozen=True, kw_only=True):
    """What the application says about itself, and the instant."""

    now: datetime
    hardware_id: str | None = None
    app_version: str | None = None
    credentials: CredentialsCheck = CredentialsCheck.MISSING


class Verdict(Struct, frozen=True):
    """The result of validation: a status, and a sentence for people."""

    status: ValidationStatus
    message: str

    @property
    def valid(self) -> bool:
        """Whether the application may run."""
        return self.status is ValidationStatus.VALID


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """The result of one rule; `status` is the verdict if it fails, `None` if it passes."""

    rule: str
    status: ValidationStatus | None
    detail: str

    @property
    def passed(self) -> bool:
        """Whether the rule passes."""
        return self.status is None
