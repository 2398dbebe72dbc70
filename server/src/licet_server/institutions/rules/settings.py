"""What an institution sets for itself."""

from dataclasses import dataclass

from licet_server.institutions.rules.ip_allow_list import is_admitted

RATE_LIMIT_MAX = 1_000_000
REMINDERS_MAX, REMINDER_DAYS_MAX = 10, 365
RETENTION_DAYS_MAX = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class InstitutionSettings:
    """From where people are let in, and how many requests a minute each key may make.

    An empty list lets in from everywhere; a limit of `None` is as many as they like.
    `expiry_reminder_days` are days before the end of a term, most first.
    """

    ip_allow_list: tuple[str, ...] = ()
    runtime_rate_limit: int | None = None
    api_key_rate_limit: int | None = None
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90

    def admits(self, address: str) -> bool:
        """Whether people are let in from there."""
        return is_admitted(self.ip_allow_list, address)
