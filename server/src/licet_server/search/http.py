"""The route of the search."""

from typing import Annotated
from uuid import UUID

from litestar.params import QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import AnyScope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.search.rules import SearchResult
from licet_server.search.service import SCOPES
from licet_server.search.service import search as search_for

ROUTES = Routes("Search")


@ROUTES.get(
    "/api/search",
    access=AnyScope(Role.VIEWER, any_of=tuple(SCOPES.values())),
    problems=(ErrorCode.NOT_FOUND,),
)
async def search(
    platform: Given[Platform],
    operator: Given[Operator],
    text: Annotated[
        str,
        QueryParameter(
            name="q",
            min_length=1,
            max_length=200,
            description="A key, an ID, a name, an address, a hardware ID or a version, "
            "how one of them begins, or the last five symbols of a key.",
        ),
    ],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> SearchResult:
    """Find licenses, customers, devices, live sessions, products and releases: up to 6 of each.

    The best come first. Devices and sessions are for Owners and Admins, and customers not for
    Members. API keys find what their scopes let them read.
    """
    visibility = operator.visibility_of(institution_id)
    async with platform.database.surveying() as db:
        return await search_for(db, operator, text, visibility, platform.clock())
