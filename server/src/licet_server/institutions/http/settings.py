"""Settings of institutions."""

from uuid import UUID

from litestar import get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.schemas.settings import (
    SettingsChange,
    SettingsView,
    settings_view,
)
from licet_server.institutions.service import settings as service
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_PATH = "/api/institutions/{institution_id:uuid}/settings"
_TAGS = ["Institutions"]


@get(_PATH, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def show_settings(
    request: HttpRequest,
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> SettingsView:
    """From where an institution lets people in, and how often a minute its keys may be used.

    A system Admin sees and changes this from any address.
    """
    settings = await service.fetch_settings(db, operator, institution_id)
    return settings_view(settings, context_of(request).address)


@put(_PATH, access=InstitutionRole(Role.ADMIN), tags=_TAGS)
async def change_settings(
    request: HttpRequest,
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[SettingsChange],
) -> SettingsView:
    """Change an institution's settings; they are in force at the next request.

    `ipAllowList` takes addresses and networks, from which people and API keys are let in; an empty
    one lets them in from everywhere. It may leave out the caller's own address: look at
    `callerAddressAllowed`. Applications with product keys are not subject to it.
    """
    settings = await service.change_settings(work, operator, institution_id, data.changes())
    return settings_view(settings, context_of(request).address)


ROUTES: list[HTTPRouteHandler] = [show_settings, change_settings]
