"""Routes of the settings of institutions."""

from uuid import UUID

from litestar import get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.access import StepUpFor
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.settings import (
    InstitutionSettingsChange,
    InstitutionSettingsView,
    settings_view,
)
from licet_server.institutions.service import settings as settings_service
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_SETTINGS = "/api/institutions/{institution_id:uuid}/settings"
_TAGS = ["Institutions"]


@get(_SETTINGS, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def show_settings(
    request: HttpRequest,
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> InstitutionSettingsView:
    """Show allowed IP addresses, rate limits of keys, reminders, retention, and time zone.

    A system Admin may read and change them from any IP address.
    """
    settings = await settings_service.fetch_settings(db, operator, institution_id)
    return settings_view(settings, context_of(request).address)


@put(
    _SETTINGS,
    access=InstitutionRole(Role.ADMIN),
    step_up=StepUpFor("change requireSecondFactor"),
    tags=_TAGS,
)
async def change_settings(
    request: HttpRequest,
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[InstitutionSettingsChange],
) -> InstitutionSettingsView:
    """Change an institution's settings; they take effect at the next request.

    `ipAllowList` holds the IP addresses and networks that members and API keys may use; an empty
    list allows any. It may exclude the caller's own address: check `callerAddressAllowed`.
    Applications with product keys are not subject to it.

    `requireSecondFactor`: members without a second factor can only turn one on. A sign-in through
    the institution's identity provider counts; API keys are not subject to it.
    """
    settings = await settings_service.change_settings(
        work, operator, institution_id, data.changes()
    )
    return settings_view(settings, context_of(request).address)


ROUTES: list[HTTPRouteHandler] = [show_settings, change_settings]
