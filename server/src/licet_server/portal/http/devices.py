"""Routes of the devices of the user's licenses."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.service.end_users import list_own_devices, release_own_device
from licet_server.devices.service.hooks import DeviceHooks
from licet_server.institutions.access import EndUser
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.holders import EndUserHolder
from licet_server.portal.schemas import PortalActivationView, portal_activation_view

_TAGS = ["Portal"]


@get("/api/portal/licenses/{license_id:uuid}/activations", access=EndUser(), tags=_TAGS)
async def list_own_activations(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[PortalActivationView]:
    """List the devices of a license of the user."""
    holder, now = EndUserHolder(operator), platform.clock()
    listing = await list_own_devices(db, holder, license_id, status=status, paging=paging, now=now)
    return listing.of(portal_activation_view)


@delete(
    "/api/portal/licenses/{license_id:uuid}/activations/{activation_id:uuid}",
    access=EndUser(),
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.DEVICE_BLOCKED,
    ),
    tags=_TAGS,
)
async def free_own_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    activation_id: FromPath[UUID],
) -> None:
    """Remove a device that is lost or broken: its sessions end, and its seat is free.

    The seat of a device with a license file for it is free when that file has ended.

    The product sets how many seats of a license end users may release in 365 days; 409 says when
    the next release is possible. A device pending approval holds no seat and does not count. A
    blocked device cannot be removed.
    """
    await release_own_device(
        work,
        device_hooks,
        EndUserHolder(operator),
        license_id=license_id,
        activation_id=activation_id,
    )


ROUTES: list[HTTPRouteHandler] = [list_own_activations, free_own_activation]
