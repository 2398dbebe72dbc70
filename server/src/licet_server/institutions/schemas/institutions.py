"""Wire shapes of institutions, their plans, settings and appearance, and of their API keys."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.institutions.rules.institutions import (
    NO_LIMITS,
    RATE_LIMIT_MAX,
    REMINDER_DAYS_MAX,
    REMINDERS_MAX,
    RETENTION_DAYS_MAX,
    WELCOME_MAX,
    Appearance,
    Institution,
    InstitutionSettings,
    Limits,
    Plan,
    color_breaches,
    language_breaches,
    range_breaches,
    renewal_page_breaches,
)
from licet_server.institutions.rules.operators import ApiKey, Scope
from licet_server.institutions.service.api_keys import IssuedApiKey
from licet_server.kit.addresses import plain
from licet_server.kit.dates import LAST_ZONE, instant_of, is_zone
from licet_server.kit.emails import is_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, Paragraphs, is_web_link, normal_locale
from licet_server.kit.web.body import Body, Change, DayOrTime, given
from licet_server.kit.web.views import view_of

Limit = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class InstitutionBody(Body):
    """A new institution."""

    name: Name


class InstitutionChange(Change):
    """A change of an institution."""

    name: Name | UnsetType = UNSET


class OwnLimits(Body):
    """Limits that override those of the plan; absent or null leaves the plan's."""

    products: Limit | None = None
    licenses: Limit | None = None


class PlanBody(Body):
    """The plan of an institution."""

    plan: Plan
    limits: OwnLimits | None = None

    def own_limits(self) -> Limits:
        """Return the limits that override those of the plan."""
        own = self.limits
        return NO_LIMITS if own is None else Limits(products=own.products, licenses=own.licenses)


class PlanLimits(Struct):
    """The numbers that the plan allows; null is unlimited."""

    products: int | None
    licenses: int | None


class InstitutionView(Struct, rename="camel"):
    """An institution."""

    id: UUID
    name: str
    plan: Plan
    limits: PlanLimits
    created_at: datetime


def institution_view(institution: Institution) -> InstitutionView:
    return view_of(InstitutionView, institution)


RateLimit = Annotated[int, Meta(ge=1, le=RATE_LIMIT_MAX)]
ReminderDays = Annotated[
    list[Annotated[int, Meta(ge=1, le=REMINDER_DAYS_MAX)]], Meta(max_length=REMINDERS_MAX)
]
RetentionDays = Annotated[int, Meta(ge=1, le=RETENTION_DAYS_MAX)]


class InstitutionSettingsChange(Change):
    """A change of settings; null removes a limit, all addresses or all reminders.

    An `ipAllowList` without the caller's own address needs `confirm`.
    """

    ip_allow_list: list[str] | UnsetType | None = UNSET
    runtime_rate_limit: RateLimit | UnsetType | None = UNSET
    api_key_rate_limit: RateLimit | UnsetType | None = UNSET
    expiry_reminder_days: ReminderDays | UnsetType | None = UNSET
    telemetry_retention_days: RetentionDays | UnsetType = UNSET
    time_zone: str | UnsetType = UNSET
    require_second_factor: bool | UnsetType = UNSET
    confirm: bool | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from range_breaches("ipAllowList", self._ranges())
        if isinstance(self.time_zone, str) and not is_zone(self.time_zone):
            message = "must be a time zone of the IANA database, for example Europe/Berlin."
            yield FieldError("timeZone", message)

    def changes(self) -> dict[str, Any]:
        """Return the settings to change, named as in `InstitutionSettings`."""
        changes = given(self)
        changes.pop("confirm", None)
        if "ip_allow_list" in changes:
            changes["ip_allow_list"] = self._ranges()
        if "expiry_reminder_days" in changes:
            days = set(changes["expiry_reminder_days"] or ())
            changes["expiry_reminder_days"] = tuple(sorted(days, reverse=True))
        return changes

    def _ranges(self) -> tuple[str, ...]:
        ranges = None if self.ip_allow_list is UNSET else self.ip_allow_list
        return tuple(item.strip() for item in ranges or ())


class InstitutionSettingsView(Struct, rename="camel"):
    """The settings of an institution, and whether they allow the caller's IP address.

    Limits are requests per minute of each product key and each API key; null is unlimited.
    A date without a time lasts until the end of that day in `timeZone`, and dates are named in it.
    Owners and Admins are reminded `expiryReminderDays` before the end of a license's term.
    """

    ip_allow_list: list[str]
    runtime_rate_limit: int | None
    api_key_rate_limit: int | None
    expiry_reminder_days: list[int]
    telemetry_retention_days: int
    time_zone: str
    require_second_factor: bool
    caller_address: str
    caller_address_allowed: bool


def settings_view(settings: InstitutionSettings, address: str) -> InstitutionSettingsView:
    """Convert the settings, for a caller at that IP address."""
    return view_of(
        InstitutionSettingsView,
        settings,
        caller_address=plain(address),
        caller_address_allowed=settings.admits(address),
    )


