"""Figures that compare: with the period before, with seats, by version, and of renewals."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from msgspec import Struct, field

from licet_server.licenses.rules.traits import LicenseType


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


class Renewals(Struct, rename="camel", kw_only=True):
    """Renewals and losses of a period.

    `lapsed` licenses ended in it and have not been renewed, `churned` are these and the revoked
    ones. `renewalRate` is the part of renewals in renewals and lapses; null without any.
    """

    issued: int
    renewed: int
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
