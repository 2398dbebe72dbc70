"""Snapshots, from which a verdict is made, and verdicts."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.model import ProductSettings
from licet_server.catalog.rules.releases import PublishedVersion
from licet_server.devices.rules.admission import DeviceState, device_state_of
from licet_server.devices.rules.model import DeviceFacts, SeatedFacts
from licet_server.devices.rules.proofs import ProofFault, ShownProof, fault_of_key
from licet_server.licenses.rules.entitlements import NOT_RESTRICTED, Entitlements
from licet_server.licenses.rules.model import License, seat_cap
from licet_server.licenses.rules.runtime import CredentialsCheck
from licet_server.licenses.rules.traits import SeatKind


class Seat(Struct, frozen=True):
    """What holds a seat of a license, and how many are in use.

    `held` is whether the requesting device or session holds one, and `None` where the request named
    neither. `used` and `total` are `None` where seats are not counted.
    """

    kind: SeatKind
    held: bool | None = None
    used: int | None = None
    total: int | None = None


NO_SEAT = Seat(SeatKind.NONE)


class LiveSeats(Struct, frozen=True):
    """How many sessions of a license are live, and whether the named one is."""

    count: int = 0
    is_live: bool | None = None


def seat_of(
    license_: License, hardware_id: str | None, found: SeatedFacts, live: LiveSeats
) -> Seat:
    """Return the seat of a request with this hardware ID."""
    own, kind, total = found.facts.own, license_.traits.seat_kind, seat_cap(license_)
    is_named = hardware_id is not None
    match kind:
        case SeatKind.NONE:
            return NO_SEAT
        case SeatKind.SESSION:
            return Seat(kind, live.is_live, live.count, total)
        case SeatKind.DEVICE:
            is_held = own is not None and own.is_seated
            return Seat(kind, is_held if is_named else None, found.seats_used, total)
        case SeatKind.MACHINE:
            is_held = own is not None and own.bound
            used = 1 if is_held or found.facts.bound_other is not None else 0
            return Seat(kind, is_held if is_named else None, used, total)


class ValidationStatus(StrEnum):
    """The stable codes of a verdict; an SDK shows them and programs branch on them."""

    VALID = "Valid"
    LICENSE_NOT_FOUND = "LicenseNotFound"
    EXPIRED = "Expired"
    REVOKED = "Revoked"
    SUSPENDED = "Suspended"
    HARDWARE_ID_REQUIRED = "HardwareIdRequired"
    HARDWARE_ID_NOT_ACCEPTED = "HardwareIdNotAccepted"
    HARDWARE_MISMATCH = "HardwareMismatch"
    PENDING_APPROVAL = "PendingApproval"
    DEVICE_BLOCKED = "DeviceBlocked"
    CREDENTIALS_REQUIRED = "CredentialsRequired"
    CREDENTIALS_INVALID = "CredentialsInvalid"
    ACTIVATION_REQUIRED = "ActivationRequired"
    RELEASE_NOT_ALLOWED = "ReleaseNotAllowed"
    TRIAL_ALREADY_USED = "TrialAlreadyUsed"
    DEVICE_PROOF_REQUIRED = "DeviceProofRequired"


class ValidationWarning(StrEnum):
    """What a verdict could not check; the application may run all the same."""

    VERSION_NOT_COMPARABLE = "VersionNotComparable"


NO_DEVICE = DeviceFacts()


class Snapshot(Struct, frozen=True, kw_only=True, dict=True):
    """A known license with everything the verdict depends on, read at one time.

    `facts` are those of the requesting machine; without a hardware ID they have no device of its
    own. `seat` is that of the requesting device or session. `first_trial` is the license of the
    first Trial that the machine used, read where the product allows it one. `app_release` is the
    release of the application's version, read where its date matters, that is, if `is_dated`.
    """

    license: License
    entitlements: Entitlements = NOT_RESTRICTED
    release_version: str | None = None
    facts: DeviceFacts = NO_DEVICE
    seat: Seat = NO_SEAT
    first_trial: UUID | None = None
    app_release: PublishedVersion | None = None
    is_dated: bool = False

    @cached_property
    def device_state(self) -> DeviceState:
        """The state of the requesting machine; computed once, and only if needed."""
        return device_state_of(self.license, self.facts)

    def fault_of_key(self, shown: ShownProof | None) -> ProofFault | None:
        """Return why a request does not prove what the license asks for; `None` if it does."""
        if shown is None:
            return None
        own = self.facts.own
        return fault_of_key(self.license.device_proof, None if own is None else own.jkt, shown)


DEFAULT_SETTINGS = ProductSettings()


class ValidationContext(Struct, frozen=True, kw_only=True):
    """What the application says about itself, the settings of its product, and the instant.

    Without what was `shown` to prove the key of the device, no proof is checked.
    """

    now: datetime
    settings: ProductSettings = DEFAULT_SETTINGS
    hardware_id: str | None = None
    app_version: str | None = None
    credentials: CredentialsCheck = CredentialsCheck.MISSING
    shown: ShownProof | None = None


class Verdict(Struct, frozen=True):
    """The result of validation: a status, and a sentence for people."""

    status: ValidationStatus
    message: str

    @property
    def valid(self) -> bool:
        """Whether the application may run."""
        return self.status is ValidationStatus.VALID


class RuleName(StrEnum):
    """What a rule of validation checks, as what is so if it passes."""

    LICENSE_EXISTS = "LicenseExists"
    CREDENTIALS = "Credentials"
    NOT_REVOKED = "NotRevoked"
    NOT_SUSPENDED = "NotSuspended"
    NOT_EXPIRED = "NotExpired"
    RELEASE_ALLOWED = "ReleaseAllowed"
    HARDWARE_ID_GIVEN = "HardwareIdGiven"
    HARDWARE_ID_ACCEPTED = "HardwareIdAccepted"
    DEVICE_NOT_BLOCKED = "DeviceNotBlocked"
    DEVICE_PROVEN = "DeviceProven"
    MACHINE_BOUND = "MachineBound"
    SEAT = "Seat"
    FIRST_TRIAL = "FirstTrial"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """The result of one rule; `status` is the verdict if it fails, `None` if it passes."""

    rule: RuleName
    status: ValidationStatus | None
    detail: str

    @property
    def passed(self) -> bool:
        return self.status is None
