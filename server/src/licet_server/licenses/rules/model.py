"""What a license is."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType, ModelTraits


class ActivationMode(StrEnum):
    """Whether license.bin alone is enough (Offline), or the server is asked (Online)."""

    ONLINE = "Online"
    OFFLINE = "Offline"


class LicenseStatus(StrEnum):
    """What a license is at an instant."""

    ACTIVE = "Active"
    EXPIRED = "Expired"
    REVOKED = "Revoked"
    SUSPENDED = "Suspended"


@dataclass(frozen=True, slots=True)
class License:
    """A license as stored. Amounts are exact decimals, times UTC."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    software_release_id: UUID
    customer_institution_id: UUID | None
    type: LicenseType
    license_key: str
    normal_key: str
    license_name: str
    issued_to: str | None
    issuer: str | None
    expiration_date: datetime | None
    max_active_users_count: int | None
    activation_mode: ActivationMode
    device_binding_mode: DeviceBindingMode | None
    entitlement_set_id: UUID | None
    initial_meter_balance: Decimal | None
    username: str | None
    password_hash: str | None
    notes: str | None
    metadata: Mapping[str, str]
    created_at: datetime
    updated_at: datetime
    suspended_at: datetime | None
    revoked_at: datetime | None

    @property
    def traits(self) -> ModelTraits:
        """What its model does."""
        return self.type.traits

    def status(self, now: datetime) -> LicenseStatus:
        """The status at `now`; a term ends at its very instant."""
        return status_at(self.revoked_at, self.suspended_at, self.expiration_date, now)


@dataclass(frozen=True, slots=True)
class LicenseTerms:
    """What devices and sessions must know of a license: no more, since it is read so often."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    type: LicenseType
    device_binding_mode: DeviceBindingMode | None
    max_active_users_count: int | None
    expiration_date: datetime | None
    suspended_at: datetime | None
    revoked_at: datetime | None

    @property
    def traits(self) -> ModelTraits:
        """What its model does."""
        return self.type.traits

    def status(self, now: datetime) -> LicenseStatus:
        """The status at `now`."""
        return status_at(self.revoked_at, self.suspended_at, self.expiration_date, now)


def status_at(
    revoked_at: datetime | None,
    suspended_at: datetime | None,
    expiration_date: datetime | None,
    now: datetime,
) -> LicenseStatus:
    """The status at `now`; a term ends at its very instant."""
    if revoked_at is not None:
        return LicenseStatus.REVOKED
    if suspended_at is not None:
        return LicenseStatus.SUSPENDED
    if expiration_date is not None and expiration_date <= now:
        return LicenseStatus.EXPIRED
    return LicenseStatus.ACTIVE


LicenseId = tuple[UUID, UUID]
"""Institution and license."""

LicenseKeyOf = tuple[UUID, UUID, str]
"""Institution, product and the key's normal form: what names a license at run time."""


@dataclass(frozen=True, slots=True)
class LicenseFilter:
    """What a list is narrowed to; `None` does not narrow."""

    product_id: UUID | None = None
    status: LicenseStatus | None = None
    type: LicenseType | None = None
    issued_to: str | None = None
    search: str | None = None
    expiring_before: datetime | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it lets everything through, or all of one product."""
        narrowing = (field.name for field in fields(self) if field.name != "product_id")
        return all(getattr(self, name) is None for name in narrowing)


@dataclass(frozen=True, slots=True)
class LicenseGroup:
    """How many licenses of a product share a model and a status."""

    institution_id: UUID
    product_id: UUID
    type: LicenseType
    status: LicenseStatus
    count: int
