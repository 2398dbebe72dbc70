"""Routes of licenses for those who hold them: end users, and the institutions of customers."""

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import AnyCallable

from licet_server.devices.http.devices import respond_with_file
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import (
    EnrollmentKeyBody,
    EnrollmentKeyView,
    IssuedEnrollmentKeyView,
    enrollment_key_view,
    issued_enrollment_key_view,
)
from licet_server.devices.service import enrollment
from licet_server.devices.service.files import FileMaker, WantedFile, make_own_file
from licet_server.devices.service.lookup import find_reclaimable
from licet_server.devices.service.releases import list_own_devices, release_own_device
from licet_server.devices.service.seats import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import EndUser, InstitutionRole, PortalReader
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import Dependency, Given
from licet_server.kit.web.routes import Declare, Routes
from licet_server.licenses.rules.model import LicenseFilter
from licet_server.licenses.service import holders
from licet_server.licenses.service.customers import (
    fetch_received_license,
    list_received_licenses,
)
from licet_server.licenses.service.holders import CustomerHolder, EndUserHolder, LicenseHolder
from licet_server.licenses.service.hooks import CurrentUsageReader
from licet_server.metering.schemas import BalanceAnswer, balance_answer
from licet_server.metering.service.wallets import fetch_wallet_of, list_ledger_of
from licet_server.portal.schemas import (
    PortalActivationView,
    PortalDownloadView,
    PortalLedgerEntryView,
    PortalLicenseView,
    PortalSessionView,
    ReceivedLicenseView,
    own_license_view,
    portal_activation_view,
    portal_download_view,
    portal_ledger_entry_view,
    portal_session_view,
)
from licet_server.portal.service.licenses import RELEASES_SHOWN, complete, list_downloads
from licet_server.sessions.rules.model import SessionFilter, SessionStatus
from licet_server.sessions.schemas import SeatSessionView, session_view
from licet_server.sessions.service.reading import list_sessions_of

_OWN = "/api/portal/licenses"
_ONE_OWN = f"{_OWN}/{{license_id:uuid}}"
_RECEIVED = "/api/received-licenses"
_ONE_RECEIVED = f"{_RECEIVED}/{{license_id:uuid}}"
_VIEWER = InstitutionRole(Role.VIEWER)
OWN_ROUTES = Routes("Portal")
RECEIVED_ROUTES = Routes("Received licenses")
_END_USER = EndUser()
_READER = PortalReader()
"""For what changes nothing: a download of a file takes a seat, or begins a term."""


@OWN_ROUTES.get(_OWN, access=_READER)
async def list_own_licenses(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    paging: Given[Paging],
) -> Listing[PortalLicenseView]:
    """List the licenses issued to the user's verified email address or user ID, by any vendor.

    Sorts by createdAt, expirationDate, issuedTo, licenseName, type.
    """
    now = platform.clock()
    listing = await holders.list_own_licenses(db, operator, paging)
    shown = await complete(db, read_usage, listing.items, now)
    return listing.with_items([own_license_view(PortalLicenseView, item, now) for item in shown])


@RECEIVED_ROUTES.get(_RECEIVED, access=_VIEWER, problems=(ErrorCode.NOT_FOUND,))
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
    return listing.with_items([own_license_view(ReceivedLicenseView, item, now) for item in shown])


