"""Routes by which operators see and manage devices, enrollment keys and files for machines."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceFilter
from licet_server.devices.schemas import (
    DEVICE_SEARCH,
    AccessAttemptView,
    AcknowledgeAttemptBody,
    ActivationView,
    CountedRequestView,
    DeactivateDeviceBody,
    EnrollmentKeyBody,
    EnrollmentKeyView,
    IssuedEnrollmentKeyView,
    ListedActivationView,
    activation_view,
    attempt_view,
    enrollment_key_view,
    issued_enrollment_key_view,
    listed_activation_view,
    request_view,
)
from licet_server.devices.service import attempts, enrollment, operators
from licet_server.devices.service.admission import Rejected
from licet_server.devices.service.files import (
    FileMaker,
    WantedFile,
    make_device_file,
)
from licet_server.devices.service.lookup import find_components, find_reclaimable
from licet_server.devices.service.requests import RequestLog
from licet_server.devices.service.seats import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import (
    HttpRequest,
    context_of,
)
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.validation_messages import VISIBLE_ASCII
from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.service import reading
from licet_server.licenses.service.files import LicenseFile

_ENROLLMENT_KEYS = "/api/licenses/{license_id:uuid}/enrollment-keys"
_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
ROUTES = Routes("Devices")


def provide_device_filter(
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
    search: Annotated[str | None, QueryParameter(max_length=200, description=DEVICE_SEARCH)] = None,
) -> DeviceFilter:
    """Return the filters of a list of devices."""
    return DeviceFilter(status, (search or "").strip() or None)


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/activations",
    access=_READ,
)
async def list_activations(
    request: HttpRequest,
    db: Given[Connection],
    operator: Given[Operator],
    device_hooks: Given[DeviceHooks],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    device_filter: Given[DeviceFilter],
) -> Listing[ListedActivationView]:
    """List the devices of a license; `seatFreeAt` is set for those that were released.

    With `Accept: text/csv`, all of them as CSV. A device that is `OverLimit` lost its seat to a
    lower cap, the newest first, and gets it back when there is one. A released device keeps its
    seat until the end of its license file, which works without the server. Members and Viewers see
    the number of devices only, in the counts of the license.
    """

    async def fetch(connection: Connection, step: Paging, now: datetime) -> Listing[Activation]:
        return await operators.list_devices(
            connection, operator, license_id, filters=device_filter, paging=step, now=now
        )

    return await _list_or_csv(request, db, device_hooks, paging, operator, fetch)


async def _list_or_csv(
    request: HttpRequest,
    db: Connection,
    hooks: DeviceHooks,
    paging: Paging,
    operator: Operator,
    fetch: Callable[[Connection, Paging, datetime], Awaitable[Listing[Activation]]],
) -> Listing[ListedActivationView]:
    platform = context_of(request).platform
    now = platform.clock()

    async def listed(connection: Connection, step: Paging) -> Listing[ListedActivationView]:
        found = await fetch(connection, step, now)
        ids = list({item.license_id for item in found.items})
        licenses = await reading.find_by_ids(connection, operator.visibility, ids)
        statuses = {item.id: item.status(now) for item in licenses.values()}
        reclaimable = await find_reclaimable(connection, hooks, found.items, now)
        known = await find_components(connection, found.items)
        return found.of(
            lambda item: listed_activation_view(
                # That of a license that was deleted meanwhile works no more, either.
                item,
                statuses.get(item.license_id, LicenseStatus.REVOKED),
                reclaimable,
                known[item.id],
            )
        )

    of, view = operator.first_institution, ListedActivationView
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "devices.csv", view, listed
    )


@ROUTES.get(
    "/api/customers/{customer_id:uuid}/activations",
    access=_READ,
    tags=["Customers"],
)
async def list_activations_of_customer(
    request: HttpRequest,
    db: Given[Connection],
    operator: Given[Operator],
    device_hooks: Given[DeviceHooks],
    paging: Given[Paging],
    customer_id: FromPath[UUID],
    device_filter: Given[DeviceFilter],
) -> Listing[ListedActivationView]:
    """List the devices of all licenses of a customer; with `Accept: text/csv`, all as CSV."""

    async def fetch(connection: Connection, step: Paging, now: datetime) -> Listing[Activation]:
        return await operators.list_customer_devices(
            connection, operator, customer_id, filters=device_filter, paging=step, now=now
        )

    return await _list_or_csv(request, db, device_hooks, paging, operator, fetch)


@ROUTES.act(
    "/api/activations/{activation_id:uuid}/approve",
    access=_WRITE,
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
    ),
)
async def approve_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Bind a node-locked license to a device that is pending approval."""
    return activation_view(await operators.approve_device(work, operator, activation_id))


@ROUTES.act("/api/activations/{activation_id:uuid}/block", access=_WRITE)
async def block_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    activation_id: FromPath[UUID],
) -> ActivationView:
    """Block a device. It keeps its seat; its sessions end at once."""
    device = await operators.block_device(work, device_hooks, operator, activation_id)
    return activation_view(device)


