"""Settings of an institution."""

from dataclasses import dataclass

from licet_server.institutions.rules.ip_allow_list import is_admitted

RATE_LIMIT_MAX = 1_000_000
REMINDERS_MAX, REMINDER_DAYS_MAX = 10, 365
RETENTION_DAYS_MAX = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class InstitutionSettings:
    """Allowed IP addresses, rate limits of keys, expiry reminders and telemetry retention.

    An empty list allows any IP address. Rate limits are requests per minute and key; `None` is
    unlimited. `expiry_reminder_days` are days before the end of a term, in descending order.
    Days end, and are named, in `time_zone`, one of the IANA database.
    `require_second_factor`: members without one can access only their own profile.
    """

    ip_allow_list: tuple[str, ...] = ()
    runtime_rate_limit: int | None = None
    api_key_rate_limit: int | None = None
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90
    time_zone: str = "UTC"
    require_second_factor: bool = False

    def admits(self, address: str) -> bool:
        """Check whether the institution allows the IP address."""
        return is_admitted(self.ip_allow_list, address)
