"""Figures; a period includes `from` and excludes `to`."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct, field

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

    An access attempt is another machine in one entry point on one day.
    """

    license_id: UUID
    active_devices: int
    pending_devices: int
    blocked_devices: int
    live_sessions: int
    access_attempts: int
    unreviewed_access_attempts: int


class ActivationStatistics(Struct, rename="camel"):
    """Devices now, and device events of the period.

    `accessAttempts` counts each other machine once a day.
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
    concerns a license that still exists.
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


class InstitutionOverview(CurrentCounts, rename="camel", kw_only=True):
    """Present totals of an institution, and its latest events, newest first."""

    members: int
    recent_activity: list[Activity]
