"""Settings of institutions."""

from typing import Any
from uuid import UUID

from litestar import Request, get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.accounts.access import InstitutionRole
from licet_server.accounts.rules.operators import Operator, Role
from licet_server.accounts.schemas.settings import (
    SettingsChange,
    SettingsView,
    settings_view,
)
from licet_server.accounts.service import settings as service
from licet_server.kit.database import Connection
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.work import Work

_PATH = "/api/institutions/{institution_id:uuid}/settings"
_TAGS = ["Institutions"]

Asked = Request[Any, Any, Any]


@get(_PATH, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def show_settings(
    request: Asked, db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> SettingsView:
    """From where an institution lets people in, and how often a minute its keys may be used.

    A system Admin sees and changes this from any address.
    """
    settings = await service.fetch_settings(db, operator, institution_id)
    return settings_view(settings, context_of(request).address)


@put(_PATH, access=InstitutionRole(Role.ADMIN), tags=_TAGS)
async def change_settings(
    request: Asked,
    work: Given[Work],
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
