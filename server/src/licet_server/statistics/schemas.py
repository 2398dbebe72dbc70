"""Figures; a period includes `from` and excludes `to`."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from msgspec import Struct, field

from licet_server.catalog.rules.model import FeatureKind, FeatureValue
from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, MeterMode


class TopLicense(Struct, rename="camel"):
    """A license with `count` devices or live sessions, of at most `seatsTotal`."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    count: int
    seats_total: int | None


class ProductLicenses(Struct, rename="camel"):
    """The licenses of one product."""

    product_id: UUID
    product_name: str
    total: int
    active: int


class LicenseDay(Struct, rename="camel"):
    """License events of a UTC day."""

    date: date
    created: int
    renewed: int
    converted: int
    revoked: int


class LicenseStatistics(Struct, rename="camel"):
    """Licenses now, and license events of the period."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    total: int
    by_status: dict[LicenseStatus, int]
    by_type: dict[LicenseType, int]
    by_product: list[ProductLicenses]
    expiring_in_30_days: int
    created: int
    renewed: int
    converted: int
    revoked: int
    daily_trend: list[LicenseDay]


class ActivationDay(Struct, rename="camel"):
    """Device events of a UTC day."""

    date: date
    created: int
    removed: int
    blocked: int
    access_attempts: int


class LicenseCounts(Struct, rename="camel", kw_only=True):
    """The numbers of devices, live sessions and access attempts of a license now.

    An access attempt is another machine in one entry point on one day. `reclaimableDevices` were
    not seen for as many days as the product allows, so that new devices get their seats.
    """

    license_id: UUID
    active_devices: int
    pending_devices: int
    blocked_devices: int
    over_limit_devices: int
    reclaimable_devices: int
    live_sessions: int
    access_attempts: int
    unreviewed_access_attempts: int


class ActivationStatistics(Struct, rename="camel"):
    """Devices now, and device events of the period.

    `pending` are the devices that wait for approval: those of licenses that are suspended, revoked
    or expired do not, and are part of `total` only. `accessAttempts` counts each other machine once
    a day.
    """

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    total: int
    active: int
    pending: int
    blocked: int
    over_limit: int
    released: int
    unreviewed_access_attempts: int
    created: int
    removed: int
    access_attempts: int
    limit_reached: int
    daily_trend: list[ActivationDay]
    top_licenses: list[TopLicense]


class SessionDay(Struct, rename="camel"):
    """Session events of a UTC day."""

    date: date
    started: int
    ended: int
    limit_reached: int


class SessionStatistics(Struct, rename="camel"):
    """Live sessions, and session events of the period."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    live: int
    started: int
    ended: int
    limit_reached: int
    daily_trend: list[SessionDay]
    top_licenses: list[TopLicense]


class MeterDay(Struct, rename="camel"):
    """Consumption and grants of a UTC day."""

    date: date
    consumed: Decimal
    granted: Decimal


class MeterTopLicense(Struct, rename="camel"):
    """One of the licenses that consumed the most in the period."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    consumed: Decimal


class MeterTopFeature(Struct, rename="camel"):
    """One of the features that were consumed the most in the period."""

    feature_name: str
    consumed: Decimal


class LowBalanceLicense(Struct, rename="camel"):
    """An active license whose wallet is empty, or at or below its threshold."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    balance: Decimal
    low_balance_threshold: Decimal | None


class ModeUsage(Struct, rename="camel", kw_only=True):
    """The figures of one mode or of both. `grants` includes initial balances.

    `totalBalance` is the present balance of existing licenses; consumption includes deleted ones.
    """

    total_balance: Decimal
    consumption: Decimal
    grants: Decimal
    adjustments: Decimal
    low_balance_licenses: list[LowBalanceLicense]
    daily_trend: list[MeterDay]
    top_licenses: list[MeterTopLicense]
    top_features: list[MeterTopFeature]


class MeterStatistics(ModeUsage, rename="camel", kw_only=True):
    """Usage in the period, of all metered licenses and by mode."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    metered_count_license_count: int
    metered_token_license_count: int
    by_mode: dict[MeterMode, ModeUsage]


class TelemetryDay(Struct, rename="camel"):
    """Telemetry of a UTC day: events, and the devices that reported them."""

    date: date
    events: int
    devices: int


class TelemetryName(Struct, rename="camel"):
    """One of the most frequent events of the period."""

    name: str
    events: int
    devices: int


class TelemetryStatistics(Struct, rename="camel"):
    """Telemetry of the period, extended to whole UTC days.

    `devices` and `licenses` count each one once; events that name none do not count there.
    `dropped` are the events that came when a product had used up its day.
    """

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    events: int
    dropped: int
    devices: int
    licenses: int
    daily_trend: list[TelemetryDay]
    top_names: list[TelemetryName]


class CurrentCounts(Struct, rename="camel", kw_only=True):
    """Present totals."""

    products: int
    licenses: int
    active_licenses: int
    expiring_in_30_days: int
    activations: int
    pending_activations: int
    blocked_activations: int
    live_sessions: int
    unreviewed_access_attempts: int


class Overview(CurrentCounts, rename="camel", kw_only=True):
    """The figures of the home page: present totals, and what was created in the period."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    licenses_created: int
    activations_created: int
    sessions_started: int


class Activity(Struct, rename="camel", kw_only=True):
    """A recent event; only Owners and Admins see who caused it.

    `subjectName` is the name at that time. `licenseId` and `licenseName` are set if the event
    concerns a license that still exists. `test` is whether it is about a Test product.
    """

    id: UUID
    type: str
    occurred_at: datetime
    subject_id: UUID
    subject_name: str | None
    license_id: UUID | None
    license_name: str | None
    product_id: UUID | None
    test: bool
    actor_kind: str | None
    actor_name: str | None


