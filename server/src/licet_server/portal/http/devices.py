"""The devices of one's licenses."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.service.end_users import list_own_devices
from licet_server.institutions.access import EndUser
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.portal.schemas import PortalActivationView, portal_activation_view
from licet_server.sessions.service.devices import free_own_device

_TAGS = ["Portal"]


@get("/api/portal/licenses/{license_id:uuid}/activations", access=EndUser(), tags=_TAGS)
async def list_own_activations(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[PortalActivationView]:
    """The devices of a license of the caller."""
    listing = await list_own_devices(db, operator, license_id, status, paging)
    return listing.of(portal_activation_view)


@delete(
    "/api/portal/licenses/{license_id:uuid}/activations/{activation_id:uuid}",
    access=EndUser(),
    tags=_TAGS,
)
async def free_own_activation(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    activation_id: FromPath[UUID],
) -> None:
    """Remove a device that is lost or broken: its seat is free, its sessions end.

    The product sets how many seats of a license may be freed so in 365 days; 409 says when the next
    one can be. A device that waits for approval holds no seat and does not count; one that the
    vendor blocked stays.
    """
    await free_own_device(work, operator, license_id, activation_id)


ROUTES: list[HTTPRouteHandler] = [list_own_activations, free_own_activation]
