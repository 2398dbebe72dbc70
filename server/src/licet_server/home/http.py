"""The route of the home page."""

from uuid import UUID

from litestar.params import FromPath

from licet_server.home.schemas import Home
from licet_server.home.service import home
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.platform import Platform
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.statistics.service.scope import find_scope

ROUTES = Routes("Institutions")


@ROUTES.get("/api/institutions/{institution_id:uuid}/home", access=InstitutionRole(Role.VIEWER))
async def show_home(
    platform: Given[Platform], operator: Given[Operator], institution_id: FromPath[UUID]
) -> Home:
    """Show what waits for the caller, with the action that settles it, and figures with trends.

    Up to 10 items of each kind, those that wait longest or end first, all together the newest
    first. Pending devices are named to Owners and Admins only; access attempts, webhooks,
    connectors and unmatched orders are for them, emails and newer releases for system Admins. What
    is asked of a license that is suspended, revoked or expired does not wait.
    """
    async with platform.database.surveying() as db:
        scope = await find_scope(db, operator, institution_id, None, platform.clock())
        return await home(scope, operator, institution_id, platform.settings.situations)
