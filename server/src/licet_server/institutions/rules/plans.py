"""Plans of institutions, and their limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from licet_server.institutions.errors import plan_limit_reached


class Plan(StrEnum):
    """The plan of an institution; new ones get that of `LICET_DEFAULT_PLAN` or of their founder."""

    FREE = "Free"
    PRO = "Pro"
    UNLIMITED = "Unlimited"


@dataclass(frozen=True, slots=True)
class Limits:
    """The number of products and licenses allowed; `None` is unlimited."""

    products: int | None = None
    licenses: int | None = None


NO_LIMITS = Limits()
LIMITS_OF: Mapping[Plan, Limits] = {
    Plan.FREE: Limits(products=3, licenses=100),
    Plan.PRO: Limits(products=50, licenses=10_000),
    Plan.UNLIMITED: NO_LIMITS,
}


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """A plan, and the limits that override it."""

    plan: Plan = Plan.UNLIMITED
    own_limits: Limits = NO_LIMITS


UNLIMITED = PlanTerms()


def limits_of(plan: Plan, own: Limits) -> Limits:
    """Return the limits of the plan, overridden by the institution's own."""
    default = LIMITS_OF[plan]
    return Limits(
        default.products if own.products is None else own.products,
        default.licenses if own.licenses is None else own.licenses,
    )


def require_room(what: str, limit: int | None, used: int) -> None:
    """Check that the limit allows one more.

    Raises:
        Refused: `PlanLimitReached`.
    """
    if limit is not None and used >= limit:
        raise plan_limit_reached(what, limit, used)
