"""What a license is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal
from urllib.parse import quote
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.catalog.rules.model import FeatureValue
from licet_server.institutions.rules.institutions import LICENSE_KEY
from licet_server.kit.dates import LATEST, Period
from licet_server.kit.declared import Sent
from licet_server.kit.tags import Tags
from licet_server.kit.text import is_web_link
from licet_server.licenses.rules.coverage import (
    FALLBACK_AFTER_MAX_MONTHS,
    FALLBACK_AFTER_MONTHS,
    Fallback,
    fallback_until,
)
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType, ModelTraits, SeatKind

GRACE_MAX_DAYS = 365
DURATION_MAX_DAYS = 36_500
DURATION_MAX_MONTHS = 1_200
BORROW_MAX_DAYS = 366
MAX_SEATS = 1_000_000
COMPONENTS_MAX = 8
NO_VALUES: Mapping[str, FeatureValue] = MappingProxyType({})
NO_PAIRS: Mapping[str, str] = MappingProxyType({})

Days = Annotated[int, Sent(Meta(ge=1, le=DURATION_MAX_DAYS))]
Months = Annotated[int, Sent(Meta(ge=1, le=DURATION_MAX_MONTHS))]
GraceDays = Annotated[int, Sent(Meta(ge=0, le=GRACE_MAX_DAYS))]
FallbackMonths = Annotated[int, Sent(Meta(ge=0, le=FALLBACK_AFTER_MAX_MONTHS))]
BorrowDays = Annotated[int, Sent(Meta(ge=0, le=BORROW_MAX_DAYS))]
BorrowedSeats = Annotated[int, Sent(Meta(ge=1, le=MAX_SEATS))]


class ActivationMode(StrEnum):
    """Whether license.bin alone is enough (Offline) or the server must be asked (Online)."""

    ONLINE = "Online"
    OFFLINE = "Offline"


class DeviceProof(StrEnum):
    """Whether devices must prove their keys: never, those that have one, or all of them."""

    OFF = "Off"
    WHEN_PRESENT = "WhenPresent"
    REQUIRED = "Required"


class OnClone(StrEnum):
    """What becomes of a device with another key: it is refused, or takes a seat of its own."""

    REFUSE = "Refuse"
    OWN_SEAT = "OwnSeat"


class AtLeast(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """How many components of a device must be as they were; it must have at least `of` of them."""

    at_least: Annotated[int, Meta(ge=2, le=COMPONENTS_MAX)]
    of: Annotated[int, Meta(ge=2, le=COMPONENTS_MAX)]

    @property
    def is_majority(self) -> bool:
        """Whether no two devices can both have so many components of a third one."""
        return self.of / 2 < self.at_least <= self.of


MachineMatch = Literal["Exact"] | AtLeast
"""How a device is recognized: by its hardware ID alone, or also by its components."""

EXACT: Literal["Exact"] = "Exact"


class OfflineActivation(StrEnum):
    """Who answers requests of machines without a connection.

    Operators only; the service, for anyone with the key; or the service once operators approve.
    """

    OFF = "Off"
    SELF_SERVICE = "SelfService"
    APPROVAL = "Approval"


class LicenseStatus(StrEnum):
    """What a license is at an instant."""

    ACTIVE = "Active"
    EXPIRED = "Expired"
    REVOKED = "Revoked"
    SUSPENDED = "Suspended"


class LicenseTerms(Struct, frozen=True, kw_only=True):
    """What devices and sessions read of a license on each request, and no more."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    type: LicenseType
    device_binding_mode: DeviceBindingMode | None
    max_active_users_count: int | None
    valid_until: datetime | None
    suspended_at: datetime | None
    revoked_at: datetime | None

    @property
    def traits(self) -> ModelTraits:
        """What its model does."""
        return self.type.traits

    def status(self, now: datetime) -> LicenseStatus:
        """Return the status at `now`."""
        return status_at(self, now)


