"""Items that need attention: how many of each kind, and the most urgent ones."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct

from licet_server.licenses.rules.traits import LicenseType


class AttentionLicense(Struct, rename="camel", kw_only=True):
    """A license that needs attention."""

    license_id: UUID
    license_name: str
    product_id: UUID
    product_name: str


class PendingDevice(AttentionLicense, rename="camel", kw_only=True):
    """A device that waits for approval, and since when."""

    activation_id: UUID
    device_name: str | None
    created_at: datetime


class AttemptedLicense(AttentionLicense, rename="camel", kw_only=True):
    """A license that other machines tried to use; `attempts` counts the unreviewed ones."""

    attempts: int
    last_seen_at: datetime


class ExpiringLicense(AttentionLicense, rename="camel", kw_only=True):
    """An active license whose term ends soon, or has ended: then it is valid by `inGraceUntil`."""

    type: LicenseType
    issued_to: str | None
    expiration_date: datetime
    in_grace_until: datetime | None


class LowLicense(AttentionLicense, rename="camel", kw_only=True):
    """An active license whose wallet is empty, or at or below its threshold."""

    balance: Decimal
    low_balance_threshold: Decimal | None


class PendingDevices(Struct):
    """The number of pending devices, and those that have waited longest."""

    count: int
    items: list[PendingDevice]


class AttemptedLicenses(Struct):
    """The number of unreviewed machines, and the licenses that were tried last."""

    count: int
    items: list[AttemptedLicense]


class ExpiringLicenses(Struct):
    """The number of licenses that expire soon, and those that expire first."""

    count: int
    items: list[ExpiringLicense]


class LowLicenses(Struct):
    """The number of low balances, and the lowest ones."""

    count: int
    items: list[LowLicense]


class Attention(Struct, rename="camel"):
    """Items that need attention; `accessAttempts` counts machines, and is for Owners and Admins."""

    pending_activations: PendingDevices
    access_attempts: AttemptedLicenses | None
    expiring_licenses: ExpiringLicenses
    low_balances: LowLicenses
