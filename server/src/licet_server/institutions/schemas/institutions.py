"""Wire shapes of institutions and their plans."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.plans import NO_LIMITS, Limits, Plan
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, Change
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