class OnUnreturned(StrEnum):
    """What becomes of reserved credits that a device neither reports nor returns in time."""

    CHARGE = "Charge"
    REFUND = "Refund"


class PolicyTerms(Struct, frozen=True, kw_only=True):
    """The terms that a license gets from its policy; `None` leaves one to the license.

    Requests, views, events and files as code take them from here: see `kit.declared`.
    """

    max_active_users_count: int | None = None
    activation_mode: ActivationMode | None = None
    device_binding_mode: DeviceBindingMode | None = None
    device_proof: DeviceProof | None = None
    machine_match: MachineMatch | None = None
    on_clone: OnClone | None = None
    max_borrow_days: BorrowDays | None = None
    max_borrowed_seats: BorrowedSeats | None = None
    max_offline_credits: Decimal | None = None
    on_unreturned: OnUnreturned | None = None
    offline_activation: OfflineActivation | None = None
    entitlement_set_id: UUID | None = None


class OwnFields(PolicyTerms, frozen=True, kw_only=True):
    """What is given for one license; drafts and records name it alike."""

    customer_institution_id: UUID | None = None
    issued_to: str | None = None
    issuer: str | None = None
    expiration_date: datetime | None = None
    grace_days: GraceDays | None = None
    updates_until: datetime | None = None
    fallback: Fallback | None = None
    fallback_after_months: FallbackMonths | None = None
    term_days: int | None = None
    term_months: int | None = None
    term_anchor_day: int | None = None
    initial_meter_balance: Decimal | None = None
    policy_id: UUID | None = None
    username: str | None = None
    notes: str | None = None
    metadata: Mapping[str, str] = NO_PAIRS
    tags: Tags = ()


class SettledTerms(OwnFields, frozen=True, kw_only=True):
    """The same of a license; what neither it nor a policy says has its default."""

    activation_mode: ActivationMode = ActivationMode.ONLINE
    device_proof: DeviceProof = DeviceProof.OFF
    machine_match: MachineMatch = EXACT
    on_clone: OnClone = OnClone.REFUSE
    max_borrow_days: BorrowDays = 0
    on_unreturned: OnUnreturned = OnUnreturned.CHARGE
    offline_activation: OfflineActivation = OfflineActivation.OFF
    grace_days: GraceDays = 0
    fallback: Fallback = Fallback.NONE
    fallback_after_months: FallbackMonths = FALLBACK_AFTER_MONTHS


def settled(item: OwnFields) -> dict[str, Any]:
    """Return what is given for a license, by the names of `SettledTerms`; `None` is not."""
    names = SettledTerms.__struct_fields__
    return {name: value for name in names if (value := getattr(item, name)) is not None}


