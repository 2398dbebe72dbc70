"""Routes of the appearance of institutions."""

from uuid import UUID

from litestar import Response, delete, get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.appearance import (
    AppearanceChange,
    AppearanceView,
    appearance_view,
)
from licet_server.institutions.service import appearance as appearance_service
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.images import (
    IMAGE_BODY,
    IMAGE_BYTES,
    image_response,
    uploaded_image,
)

_ADMIN = InstitutionRole(Role.ADMIN)
_APPEARANCE = "/api/institutions/{institution_id:uuid}/appearance"
_LOGO = "/api/institutions/{institution_id:uuid}/logo"
_TAGS = ["Institutions"]


@get(_APPEARANCE, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def show_appearance(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> AppearanceView:
    """Show the appearance of an institution in the portal."""
    return appearance_view(await appearance_service.fetch_appearance(db, operator, institution_id))


@put(_APPEARANCE, access=_ADMIN, tags=_TAGS)
async def change_appearance(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[AppearanceChange],
) -> AppearanceView:
    """Change the name, color, welcome text and contacts that the portal shows.

    Anyone who knows the institution's ID can see them.
    """
    changed = await appearance_service.change_appearance(
        work, operator, institution_id, data.changes()
    )
    return appearance_view(changed)


@put(
    _LOGO,
    access=_ADMIN,
    request_max_body_size=IMAGE_BYTES,
    opt={"request_body": IMAGE_BODY},
    tags=_TAGS,
)
async def set_institution_logo(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> AppearanceView:
    """Set the logo of an institution: a PNG, JPEG or WebP of up to 2 MB."""
    await appearance_service.check_institution(platform, operator, institution_id)
    content = await uploaded_image(request)
    origin = context_of(request).origin()
    changed = await appearance_service.set_logo(platform, origin, operator, institution_id, content)
    return appearance_view(changed)


@delete(_LOGO, access=_ADMIN, tags=_TAGS)
async def delete_institution_logo(
    work: Given[UnitOfWork], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Delete the logo of an institution."""
    await appearance_service.delete_logo(work, operator, institution_id)


@get(_LOGO, access=Anonymous(), media_type="image/*", tags=_TAGS)
async def show_institution_logo(
    request: HttpRequest, db: Given[Connection], institution_id: FromPath[UUID]
) -> Response[bytes]:
    """Get the logo of an institution; `logoUrl` changes with it, so it may be cached forever."""
    return image_response(request, await appearance_service.fetch_logo(db, institution_id))


ROUTES: list[HTTPRouteHandler] = [
    show_appearance,
    change_appearance,
    set_institution_logo,
    delete_institution_logo,
    show_institution_logo,
]