@OWN_ROUTES.get(_ONE_OWN, access=_READER)
async def show_own_license(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> PortalLicenseView:
    """Show a license of the user with its current status."""
    now = platform.clock()
    license_ = await holders.fetch_own_license(db, operator, license_id)
    [shown] = await complete(db, read_usage, [license_], now)
    return own_license_view(PortalLicenseView, shown, now)


@RECEIVED_ROUTES.get(_ONE_RECEIVED, access=_VIEWER)
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
    return own_license_view(ReceivedLicenseView, shown, now)


@OWN_ROUTES.get(f"{_ONE_OWN}/downloads", access=_READER, problems=(ErrorCode.LICENSE_INVALID,))
async def list_own_downloads(
    platform: Given[Platform], operator: Given[Operator], license_id: FromPath[UUID]
) -> Listing[PortalDownloadView]:
    """List the files of published releases that the license covers, of the newest 100."""
    found = await list_downloads(platform, operator, license_id)
    shown = [portal_download_view(item) for item in found]
    return Listing(shown, page=1, page_size=RELEASES_SHOWN, total_count=len(shown))


@OWN_ROUTES.get(f"{_ONE_OWN}/sessions", access=_READER)
async def list_own_sessions(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[PortalSessionView]:
    """List the live sessions of a license of the user, the newest first."""
    license_ = await holders.fetch_own_license(db, operator, license_id)
    live = SessionFilter(SessionStatus.LIVE)
    listing = await list_sessions_of(
        db, license_, filters=live, paging=paging, now=platform.clock()
    )
    return listing.of(portal_session_view)


@OWN_ROUTES.get(f"{_ONE_OWN}/ledger", access=_READER, problems=(ErrorCode.NOT_METERED_LICENSE,))
async def list_own_ledger(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[PortalLedgerEntryView]:
    """List what changed the balance of a license of the user, the newest first.

    Sorts by sequence, createdAt.
    """
    license_ = await holders.fetch_own_license(db, operator, license_id)
    return (await list_ledger_of(db, license_, paging)).of(portal_ledger_entry_view)


@RECEIVED_ROUTES.get(f"{_ONE_RECEIVED}/sessions", access=_VIEWER)
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
        db, license_, filters=SessionFilter(status), paging=paging, now=platform.clock()
    )
    return listing.of(session_view)


def _end_user(operator: Given[Operator]) -> EndUserHolder:
    return EndUserHolder(operator)


def _customer(operator: Given[Operator]) -> CustomerHolder:
    return CustomerHolder(operator)


def _for_holders(
    declare: Callable[..., Declare],
    path: str,
    name: str,
    role: Role = Role.VIEWER,
    own_access: EndUser = _END_USER,
    **options: Any,
) -> Callable[[AnyCallable], AnyCallable]:
    """Serve a handler to end users, and to the members of customers' institutions with the role.

    `name` is that of the two operations, with `{}` for whose license it is.
    """
    received_access = InstitutionRole(role, finds=fetch_received_license)

    def serve(handler: AnyCallable) -> AnyCallable:
        for routes, one, access, whose, provide in (
            (OWN_ROUTES, _ONE_OWN, own_access, "Own", _end_user),
            (RECEIVED_ROUTES, _ONE_RECEIVED, received_access, "Received", _customer),
        ):
            declare(
                routes,
                f"{one}/{path}",
                access=access,
                operation_id=name.format(whose),
                dependencies={"holder": Dependency(provide, sync_to_thread=False)},
                **options,
            )(handler)
        return handler

    return serve


@_for_holders(
    Routes.get,
    "balance",
    "show{}Wallet",
    own_access=_READER,
    problems=(ErrorCode.NOT_METERED_LICENSE,),
)
async def show_balance(
    db: Given[Connection], holder: Given[LicenseHolder], license_id: FromPath[UUID]
) -> BalanceAnswer:
    """Show the balance of a metered license."""
    return balance_answer(await fetch_wallet_of(db, await holder.fetch(db, license_id)))


@_for_holders(
    Routes.get,
    "file",
    "download{}File",
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ),
    media_type="application/octet-stream",
)
async def download_file(
    request: HttpRequest,
    holder: Given[LicenseHolder],
    file_maker: Given[FileMaker],
    license_id: FromPath[UUID],
    wanted_file: Given[WantedFile],
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    The file of a node-locked license is for the machine it is bound to. The response is 409 while
    it is unbound or bound to another machine. The file of a Concurrent license with activation mode
    Offline needs a hardware ID: the machine takes a seat, and keeps it at least until the file
    ends. Of an institution, only Owners and Admins can take one. With `byCode`, it is a base file,
    which takes no seat and is valid only with an answer code.
    """
    return await respond_with_file(
        request, lambda work: make_own_file(work, file_maker, holder, license_id, wanted_file)
    )


@_for_holders(Routes.get, "activations", "list{}Activations", own_access=_READER)
async def list_activations(
    db: Given[Connection],
    platform: Given[Platform],
    holder: Given[LicenseHolder],
    device_hooks: Given[DeviceHooks],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
) -> Listing[PortalActivationView]:
    """List the devices of a license."""
    now = platform.clock()
    listing = await list_own_devices(db, holder, license_id, status=status, paging=paging, now=now)
    reclaimable = await find_reclaimable(db, device_hooks, listing.items, now)
    return listing.of(lambda item: portal_activation_view(item, reclaimable))


@_for_holders(
    Routes.delete,
    "activations/{activation_id:uuid}",
    "free{}Activation",
    role=Role.ADMIN,
    problems=(ErrorCode.CONFLICT, ErrorCode.DEVICE_BLOCKED),
)
async def free_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    holder: Given[LicenseHolder],
    license_id: FromPath[UUID],
    activation_id: FromPath[UUID],
) -> None:
    """Remove a device that is lost or broken: its sessions end, and its seat is free.

    The seat of a device with a license file for it is free when that file has ended.

    The product sets how many seats of a license its holders may release in 365 days, the end user
    and the customer's institution together; 409 says when the next release is possible. A device
    pending approval holds no seat and does not count. A blocked device cannot be removed.
    """
    await release_own_device(
        work, device_hooks, holder, license_id=license_id, activation_id=activation_id
    )


@_for_holders(
    Routes.get, "enrollment-keys", "list{}EnrollmentKeys", own_access=_READER, role=Role.ADMIN
)
async def list_enrollment_keys(
    db: Given[Connection],
    holder: Given[LicenseHolder],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[EnrollmentKeyView]:
    """List the enrollment keys of a license. Sorts by name, createdAt."""
    license_ = await holder.fetch(db, license_id)
    listing = await enrollment.list_enrollment_keys(db, license_, paging)
    return listing.of(enrollment_key_view)


@_for_holders(
    Routes.post,
    "enrollment-keys",
    "create{}EnrollmentKey",
    role=Role.ADMIN,
    problems=(ErrorCode.CONFLICT,),
)
async def create_enrollment_key(
    work: Given[UnitOfWork],
    holder: Given[LicenseHolder],
    license_id: FromPath[UUID],
    data: JSONBody[EnrollmentKeyBody],
) -> IssuedEnrollmentKeyView:
    """Create an enrollment key of a Concurrent license. Its secret is shown in this response only.

    Devices that it enrolls never see the license key.
    """
    license_ = await holder.lock(work.db, license_id)
    issued = await enrollment.create_enrollment_key(
        work, license_, expires=data.expires_at, fields=data.fields()
    )
    return issued_enrollment_key_view(issued)


@_for_holders(
    Routes.delete, "enrollment-keys/{key_id:uuid}", "delete{}EnrollmentKey", role=Role.ADMIN
)
async def delete_enrollment_key(
    work: Given[UnitOfWork],
    holder: Given[LicenseHolder],
    license_id: FromPath[UUID],
    key_id: FromPath[UUID],
) -> None:
    """Delete an enrollment key, which enrolls no more devices.

    The devices that it enrolled keep their seats and their tokens.
    """
    license_ = await holder.lock(work.db, license_id)
    await enrollment.delete_enrollment_key(work, license_, key_id)
