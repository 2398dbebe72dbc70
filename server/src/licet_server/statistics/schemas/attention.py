"""What waits for somebody: how much of each there is, and the most urgent of it."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct

from licet_server.licenses.rules.traits import LicenseType


class LicenseConcern(Struct, rename="camel", kw_only=True):
    """Something that is the matter with a license."""

    license_id: UUID
    license_name: str
    product_id: UUID
    product_name: str


class PendingDevice(LicenseConcern, rename="camel", kw_only=True):
    """A device that waits for approval, and since when."""

    activation_id: UUID
    device_name: str | None
    created_at: datetime


class AttemptedLicense(LicenseConcern, rename="camel", kw_only=True):
    """A license that foreign machines tried, with how many of these nobody has reviewed."""

    attempts: int
    last_seen_at: datetime


class ExpiringLicense(LicenseConcern, rename="camel", kw_only=True):
    """An active license whose term ends soon."""

    type: LicenseType
    issued_to: str | None
    expiration_date: datetime


class LowLicense(LicenseConcern, rename="camel", kw_only=True):
    """An active license with an empty wallet, or one at its threshold or below."""

    balance: Decimal
    low_balance_threshold: Decimal | None


class PendingDevices(Struct):
    """How many wait, and those that have waited longest."""

    count: int
    items: list[PendingDevice]


class AttemptedLicenses(Struct):
    """How many foreign machines nobody has reviewed, and the licenses that were tried last."""

    count: int
    items: list[AttemptedLicense]


class ExpiringLicenses(Struct):
    """How many end soon, and those that end first."""

    count: int
    items: list[ExpiringLicense]


class LowLicenses(Struct):
    """How many are low, and the emptiest."""

    count: int
    items: list[LowLicense]


class Attention(Struct, rename="camel"):
    """What needs somebody now; `accessAttempts` counts machines, and is for Owners and Admins."""

    pending_activations: PendingDevices
    access_attempts: AttemptedLicenses | None
    expiring_licenses: ExpiringLicenses
    low_balances: LowLicenses