@ROUTES.act("/api/activations/{activation_id:uuid}/unblock", access=_WRITE)
async def unblock_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Unblock a device, which returns to its previous status."""
    return activation_view(await operators.unblock_device(work, operator, activation_id))


@ROUTES.act(
    "/api/activations/{activation_id:uuid}/deactivate",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
)
async def deactivate_activation(
    work: Given[UnitOfWork],
    device_hooks: Given[DeviceHooks],
    operator: Given[Operator],
    activation_id: FromPath[UUID],
    data: JSONBody[DeactivateDeviceBody | None] = None,
) -> ActivationView:
    """Remove a device: its sessions end, and its seat is free.

    The response is the device as it is now, `Released`. The seat of a device with a license file,
    which works without the server, is free when the file has ended, at `seatFreeAt`. With `force`
    it is free at once, and until the file has ended, one device more than the license has seats may
    work. A free seat goes to a device that is `OverLimit`, if there is one.

    With `toPending`, the device that an OwnerApproval license is bound to is `Pending` again.
    """
    act = operators.deactivate_device
    if data and data.to_pending:
        act = operators.take_back_approval
    elif data and data.force:
        act = operators.force_out_device
    device = await act(work, device_hooks, operator, activation_id)
    return activation_view(device)


@ROUTES.act(
    "/api/activations/{activation_id:uuid}/accept-change",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
)
async def accept_change(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Accept the components that a device has now, as if it had been bound with them.

    Those that changed in the last 30 days do not count against its limit any more.
    """
    return activation_view(await operators.accept_change(work, operator, activation_id))


@ROUTES.get("/api/licenses/{license_id:uuid}/access-attempts", access=_READ)
async def list_attempts(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[AccessAttemptView]:
    """List devices that were denied because the node-locked license is bound to another one."""
    listing = await attempts.list_attempts(db, operator, license_id, paging)
    return listing.of(attempt_view)


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/requests",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_READ),
    tags=["Licenses"],
)
async def list_requests(
    db: Given[Connection],
    request_log: Given[RequestLog],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[CountedRequestView]:
    """List what applications requested of a license in the last 30 days, the latest first.

    Requests of a device to a route with the same status are one item, at most 200 for each license.
    Sorts by lastSeenAt, firstSeenAt, count.
    """
    listing = await request_log.list_requests(db, operator, license_id, paging)
    return listing.of(request_view)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/access-attempts/{attempt_id:uuid}/acknowledge",
    access=_WRITE,
)
async def acknowledge_attempt(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    attempt_id: FromPath[UUID],
    data: JSONBody[AcknowledgeAttemptBody | None] = None,
) -> AccessAttemptView:
    """Mark an access attempt as reviewed. With `toReview`, that is taken back instead."""
    act = attempts.acknowledge_attempt
    if data and data.to_review:
        act = attempts.reopen_attempt
    return attempt_view(await act(work, operator, license_id, attempt_id))


def provide_wanted_file(
    hardware_id: Annotated[
        str | None,
        QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=VISIBLE_ASCII),
    ] = None,
    protected: bool = False,
    by_code: Annotated[
        bool,
        QueryParameter(
            name="byCode",
            description="A base file, which is valid only with an answer code for a machine.",
        ),
    ] = False,
) -> WantedFile:
    """Return which license file a request asks for.

    Raises:
        Refused: `InvalidRequest` for a base file with what it cannot have.
    """
    wanted = WantedFile(hardware_id, protected=protected, by_code=by_code)
    wanted.require_possible()
    return wanted


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/file",
    access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ),
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ),
    media_type="application/octet-stream",
    tags=["Licenses"],
)
async def download_file(
    request: HttpRequest,
    operator: Given[Operator],
    file_maker: Given[FileMaker],
    license_id: FromPath[UUID],
    wanted_file: Given[WantedFile],
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    An unbound node-locked license is bound to that machine, which requires the role Admin. The file
    of a Concurrent license with activation mode Offline needs a hardware ID: the machine takes a
    seat, which requires that role, too, and keeps it at least until the file ends.

    With `byCode`, it is a base file, which takes no seat and is valid only with an answer code.
    """
    return await respond_with_file(
        request, lambda work: make_device_file(work, file_maker, operator, license_id, wanted_file)
    )


async def respond_with_file(
    request: HttpRequest, make: Callable[[UnitOfWork], Awaitable[LicenseFile | Rejected]]
) -> Response[bytes]:
    """Respond with license.bin as a download, once what it was made with is committed.

    Raises:
        Refused: as `make`, and where there is no seat for the device.
    """
    context = context_of(request)
    async with context.platform.unit_of_work(context.origin()) as work:
        outcome = await make(work)
    if isinstance(outcome, Rejected):
        raise outcome.refusal
    return Response(
        outcome.text.encode(),
        media_type="application/octet-stream",
        headers={"content-disposition": 'attachment; filename="license.bin"'},
    )


@ROUTES.get(_ENROLLMENT_KEYS, access=_READ)
async def list_enrollment_keys(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[EnrollmentKeyView]:
    """List the enrollment keys of a license. Sorts by name, createdAt."""
    license_ = await reading.fetch_license(db, operator, license_id)
    listing = await enrollment.list_enrollment_keys(db, license_, paging)
    return listing.of(enrollment_key_view)


@ROUTES.post(_ENROLLMENT_KEYS, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def create_enrollment_key(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[EnrollmentKeyBody],
) -> IssuedEnrollmentKeyView:
    """Create an enrollment key of a Concurrent license. Its secret is shown in this response only.

    Devices that it enrolls never see the license key.
    """
    license_ = await reading.lock_license(work.db, operator, license_id)
    issued = await enrollment.create_enrollment_key(
        work, license_, expires=data.expires_at, fields=data.fields()
    )
    return issued_enrollment_key_view(issued)


@ROUTES.delete(f"{_ENROLLMENT_KEYS}/{{key_id:uuid}}", access=_WRITE)
async def delete_enrollment_key(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    key_id: FromPath[UUID],
) -> None:
    """Delete an enrollment key, which enrolls no more devices.

    The devices that it enrolled keep their seats and their tokens.
    """
    license_ = await reading.fetch_license(work.db, operator, license_id)
    await enrollment.delete_enrollment_key(work, license_, key_id)
