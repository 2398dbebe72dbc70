"""Routes of received licenses: those whose customer is an institution of the caller.

They show what the portal shows an end user, and the sessions.
"""

from typing import Annotated
from uuid import UUID

from litestar import Response, delete, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.catalog.service.keys import SigningKeys
from licet_server.devices.http.files import HardwareId, respond_with_own_file
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.service.end_users import (
    list_own_devices,
    release_own_device,
)
from licet_server.devices.service.hooks import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.rules.model import LicenseFilter
from licet_server.licenses.service.customers import (
    fetch_received_license,
    list_received_licenses,
)
from licet_server.licenses.service.holders import CustomerHolder
from licet_server.licenses.service.hooks import CurrentUsageReader
from licet_server.metering.schemas import BalanceAnswer, balance_answer
from licet_server.metering.service.operators import fetch_wallet_of
from licet_server.portal.schemas import (
    PortalActivationView,
    ReceivedLicenseView,
    portal_activation_view,
    received_license_view,
)
from licet_server.portal.service.licenses import complete
from licet_server.sessions.rules.model import SessionStatus
from licet_server.sessions.schemas import SeatSessionView, session_view
from licet_server.sessions.service.reading import list_sessions_of

_VIEWER = InstitutionRole(Role.VIEWER)
_TAGS = ["Received licenses"]
_ONE = "/api/received-licenses/{license_id:uuid}"


@get(
    "/api/received-licenses",
    access=_VIEWER,
    problems=(ErrorCode.NOT_FOUND,),
    tags=_TAGS,
)
async def list_received(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    paging: Given[Paging],
    filters: Given[LicenseFilter],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ReceivedLicenseView]:
    """List the licenses that vendors issued to the caller's institutions.

    They are those with such a `customerInstitutionId`. Owners, Admins and Viewers see them, Members
    do not. Sorts by createdAt, expirationDate, issuedTo, licenseName, type.
    """
    now = platform.clock()
    listing = await list_received_licenses(db, operator, institution_id, filters, paging, now)
    shown = await complete(db, read_usage, listing.items, now)
    return listing.with_items([received_license_view(item, now) for item in shown])


@get(_ONE, access=_VIEWER, tags=_TAGS)
async def show_received(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> ReceivedLicenseView:
    """Show a received license with its current status."""
    now = platform.clock()
    license_ = await fetch_received_license(db, operator, license_id)
    [shown] = await complete(db, read_usage, [license_], now)
    return received_license_view(shown, now)


@get(
    f"{_ONE}/balance",
    access=_VIEWER,
    problems=(ErrorCode.NOT_METERED_LICENSE,),
    tags=_TAGS,
)
async def show_received_wallet(
    db: Given[Connection], operator: Given[Operator], license_id: FromPath[UUID]
) -> BalanceAnswer:
    """Show the balance of a received metered license."""
    license_ = await fetch_received_license(db, operator, license_id)
    return balance_answer(await fetch_wallet_of(db, license_))


@get(
    f"{_ONE}/file",
    access=_VIEWER,
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
    ),
    media_type="application/octet-stream",
    tags=_TAGS,
)
async def download_received_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    license_id: FromPath[UUID],
    hardware_id: HardwareId = None,
    protected: bool = False,
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    The file of a node-locked license is for the machine it is bound to. The response is 409 while
    it is unbound or bound to another machine. The file of a Concurrent license with activation mode
    Offline takes a seat, so that it needs a hardware ID, and an Owner or Admin.
    """
    return await respond_with_own_file(
        request,
        platform,
        signing_keys,
        CustomerHolder(operator),
        license_id,
        hardware_id=hardware_id,
        protected=protected,
    )


@get(f"{_ONE}/sessions", access=_VIEWER, tags=_TAGS)
async def list_received_sessions(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[SessionStatus, QueryParameter(name="status")] = SessionStatus.LIVE,
) -> Listing[SeatSessionView]:
    """List the live sessions of a received license, or with `status=Ended` the past ones."""
    license_ = await fetch_received_license(db, operator, license_id)
    listing = await list_sessions_of(
        db, license_, status=status, paging=paging, now=platform.clock()
    )
    return listing.of(session_view)


@get(f"{_ONE}/activations", access=_VIEWER, tags=_TAGS)
async def list_received_activations(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[PortalActivationView]:
    """List the devices of a received license."""
    holder, now = CustomerHolder(operator), platform.clock()
    listing = await list_own_devices(db, holder, license_id, status=status, paging=paging, now=now)
    return listing.of(portal_activation_view)


@delete(
    f"{_ONE}/activations/{{activation_id:uuid}}",
    access=InstitutionRole(Role.ADMIN),
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.DEVICE_BLOCKED,
    ),
    tags=_TAGS,
)
async def free_received_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    activation_id: FromPath[UUID],
) -> None:
    """Remove a device of a received license: its sessions end, and its seat is free.

    The seat of a device with a license file for it is free when that file has ended.

    The rules of the portal hold, and their limit is shared with it: the product sets how many seats
    of a license its holders may release in 365 days.
    """
    await release_own_device(
        work,
        device_hooks,
        CustomerHolder(operator),
        license_id=license_id,
        activation_id=activation_id,
    )


ROUTES: list[HTTPRouteHandler] = [
    list_received,
    show_received,
    show_received_wallet,
    download_received_file,
    list_received_sessions,
    list_received_activations,
    free_received_activation,
]