class InstitutionOverview(CurrentCounts, rename="camel", kw_only=True):
    """Present totals of an institution, and its latest events, newest first."""

    members: int
    recent_activity: list[Activity]


class FigureName(StrEnum):
    """A figure of a period."""

    LICENSES_ISSUED = "LicensesIssued"
    LICENSES_RENEWED = "LicensesRenewed"
    LICENSES_CONVERTED = "LicensesConverted"
    LICENSES_REVOKED = "LicensesRevoked"
    LICENSES_EXPIRED = "LicensesExpired"
    DEVICES_ADDED = "DevicesAdded"
    DEVICES_REMOVED = "DevicesRemoved"
    ACCESS_ATTEMPTS = "AccessAttempts"
    SESSIONS_STARTED = "SessionsStarted"
    LIMITS_REACHED = "LimitsReached"
    CONSUMPTION = "Consumption"


class ComparedFigure(Struct, rename="camel"):
    """A figure of the period, and of the period before."""

    name: FigureName
    value: Decimal
    previous: Decimal


class Comparison(Struct, rename="camel", kw_only=True):
    """The figures of a period, and of the one of the same length before it."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    previous_since: datetime = field(name="previousFrom")
    previous_until: datetime = field(name="previousTo")
    figures: list[ComparedFigure]


class VersionFigures(Struct, rename="camel", kw_only=True):
    """A version of a product's application, null where none was reported.

    `devices` are the active ones that reported it last, `seen` those of them that were seen in the
    period, `sessions` the live ones.
    """

    product_id: UUID
    product_name: str
    app_version: str | None
    devices: int
    seen: int
    sessions: int


class VersionStatistics(Struct, rename="camel", kw_only=True):
    """Active devices and live sessions by version, the most common first.

    `others` are the devices and sessions of versions beyond the first 100.
    """

    devices: int
    sessions: int
    versions: list[VersionFigures]
    others: int


class ConcurrencyDay(Struct, rename="camel"):
    """The most sessions of a UTC day, summed over licenses."""

    date: date
    peak: int


class FullLicense(Struct, rename="camel", kw_only=True):
    """A license with its peak of concurrent sessions, and the day of that peak."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    peak: int
    seats_total: int
    peak_on: date


class ConcurrencyStatistics(Struct, rename="camel", kw_only=True):
    """How far the seats of Floating licenses were used.

    A day's `peak` is the sum, over licenses, of the peak of concurrent sessions of each.
    `seats` are those of the active licenses now, and `topLicenses` begin with the fullest.
    """

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    seats: int
    peak: int
    daily_trend: list[ConcurrencyDay]
    top_licenses: list[FullLicense]


class RenewalKinds(Struct, rename="pascal", kw_only=True):
    """How often terms were renewed, and how often maintenance."""

    term: int
    updates: int


class Renewals(Struct, rename="camel", kw_only=True):
    """Renewals and losses of a period.

    `renewed` counts terms; `renewedByKind` also has the renewals of maintenance. `lapsed` licenses
    ended in it and have not been renewed, `churned` are these and the revoked ones. `renewalRate`
    is the part of renewals in renewals and lapses; null without any.
    """

    issued: int
    renewed: int
    renewed_by_kind: RenewalKinds
    lapsed: int
    revoked: int
    churned: int
    renewal_rate: float | None


class RenewalDay(Struct, rename="camel"):
    """Renewals and losses of a UTC day."""

    date: date
    issued: int
    renewed: int
    lapsed: int
    revoked: int


class RenewalStatistics(Renewals, rename="camel", kw_only=True):
    """Renewals and losses of the period, by day, and those of the period before."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    previous: Renewals
    daily_trend: list[RenewalDay]


class FeatureValueCount(Struct, rename="camel"):
    """The number of active licenses that have this value of a feature."""

    value: FeatureValue
    licenses: int


class FeatureHolders(Struct, rename="camel"):
    """A feature, and how many active licenses have it by their set or their own values.

    `values` are the most common ones of a Number or a Text, and `otherValues` is how many licenses
    have another one.
    """

    product_id: UUID
    product_name: str
    feature_name: str
    kind: FeatureKind
    licenses: int
    values: list[FeatureValueCount]
    other_values: int


class ProductUnrestricted(Struct, rename="camel"):
    """The number of active licenses of a product that may use every feature."""

    product_id: UUID
    product_name: str
    licenses: int


class FeatureStatistics(Struct, rename="camel"):
    """The features that most active licenses have, at most 500."""

    by_feature: list[FeatureHolders]
    unrestricted: list[ProductUnrestricted]


class AttentionLicense(Struct, rename="camel", kw_only=True):
    """A license that needs attention; `customerName` is null for callers who see no customers."""

    license_id: UUID
    license_name: str
    customer_name: str | None
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


class RejectingLicense(AttentionLicense, rename="camel", kw_only=True):
    """An active license whose seats are all in use, and when it last rejected a device."""

    seats: int
    rejected_at: datetime


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


class RejectingLicenses(Struct):
    """The number of full licenses that rejected a device in the last day, the latest first."""

    count: int
    items: list[RejectingLicense]


class Attention(Struct, rename="camel"):
    """Items that need attention; `accessAttempts` counts machines, and is for Owners and Admins."""

    pending_activations: PendingDevices
    access_attempts: AttemptedLicenses | None
    expiring_licenses: ExpiringLicenses
    low_balances: LowLicenses
    full_licenses: RejectingLicenses
