"""What waits for somebody: how much of each there is, and the most urgent of it."""

from datetime import datetime
from decimal import Decimal
from typing import Generic, TypeVar
from uuid import UUID

from msgspec import Struct

from licet_server.licenses.rules.model import LicenseType

Item = TypeVar("Item")


class Urgent(Struct, Generic[Item]):
    """All that there is in number, and the most urgent of it first."""

    count: int
    items: list[Item]


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


class Attention(Struct, rename="camel"):
    """What needs somebody now; `accessAttempts` counts machines, and is for Owners and Admins."""

    pending_activations: Urgent[PendingDevice]
    access_attempts: Urgent[AttemptedLicense] | None
    expiring_licenses: Urgent[ExpiringLicense]
    low_balances: Urgent[LowLicense]
