"""The checks, in the order in which they are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

EXAMPLES_MAX = 5
REPAIRED_AT_ONCE = 1_000
"""The number of rows that one run repairs of each kind."""

FAILING_FOR = timedelta(days=7)
WAITING_FOR = timedelta(hours=1)
CLOCK_APART = timedelta(seconds=5)
CERTIFICATE_LEFT = timedelta(days=30)
BACKUP_AGE = timedelta(days=3)
FREE_PART = 0.1
FREE_BYTES = 1024**3


class CheckName(StrEnum):
    """The name of a check."""

    CLOCK = "Clock"
    DISK = "Disk"
    BACKUPS = "Backups"
    CERTIFICATES = "Certificates"
    BACKLOGS = "Backlogs"
    AUDIT_LOG = "AuditLog"
    UNREADABLE_VALUES = "UnreadableValues"
    IMPOSSIBLE_DATES = "ImpossibleDates"
    DEVICE_SEATS = "DeviceSeats"
    DEVICE_LIMIT = "DeviceLimit"
    SESSION_SEATS = "SessionSeats"
    BLOCKED_DEVICES = "BlockedDevices"
    ACCESS_ATTEMPTS = "AccessAttempts"
    LICENSE_COUNTS = "LicenseCounts"
    LICENSE_TERMS = "LicenseTerms"
    LICENSE_KEYS = "LicenseKeys"
    LICENSE_CUSTOMERS = "LicenseCustomers"
    OTHER_PRODUCTS = "OtherProducts"
    WALLETS = "Wallets"
    ORPHANED_WALLETS = "OrphanedWallets"
    MISSING_LICENSES = "MissingLicenses"
    SIGNING_KEYS = "SigningKeys"
    SECRETS = "Secrets"
    OWNERS = "Owners"
    FAILING_WEBHOOKS = "FailingWebhooks"


@dataclass(frozen=True, slots=True)
class Check:
    """What a check is called, what its finding means, and what to do about it.

    `repairs` is set if the finding can be repaired without a person's decision.
    """

    title: str
    meaning: str
    remedy: str
    repairs: bool = False


CHECKS: Mapping[CheckName, Check] = {
    CheckName.CLOCK: Check(
        "Clock",
        "The clock of this machine differs from the database's, or is not trusted.",
        "Synchronize both with NTP. If the clock is right, run licet-server confirm-clock.",
    ),
    CheckName.DISK: Check(
        "Disk",
        "The disk of the data folder is almost full.",
        "Free space or enlarge the disk. A full disk stops all changes.",
    ),
    CheckName.BACKUPS: Check(
        "Backups",
        "The newest base backup is too old, or changes wait too long to be backed up.",
        "Check the object store in LICET_BACKUP_URL and the log of the service.",
    ),
    CheckName.CERTIFICATES: Check(
        "Certificates",
        "A certificate in DATABASE_URL expires within 30 days, or cannot be read.",
        "Renew it. The service cannot reach its database once it has expired.",
    ),
    CheckName.BACKLOGS: Check(
        "Background work",
        "Background work has been waiting for more than an hour.",
        "Check the log of the service, and that a service or a worker is running.",
    ),
    CheckName.AUDIT_LOG: Check(
        "Audit log",
        "Entries of the audit log were changed, deleted or moved.",
        "Run licet-server audit verify, and find out who had access to the database.",
    ),
    CheckName.UNREADABLE_VALUES: Check(
        "Unreadable values",
        "Rows contain values that the service would not store. They are shown as far as possible.",
        "Repair stores JSON as it is shown. Correct times, amounts and others by hand.",
        repairs=True,
    ),
    CheckName.IMPOSSIBLE_DATES: Check(
        "Impossible dates",
        "Licenses end before 1970 or after the year 9899.",
        "Open the license and set its expiration date.",
    ),
    CheckName.DEVICE_SEATS: Check(
        "Counted device seats",
        "The counted seats of a license differ from the devices that hold one or have lost it.",
        "Repair counts the devices again.",
        repairs=True,
    ),
    CheckName.DEVICE_LIMIT: Check(
        "Devices above the limit",
        "A license has more devices with a seat than seats, and none of them is over the limit.",
        "Change the seats of the license: the newest devices above them lose theirs.",
    ),
    CheckName.SESSION_SEATS: Check(
        "Sessions above the limit",
        "A license has more live sessions than seats, and was not changed since they connected.",
        "Disconnect sessions of the license, and report this: no rule allows it.",
    ),
    CheckName.BLOCKED_DEVICES: Check(
        "Counted blocked devices",
        "The counted blocked devices of a license differ from those that are blocked.",
        "Repair counts the blocked devices again.",
        repairs=True,
    ),
    CheckName.ACCESS_ATTEMPTS: Check(
        "Counted access attempts",
        "The counted access attempts to review of a license differ from those that it has.",
        "Repair counts the access attempts again.",
        repairs=True,
    ),
    CheckName.LICENSE_COUNTS: Check(
        "Counted licenses",
        "The counted licenses of a product differ from those that it has.",
        "Repair counts the licenses again.",
        repairs=True,
    ),
    CheckName.LICENSE_TERMS: Check(
        "Terms of licenses",
        "A license lacks what its model needs, or has what its model does not take.",
        "Open the license and set what is wrong.",
    ),
    CheckName.LICENSE_KEYS: Check(
        "License keys",
        "A license is not found by the key that is shown.",
        "Repair lets it be found, unless another license has the key. Then replace the key.",
        repairs=True,
    ),
    CheckName.LICENSE_CUSTOMERS: Check(
        "Licenses without their customer",
        "A license is issued to an address, but belongs to no customer.",
        "Repair gives it to the customer with this address, who is created if missing.",
        repairs=True,
    ),
    CheckName.OTHER_PRODUCTS: Check(
        "Rows of another product",
        "What belongs to a license names another product than the license.",
        "Repair corrects devices, sessions, access attempts, former keys and wallets. Set the "
        "release, policy and entitlement set on the license.",
        repairs=True,
    ),
    CheckName.WALLETS: Check(
        "Wallets",
        "A wallet is missing, is not what its ledger says, or holds credits for no reservation.",
        "Repair rebuilds missing wallets. For others, compare the ledger with what was sold.",
        repairs=True,
    ),
    CheckName.ORPHANED_WALLETS: Check(
        "Orphaned wallets",
        "A wallet is open, but its license no longer exists.",
        "Repair closes the wallet. Its ledger stays.",
        repairs=True,
    ),
    CheckName.MISSING_LICENSES: Check(
        "Orders without their license",
        "A fulfilled order names a license that no longer exists.",
        "If the license was deleted by mistake, issue it again to the buyer of the order.",
    ),
    CheckName.SIGNING_KEYS: Check(
        "Signing keys",
        "A product has licenses, but no key that signs license files.",
        "Generate a key pair on the product's page.",
    ),
    CheckName.SECRETS: Check(
        "Secrets",
        "A stored secret was altered, or was sealed under a master key that the service lacks.",
        "Put back the master key, or replace the secret. A session with it must sign in again.",
    ),
    CheckName.OWNERS: Check(
        "Institutions without an Owner",
        "No member of an institution is its Owner.",
        "As a system Admin, give one of its members the role Owner.",
    ),
    CheckName.FAILING_WEBHOOKS: Check(
        "Failing webhooks",
        "No delivery to a webhook has succeeded for a week.",
        "Correct its URL or its receiver, or delete it.",
    ),
}


class CheckState(StrEnum):
    """The result of a check. `Unknown` could not look."""

    SOUND = "Sound"
    FOUND = "Found"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found: how many, and some examples.

    `repaired` is how many of them this run repaired. `reason` says why a check could not look.
    """

    name: CheckName
    state: CheckState
    count: int = 0
    examples: Sequence[str] = ()
    repaired: int = 0
    reason: str | None = None

    @property
    def is_left(self) -> bool:
        """Whether something is left to do."""
        return self.state is CheckState.FOUND and self.repaired < self.count


def found(name: CheckName, examples: Sequence[str], count: int | None = None) -> Finding:
    """Return the finding of a check with these examples, of `count` in all."""
    number = len(examples) if count is None else count
    state = CheckState.FOUND if number else CheckState.SOUND
    return Finding(name=name, state=state, count=number, examples=examples[:EXAMPLES_MAX])


def unknown(name: CheckName, reason: str) -> Finding:
    """Return that a check could not look, and why."""
    return Finding(name=name, state=CheckState.UNKNOWN, reason=reason)


def exit_code(findings: Sequence[Finding]) -> int:
    """Return 2 if a check could not look, 1 if something is left to do, else 0."""
    if any(item.state is CheckState.UNKNOWN for item in findings):
        return 2
    return int(any(item.is_left for item in findings))