class License(SettledTerms, frozen=True, kw_only=True):
    """A license as stored. Amounts are exact decimals, times UTC.

    `customer_id` is the customer that the address it was issued to belongs to, and `policy_id` the
    policy that it was issued under. `feature_values` are its own values of features, which win over
    those of its entitlement set.

    While its term has not begun, `term_days` or `term_months` is the length of the term, and there
    is no `expiration_date`. `grace_days` is how much longer it is valid after the end of its term.

    `term_began_at` is when its present term began, if that was not its creation. `term_anchor_day`
    is the day of the month on which its term would end if that month were not too short.

    `updates_until` is the end of its maintenance: later releases are not covered. With a
    `fallback`, it stays valid after its term for the releases until a cut-off, once
    `fallback_after_months` in a row were paid for; `paid_since` is when they began, if that was not
    its creation.

    `test` is that of its product. Where that has a test clock, `clock` is where it stood when the
    license was read, and everything about the license is decided at that instant.

    `device_proof` says which of its devices must prove their keys, and `machine_match` how one is
    recognized whose hardware ID has changed. `max_borrow_days` is for how
    long a device may take a seat or credits away, 0 if not at all, `max_borrowed_seats` how many
    seats may be away at a time, if not all, and `max_offline_credits` how many credits may, if any.
    `on_unreturned` is what becomes of credits that no device accounts for. `offline_activation` is
    who answers the requests of machines that never have a connection.

    While `blocked_devices` is not 0, every request must name its device, so that a blocked one
    cannot evade its block.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID
    software_release_id: UUID
    customer_id: UUID | None
    type: LicenseType
    license_key: str
    normal_key: str
    license_name: str
    password_hash: str | None = None
    created_at: datetime
    updated_at: datetime
    suspended_at: datetime | None = None
    revoked_at: datetime | None = None
    blocked_devices: int = 0
    feature_values: Mapping[str, FeatureValue] = NO_VALUES
    term_began_at: datetime | None = None
    paid_since: datetime | None = None
    test: bool = False
    clock: datetime | None = None

    @property
    def pending_term(self) -> Period | None:
        """The length of the term that begins with the first use; `None` once it has begun."""
        return period_of(self.term_days, self.term_months)

    @property
    def traits(self) -> ModelTraits:
        """What its model does."""
        return self.type.traits

    def renewed_at(self, page: str | None) -> str | None:
        """Return where it is renewed, if that is known.

        It is the pair `renewUrl` of its metadata, if that is a web link, or else the `page` of its
        vendor, with its key in place of `{licenseKey}`.
        """
        url = self.metadata.get("renewUrl", "")
        if is_web_link(url):
            return url
        return page and page.replace(LICENSE_KEY, quote(self.license_key, safe=""))

    @property
    def valid_until(self) -> datetime | None:
        """The end of the grace after its term, far away with a fallback; `None` without an end."""
        if self.expiration_date is None:
            return None
        return self.paid_until if self.fallback_until is None else LATEST

    @property
    def paid_until(self) -> datetime | None:
        """The end of the grace after its term, whatever it keeps then; `None` if no end is set."""
        end = self.expiration_date
        if end is None or not self.grace_days or end >= LATEST:
            return end
        return end + timedelta(days=min(self.grace_days, GRACE_MAX_DAYS))

    def instant(self, now: datetime) -> datetime:
        """Return the instant that the license goes by at the present `now`."""
        return self.clock or now

    def in_grace_until(self, now: datetime) -> datetime | None:
        """Return the end of the grace, if the license is active at `now` only because of it."""
        end, now = self.expiration_date, self.instant(now)
        if end is None or now < end or self.is_unpaid(now):
            return None
        return self.paid_until if self.status(now) is LicenseStatus.ACTIVE else None

    def is_unpaid(self, now: datetime) -> bool:
        """Return whether the term and its grace have ended, whatever the license keeps."""
        return self.paid_until is not None and self.paid_until <= self.instant(now)

    @property
    def fallback_until(self) -> datetime | None:
        """The last publication of a release that the license keeps after its term, if any."""
        if self.fallback is Fallback.NONE or self.expiration_date is None:
            return None
        return fallback_until(
            self.fallback,
            paid_since=self.paid_since or self.created_at,
            term_began_at=self.term_began_at or self.created_at,
            term_ends_at=self.expiration_date,
            after_months=self.fallback_after_months,
        )

    def in_fallback(self, now: datetime) -> bool:
        """Return whether the license is active at `now` only because of its fallback."""
        if self.fallback is Fallback.NONE:
            return False
        return self.is_unpaid(now) and self.status(now) is LicenseStatus.ACTIVE

    def ends_at(self, now: datetime) -> datetime | None:
        """Return when the license stops being valid, for applications; `None` in its fallback."""
        return None if self.in_fallback(now) else self.paid_until

    def covers_until(self, now: datetime) -> datetime | None:
        """Return the last publication of a release that the license covers; `None` without one."""
        ends = [self.updates_until, self.fallback_until if self.is_unpaid(now) else None]
        return min((end for end in ends if end is not None), default=None)

    @property
    def file_takes_seat(self) -> bool:
        """Whether each license file is for one device, which takes a seat by it."""
        is_offline = self.activation_mode is ActivationMode.OFFLINE
        return is_offline and self.traits.activation_required

    def status(self, now: datetime) -> LicenseStatus:
        """Return the status at `now`."""
        return status_at(self, self.instant(now))


def by_instant(licenses: Iterable[License], now: datetime) -> dict[datetime, list[License]]:
    """Return licenses by the instants that they go by at the present `now`."""
    found: dict[datetime, list[License]] = {}
    for license_ in licenses:
        found.setdefault(license_.instant(now), []).append(license_)
    return found


def period_of(days: int | None, months: int | None) -> Period | None:
    """Return the length of a term that has days or months; `None` if it has neither."""
    if days is None and months is None:
        return None
    return Period(min(days or 0, DURATION_MAX_DAYS), min(months or 0, DURATION_MAX_MONTHS))


def differing_fields(before: License, after: License) -> dict[str, Any]:
    """Return the fields that differ, by their names in `License`, with their values after."""
    return {
        name: value
        for name in License.__struct_fields__
        if (value := getattr(after, name)) != getattr(before, name)
    }


class StatusDates(Struct, frozen=True):
    """The dates of a license that its status follows from."""

    revoked_at: datetime | None
    suspended_at: datetime | None
    valid_until: datetime | None

    def status(self, now: datetime) -> LicenseStatus:
        """Return the status at `now`."""
        return status_at(self, now)


Dated = License | LicenseTerms | StatusDates
"""What has a status: a license, or a part of one."""


def _is_revoked(license_: Dated, _: datetime) -> bool:
    return license_.revoked_at is not None


def _is_suspended(license_: Dated, _: datetime) -> bool:
    return license_.suspended_at is not None


def _is_expired(license_: Dated, now: datetime) -> bool:
    end = license_.valid_until
    return end is not None and end <= now


INACTIVE: Mapping[LicenseStatus, Callable[[Dated, datetime], bool]] = {
    LicenseStatus.REVOKED: _is_revoked,
    LicenseStatus.SUSPENDED: _is_suspended,
    LicenseStatus.EXPIRED: _is_expired,
}
"""When a license is not active, in order of precedence. Terms and graces end at their very instant.

