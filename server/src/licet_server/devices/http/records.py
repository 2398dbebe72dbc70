"""Routes of devices for operators."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import ActivationView, DeactivateDeviceBody, activation_view
from licet_server.devices.service import operators
from licet_server.devices.service.hooks import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
_TAGS = ["Devices"]


@get(
    "/api/licenses/{license_id:uuid}/activations",
    access=_READ,
    tags=_TAGS,
)
async def list_activations(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[ActivationView]:
    """List the devices of a license; `seatFreeAt` is set for those that were released.

    A released device keeps its seat until the end of its license file, which works without the
    server. Members and Viewers see the number of devices only, in the counts of the license.
    """
    now = platform.clock()
    listing = await operators.list_devices(
        db, operator, license_id, status=status, paging=paging, now=now
    )
    return listing.of(activation_view)


@get(
    "/api/customers/{customer_id:uuid}/activations",
    access=_READ,
    tags=["Customers"],
)
async def list_activations_of_customer(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    customer_id: FromPath[UUID],
) -> Listing[ActivationView]:
    """List the devices of all licenses of a customer."""
    listing = await operators.list_customer_devices(
        db, operator, customer_id, paging=paging, now=platform.clock()
    )
    return listing.of(activation_view)


@post(
    "/api/activations/{activation_id:uuid}/approve",
    access=_WRITE,
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
    ),
    status_code=200,
    tags=_TAGS,
)
async def approve_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Bind a node-locked license to a device that is pending approval."""
    return activation_view(await operators.approve_device(work, operator, activation_id))


@post("/api/activations/{activation_id:uuid}/block", access=_WRITE, status_code=200, tags=_TAGS)
async def block_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    activation_id: FromPath[UUID],
) -> ActivationView:
    """Block a device. It keeps its seat; its sessions end at once."""
    device = await operators.block_device(work, device_hooks, operator, activation_id)
    return activation_view(device)


@post("/api/activations/{activation_id:uuid}/unblock", access=_WRITE, status_code=200, tags=_TAGS)
async def unblock_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Unblock a device, which returns to its previous status."""
    return activation_view(await operators.unblock_device(work, operator, activation_id))


@post(
    "/api/activations/{activation_id:uuid}/deactivate", access=_WRITE, status_code=200, tags=_TAGS
)
async def deactivate_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    activation_id: FromPath[UUID],
    data: JSONBody[DeactivateDeviceBody | None] = None,
) -> ActivationView:
    """Remove a device: its sessions end, and its seat is free.

    The seat of a device with a license file, which works without the server, is free when the file
    has ended: the response then has `seatFreeAt`. With `force` it is free at once, and until the
    file has ended, one device more than the license has seats may work. Otherwise the response is
    the device as it was before.
    """
    act = operators.force_out_device if data and data.force else operators.deactivate_device
    device = await act(work, device_hooks, operator, activation_id)
    return activation_view(device)


ROUTES: list[HTTPRouteHandler] = [
    list_activations_of_customer,
    list_activations,
    approve_activation,
    block_activation,
    unblock_activation,
    deactivate_activation,
]