Color = Annotated[str, Meta(max_length=7)]
Welcome = Annotated[str, Meta(max_length=WELCOME_MAX)]
Address = Annotated[str, Meta(max_length=254)]
Url = Annotated[str, Meta(max_length=500)]


class AppearanceChange(Change):
    """A change of what an institution shows; null clears.

    The color needs a contrast of 4.5 with white, so that text in it and on it can be read. Of
    `welcomeTranslations`, by language tag, those that are named are replaced; null removes one.
    `renewalUrl` is an https URL in which `{licenseKey}` stands for the key of a license.
    """

    display_name: Name | UnsetType | None = UNSET
    color: Color | UnsetType | None = UNSET
    welcome: Welcome | UnsetType | None = UNSET
    welcome_translations: dict[str, Welcome | None] | UnsetType = UNSET
    support_email: Address | UnsetType | None = UNSET
    support_url: Url | UnsetType | None = UNSET
    renewal_url: Url | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if isinstance(self.color, str):
            yield from color_breaches(self.color)
        if isinstance(self.welcome_translations, dict):
            yield from language_breaches(self.welcome_translations)
        if isinstance(self.support_email, str) and not is_email(self.support_email):
            yield FieldError("supportEmail", "must be an email address.")
        if isinstance(self.support_url, str) and not is_web_link(self.support_url):
            yield FieldError(
                "supportUrl",
                "must be a web address without a user name, for example https://example.com/help.",
            )
        if isinstance(self.renewal_url, str):
            yield from renewal_page_breaches(self.renewal_url)

    def changes(self) -> dict[str, Any]:
        """Return the fields to change, named as in `Appearance`."""
        changes = given(self)
        if changes.get("color"):
            changes["color"] = changes["color"].lower()
        translations = changes.pop("welcome_translations", None)
        changes = {name: value or None for name, value in changes.items()}
        if translations is not None:
            changes["welcome_translations"] = {
                str(normal_locale(locale)): text or None for locale, text in translations.items()
            }
        return changes


class AppearanceView(Struct, rename="camel", kw_only=True):
    """The appearance of an institution to its licensees; null is not set.

    `welcomeTranslations` are the welcome text by language tag, such as `de`; readers of other
    languages see `welcome`. Text in `color` can be read on white, and white text on it;
    `colorOnDark` is for dark pages. `renewalUrl` is where licenses are renewed whose metadata names
    no other page; `{licenseKey}` in it stands for the key of a license.
    """

    institution_id: UUID
    display_name: str | None
    color: str | None
    color_on_dark: str | None
    logo_url: str | None
    welcome: str | None
    welcome_translations: dict[str, str]
    support_email: str | None
    support_url: str | None
    renewal_url: str | None


def appearance_view(appearance: Appearance) -> AppearanceView:
    version = appearance.logo_version
    path = f"/api/institutions/{appearance.institution_id}/logo"
    return view_of(
        AppearanceView, appearance, logo_url=None if version is None else f"{path}?v={version}"
    )


class ApiKeyBody(Body):
    """A new API key. `expirationDate` null: never expires; `ipAllowList` null: any IP address.

    An `ipAllowList` without the caller's own address needs `confirm`.
    """

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=len(Scope))]
    description: Paragraphs | None = None
    expiration_date: DayOrTime | None = None
    ip_allow_list: list[str] | None = None
    institution_id: UUID | None = None
    confirm: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        end = self.expiration_date
        if end is not None and instant_of(end, LAST_ZONE) <= now:
            yield FieldError("expirationDate", "must be in the future.")
        yield from range_breaches("ipAllowList", self.ip_allow_list or [])

    def fields(self) -> dict[str, Any]:
        """Return what is given of the key, named as in `ApiKey`."""
        return {
            "name": self.name,
            "description": self.description,
            "scopes": tuple(dict.fromkeys(self.scopes)),
            "ip_allow_list": tuple(self.ip_allow_list or ()),
        }


class ApiKeyView(Struct, rename="camel"):
    """An API key, without its secret."""

    id: UUID
    institution_id: UUID
    name: str
    description: str | None
    scopes: list[Scope]
    expiration_date: datetime | None
    ip_allow_list: list[str]
    last_used_at: datetime | None
    created_at: datetime
    revoked_at: datetime | None


class IssuedApiKeyView(ApiKeyView, rename="camel", kw_only=True):
    """An API key with its secret, which is shown only once."""

    secret: str


def api_key_view(key: ApiKey) -> ApiKeyView:
    return view_of(ApiKeyView, key, expiration_date=key.expires_at)


def issued_api_key_view(issued: IssuedApiKey) -> IssuedApiKeyView:
    key = issued.key
    return view_of(IssuedApiKeyView, key, expiration_date=key.expires_at, secret=issued.secret)
