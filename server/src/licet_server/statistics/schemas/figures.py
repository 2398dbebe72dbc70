"""The figures, as they are answered; `from` is in the period and `to` is not."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct, field

from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, MeterMode


class TopLicense(Struct, rename="camel"):
    """A license with much going on; `count` devices or live sessions, `seatsTotal` at most."""

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
    """What happened to licenses on one UTC day."""

    date: date
    created: int
    renewed: int
    converted: int
    revoked: int


class LicenseStatistics(Struct, rename="camel"):
    """Licenses as they are now, and what happened to them in the period."""

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
    """What happened to devices on one UTC day."""

    date: date
    created: int
    removed: int
    blocked: int
    access_attempts: int


class ActivationStatistics(Struct, rename="camel"):
    """Devices as they are now, and what happened to them in the period.

    `accessAttempts` counts each foreign machine once a day.
    """

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    total: int
    active: int
    pending: int
    blocked: int
    unreviewed_access_attempts: int
    created: int
    removed: int
    access_attempts: int
    limit_reached: int
    daily_trend: list[ActivationDay]
    top_licenses: list[TopLicense]


class SessionDay(Struct, rename="camel"):
    """What happened to sessions on one UTC day."""

    date: date
    started: int
    ended: int
    limit_reached: int


class SessionStatistics(Struct, rename="camel"):
    """Sessions that live now, and what happened to them in the period."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    live: int
    started: int
    ended: int
    limit_reached: int
    daily_trend: list[SessionDay]
    top_licenses: list[TopLicense]


class MeterDay(Struct, rename="camel"):
    """What was consumed and granted on one UTC day."""

    date: date
    consumed: Decimal
    granted: Decimal


class MeterTopLicense(Struct, rename="camel"):
    """A license that used much in the period."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    consumed: Decimal


class MeterTopFeature(Struct, rename="camel"):
    """A feature that was used much in the period."""

    feature_name: str
    consumed: Decimal


class LowBalanceLicense(Struct, rename="camel"):
    """An active license with an empty wallet, or one at its threshold or below."""

    license_id: UUID
    license_name: str
    product_id: UUID
    type: LicenseType
    balance: Decimal
    low_balance_threshold: Decimal | None


class ModeUsage(Struct, rename="camel", kw_only=True):
    """The figures of one mode, or of both. `grants` holds what licenses were issued with as well.

    `totalBalance` is of now and of licenses that exist; what was used by deleted ones stays used.
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
    """Usage in the period, for all metered licenses and for those of each mode."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    metered_count_license_count: int
    metered_token_license_count: int
    by_mode: dict[MeterMode, ModeUsage]


class TelemetryDay(Struct, rename="camel"):
    """What applications told of on one UTC day, and how many devices did."""

    date: date
    events: int
    devices: int


class TelemetryName(Struct, rename="camel"):
    """An event that happened often in the period."""

    name: str
    events: int
    devices: int


class TelemetryStatistics(Struct, rename="camel"):
    """What applications told of in the period, which is of whole UTC days.

    `devices` and `licenses` count each one once; only events that named one count for them.
    """

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    events: int
    devices: int
    licenses: int
    daily_trend: list[TelemetryDay]
    top_names: list[TelemetryName]


class Present(Struct, rename="camel", kw_only=True):
    """What there is now."""

    products: int
    licenses: int
    active_licenses: int
    expiring_in_30_days: int
    activations: int
    pending_activations: int
    blocked_activations: int
    live_sessions: int
    unreviewed_access_attempts: int


class Overview(Present, rename="camel", kw_only=True):
    """The figures of a home page: what there is, and what came in the period."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    licenses_created: int
    activations_created: int
    sessions_started: int


class Activity(Struct, rename="camel", kw_only=True):
    """Something that happened; who did it is told to Owners and Admins only.

    `subjectName` is what it was called then. `licenseId` and `licenseName` are there where it is
    about a license that still exists.
    """

    id: UUID
    type: str
    occurred_at: datetime
    subject_id: UUID
    subject_name: str | None
    license_id: UUID | None
    license_name: str | None
    product_id: UUID | None
    actor_kind: str | None
    actor_name: str | None


class InstitutionOverview(Present, rename="camel", kw_only=True):
    """What there is in an institution, and what happened last, newest first."""

    members: int
    recent_activity: list[Activity]
