"""Wire shapes of an institution's settings."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.institutions.rules.ip_allow_list import range_breaches
from licet_server.institutions.rules.settings import (
    RATE_LIMIT_MAX,
    REMINDER_DAYS_MAX,
    REMINDERS_MAX,
    RETENTION_DAYS_MAX,
    InstitutionSettings,
)
from licet_server.kit.addresses import plain
from licet_server.kit.dates import is_zone
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Change, given
from licet_server.kit.web.views import view_of

RateLimit = Annotated[int, Meta(ge=1, le=RATE_LIMIT_MAX)]
ReminderDays = Annotated[
    list[Annotated[int, Meta(ge=1, le=REMINDER_DAYS_MAX)]], Meta(max_length=REMINDERS_MAX)
]
RetentionDays = Annotated[int, Meta(ge=1, le=RETENTION_DAYS_MAX)]


class InstitutionSettingsChange(Change):
    """A change of settings; null removes a limit, all addresses or all reminders."""

    ip_allow_list: list[str] | UnsetType | None = UNSET
    runtime_rate_limit: RateLimit | UnsetType | None = UNSET
    api_key_rate_limit: RateLimit | UnsetType | None = UNSET
    expiry_reminder_days: ReminderDays | UnsetType | None = UNSET
    telemetry_retention_days: RetentionDays | UnsetType = UNSET
    time_zone: str | UnsetType = UNSET
    require_second_factor: bool | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from range_breaches("ipAllowList", self._ranges())
        if isinstance(self.time_zone, str) and not is_zone(self.time_zone):
            message = "must be a time zone of the IANA database, for example Europe/Berlin."
            yield FieldError("timeZone", message)

    def changes(self) -> dict[str, Any]:
        """Return the settings to change, named as in `InstitutionSettings`."""
        changes = given(self)
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
