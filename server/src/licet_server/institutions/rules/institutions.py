"""Institutions: the tenants of an instance."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.institutions.rules.plans import Limits, Plan, limits_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Institution:
    """A tenant. Its members may use any IP address, unless `ip_allow_list` restricts them.

    `products_limit` and `licenses_limit` override those of the plan.
    """

    id: UUID
    name: str
    created_at: datetime
    plan: Plan = Plan.UNLIMITED
    products_limit: int | None = None
    licenses_limit: int | None = None
    ip_allow_list: tuple[str, ...] = ()
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90
    time_zone: str = "UTC"
    sso_enforced: bool = False
    second_factor_required: bool = False

    @property
    def limits(self) -> Limits:
        """Return how many products and licenses the institution may have."""
        return limits_of(self.plan, Limits(self.products_limit, self.licenses_limit))
