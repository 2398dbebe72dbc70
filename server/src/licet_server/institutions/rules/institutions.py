"""Institutions: the tenants of an instance."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.identity.rules.memberships import NO_SIGN_IN_RULES, SignInRules
from licet_server.institutions.rules.plans import NO_LIMITS, Limits, Plan, limits_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Institution:
    """A tenant. Its members may use any IP address, unless `ip_allow_list` restricts them."""

    id: UUID
    name: str
    created_at: datetime
    plan: Plan = Plan.UNLIMITED
    own_limits: Limits = NO_LIMITS
    ip_allow_list: tuple[str, ...] = ()
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90
    time_zone: str = "UTC"
    sign_in_rules: SignInRules = NO_SIGN_IN_RULES

    @property
    def limits(self) -> Limits:
        """How many products and licenses the institution may have."""
        return limits_of(self.plan, self.own_limits)