The same precedence in SQL is `licenses.storage.filtering.has_status`.
"""


def status_at(license_: Dated, now: datetime) -> LicenseStatus:
    """Return the first status that applies at `now`, in order of precedence."""
    for status, applies in INACTIVE.items():
        if applies(license_, now):
            return status
    return LicenseStatus.ACTIVE


LicenseId = tuple[UUID, UUID]
"""Institution and license."""

LicenseKeyOf = tuple[UUID, UUID, str]
"""Institution, product and the key's normal form: what identifies a license at run time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseFilter:
    """The filters of a list; `None` does not filter."""

    product_id: UUID | None = None
    customer_id: UUID | None = None
    status: LicenseStatus | None = None
    type: LicenseType | None = None
    issued_to: str | None = None
    search: str | None = None
    expiring_before: datetime | None = None
    policy_id: UUID | None = None
    tags: Tags | None = None
    test: bool | None = None

    @property
    def is_unfiltered(self) -> bool:
        """Whether the list holds every license, or every license of one product."""
        others = (field.name for field in fields(self) if field.name != "product_id")
        return all(getattr(self, name) is None for name in others)


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseGroup:
    """How many licenses of a product share a model and a status."""

    institution_id: UUID
    product_id: UUID
    type: LicenseType
    status: LicenseStatus
    count: int


def seat_cap(license_: License | LicenseTerms) -> int | None:
    """Return how many seats may be held at a time; `None` where nothing holds a seat."""
    match license_.traits.seat_kind:
        case SeatKind.NONE:
            return None
        case SeatKind.MACHINE:
            return 1
        case SeatKind.SESSION | SeatKind.DEVICE:
            return license_.max_active_users_count


class LatestOrder(Struct, frozen=True):
    """The order that a license came of, the newest one of several; its number is the shop's."""

    id: UUID
    number: str
