"""Routes of institutions and their API keys."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from licet_server.identity.access import StepUp, StepUpFor
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import Lasting
from licet_server.institutions.access import InstitutionRole, SignedIn, SystemAdminOperator
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.schemas.institutions import (
    ApiKeyBody,
    ApiKeyView,
    AppearanceChange,
    AppearanceView,
    InstitutionBody,
    InstitutionChange,
    InstitutionSettingsChange,
    InstitutionSettingsView,
    InstitutionView,
    IssuedApiKeyView,
    PlanBody,
    api_key_view,
    appearance_view,
    institution_view,
    issued_api_key_view,
    settings_view,
)
from licet_server.institutions.service import api_keys, institutions
from licet_server.institutions.service import appearance as appearance_service
from licet_server.institutions.service.institutions import fetch_institution, rename_institution
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.downloads import (
    IMAGE_BODY,
    IMAGE_BYTES,
    NOT_MODIFIED,
    image_response,
    uploaded_image,
)
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Institutions")
_ADMIN = InstitutionRole(Role.ADMIN)


@ROUTES.get("/api/institutions", access=SignedIn(scope=Scope.PRODUCTS_READ))
async def list_institutions(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    search: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Listing[InstitutionView]:
    """List the institutions that the caller belongs to; all of them for a system Admin.

    An API key sees the one that it works in.
    """
    listing = await institutions.list_institutions(db, operator, paging, search)
    return listing.of(institution_view)


@ROUTES.post("/api/institutions", access=SignedIn(leaves=Lasting.MEMBERSHIP))
async def create_institution(
    work: Given[UnitOfWork],
    platform: Given[Platform],
    operator: Given[Operator],
    data: JSONBody[InstitutionBody],
) -> InstitutionView:
    """Create an institution; the caller becomes its Owner.

    The caller must be an Owner or Admin of another one, whose plan it gets, or belong to none while
    sign-up is open.
    """
    settings = platform.settings
    return institution_view(
        await institutions.create_institution(work, settings, operator, data.name)
    )


@ROUTES.get("/api/institutions/{institution_id:uuid}", access=InstitutionRole(Role.VIEWER))
async def show_institution(
    look_ups: Given[LookUps], operator: Given[Operator], institution_id: FromPath[UUID]
) -> InstitutionView:
    """Show an institution."""
    return institution_view(await fetch_institution(look_ups, operator, institution_id))


@ROUTES.put("/api/institutions/{institution_id:uuid}", access=_ADMIN)
async def change_institution(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[InstitutionChange],
) -> InstitutionView:
    """Rename an institution."""
    name = None if data.name is UNSET else data.name
    return institution_view(await rename_institution(work, operator, institution_id, name))


@ROUTES.delete(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.OWNER),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def delete_institution(
    work: Given[UnitOfWork], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Delete an institution without products, permanently."""
    await institutions.delete_institution(work, operator, institution_id)


@ROUTES.put("/api/institutions/{institution_id:uuid}/plan", access=SystemAdminOperator())
async def set_plan(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[PlanBody],
) -> InstitutionView:
    """Set how many products and licenses an institution may have."""
    institution = await institutions.set_plan(
        work, operator, institution_id, data.plan, data.own_limits()
    )
    return institution_view(institution)


_SETTINGS = "/api/institutions/{institution_id:uuid}/settings"


