"""Routes of the vendors of licenses, and their appearance."""

from uuid import UUID

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.institutions.access import EndUser
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.appearance import AppearanceView, appearance_view
from licet_server.institutions.service.appearance import (
    fetch_public_appearance,
    find_appearances,
)
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.receivers import find_vendors
from licet_server.portal.schemas import OwnVendors

_TAGS = ["Portal"]


@get("/api/portal/vendors", access=EndUser(), tags=_TAGS)
async def list_own_vendors(db: Given[Connection], operator: Given[Operator]) -> OwnVendors:
    """List the institutions that have issued licenses to the user, by name."""
    found = await find_appearances(db, await find_vendors(db, operator))
    return OwnVendors([appearance_view(item) for item in found])


@get(
    "/api/portal/vendors/{institution_id:uuid}",
    access=Anonymous(),
    problems=(ErrorCode.NOT_FOUND,),
    tags=_TAGS,
)
async def show_vendor(db: Given[Connection], institution_id: FromPath[UUID]) -> AppearanceView:
    """Show how an institution presents itself, for pages that are shown before the sign-in.

    An institution that has set nothing is not found.
    """
    return appearance_view(await fetch_public_appearance(db, institution_id))


ROUTES: list[HTTPRouteHandler] = [list_own_vendors, show_vendor]
