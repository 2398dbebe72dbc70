"""Devices for operators. Removing and blocking, which end sessions too, stand with the sessions."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import ActivationView, activation_view
from licet_server.devices.service.operators import approve_device, list_devices, unblock_device
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_TAGS = ["Devices"]


@get(
    "/api/licenses/{license_id:uuid}/activations",
    access=InstitutionRole(Role.VIEWER, Scope.ACTIVATIONS_READ),
    tags=_TAGS,
)
async def list_activations(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[ActivationView]:
    """The devices of a license."""
    listing = await list_devices(db, operator, license_id, status, paging)
    return listing.of(activation_view)


@post(
    "/api/activations/{activation_id:uuid}/approve",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE),
    status_code=200,
    tags=_TAGS,
)
async def approve_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Bind a node-locked license to a device that waits for it."""
    return activation_view(await approve_device(work, operator, activation_id))


@post(
    "/api/activations/{activation_id:uuid}/unblock",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE),
    status_code=200,
    tags=_TAGS,
)
async def unblock_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Undo a block; the device is what it was before."""
    return activation_view(await unblock_device(work, operator, activation_id))


ROUTES: list[HTTPRouteHandler] = [list_activations, approve_activation, unblock_activation]