@ROUTES.get(_SETTINGS, access=InstitutionRole(Role.VIEWER))
async def show_settings(
    request: HttpRequest,
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> InstitutionSettingsView:
    """Show allowed IP addresses, rate limits of keys, reminders, retention, and time zone.

    A system Admin may read and change them from any IP address.
    """
    settings = await institutions.fetch_settings(db, operator, institution_id)
    return settings_view(settings, context_of(request).address)


@ROUTES.put(_SETTINGS, access=_ADMIN, step_up=StepUpFor("change requireSecondFactor"))
async def change_settings(
    request: HttpRequest,
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[InstitutionSettingsChange],
) -> InstitutionSettingsView:
    """Change an institution's settings; they take effect at the next request.

    `ipAllowList` holds the IP addresses and networks that members and API keys may use; an empty
    list allows any. One that does not include the caller's own address needs `confirm: true`.
    Applications with product keys are not subject to it.

    `requireSecondFactor`: members without a second factor can only turn one on. A sign-in through
    the institution's identity provider counts; API keys are not subject to it.
    """
    settings = await institutions.change_settings(
        work, operator, institution_id, data.changes(), is_confirmed=data.confirm is True
    )
    return settings_view(settings, context_of(request).address)


_APPEARANCE = "/api/institutions/{institution_id:uuid}/appearance"
_LOGO = "/api/institutions/{institution_id:uuid}/logo"


@ROUTES.get(_APPEARANCE, access=InstitutionRole(Role.VIEWER))
async def show_appearance(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> AppearanceView:
    """Show the appearance of an institution in the portal."""
    return appearance_view(await appearance_service.fetch_appearance(db, operator, institution_id))


@ROUTES.put(_APPEARANCE, access=_ADMIN)
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


@ROUTES.put(
    _LOGO, access=_ADMIN, request_max_body_size=IMAGE_BYTES, opt={"request_body": IMAGE_BODY}
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


@ROUTES.delete(_LOGO, access=_ADMIN)
async def delete_institution_logo(
    work: Given[UnitOfWork], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Delete the logo of an institution."""
    await appearance_service.delete_logo(work, operator, institution_id)


@ROUTES.get(_LOGO, access=Anonymous(), responses=NOT_MODIFIED, media_type="image/*")
async def show_institution_logo(
    request: HttpRequest, keyed: Given[Connection], institution_id: FromPath[UUID]
) -> Response[bytes]:
    """Get the logo of an institution; `logoUrl` changes with it, so it may be cached forever."""
    return image_response(request, await appearance_service.fetch_logo(keyed, institution_id))


API_KEYS = Routes("API keys")


@API_KEYS.get("/api/api-keys", access=_ADMIN, problems=(ErrorCode.NOT_FOUND,))
async def list_api_keys(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ApiKeyView]:
    """List the API keys of the caller's institutions, including revoked ones.

    With `Accept: text/csv`, all of them as CSV. Sorts by name, createdAt.
    """

    async def fetch(connection: Connection, step: Paging) -> Listing[ApiKeyView]:
        found = await api_keys.list_api_keys(connection, operator, institution_id, step)
        return found.of(api_key_view)

    of = institution_id or operator.first_institution
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "api-keys.csv", ApiKeyView, fetch
    )


@API_KEYS.post("/api/api-keys", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,))
async def create_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[ApiKeyBody]
) -> IssuedApiKeyView:
    """Create an API key. Its secret is shown in this response only.

    An `ipAllowList` that does not include the caller's own address needs `confirm: true`.
    """
    issued = await api_keys.create_api_key(
        work,
        operator,
        data.institution_id,
        expires=data.expiration_date,
        fields=data.fields(),
        is_confirmed=data.confirm,
    )
    return issued_api_key_view(issued)


@API_KEYS.act(
    "/api/api-keys/{key_id:uuid}/rotate",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def rotate_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], key_id: FromPath[UUID]
) -> IssuedApiKeyView:
    """Replace the secret of an API key, shown in this response only; the old one stops working.

    The caller becomes the key's maker: it can do no more than they may, and ends with their
    membership.
    """
    return issued_api_key_view(await api_keys.rotate_api_key(work, operator, key_id))


@API_KEYS.delete("/api/api-keys/{key_id:uuid}", access=_ADMIN)
async def revoke_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], key_id: FromPath[UUID]
) -> None:
    """Revoke an API key, immediately and permanently."""
    await api_keys.revoke_api_key(work, operator, key_id)
