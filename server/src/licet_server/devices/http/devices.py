"""Routes by which an application activates and deactivates its device."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import ASGIApp, Receive, Send
from litestar.types import Scope as RequestScope

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.access import shown_proof
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceFilter
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import (
    DEVICE_SEARCH,
    AccessAttemptView,
    ActivateAnswer,
    ActivateBody,
    ActivationView,
    CountedRequestView,
    DeactivateBody,
    DeactivateDeviceBody,
    ListedActivationView,
    activate_answer,
    activation_view,
    attempt_view,
    listed_activation_view,
    request_view,
)
from licet_server.devices.service import attempts, operators
from licet_server.devices.service.admission import Admitted, Rejected
from licet_server.devices.service.files import (
    make_base_file_for_operator,
    make_device_file,
    require_alone,
)
from licet_server.devices.service.holders import make_own_base_file, make_own_file
from licet_server.devices.service.lookup import find_components, find_reclaimable
from licet_server.devices.service.operators import release_device
from licet_server.devices.service.removal import DeviceHooks
from licet_server.devices.service.requests import RequestLog
from licet_server.devices.service.runtime import Devices
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.body import read_body
from licet_server.kit.web.context import (
    HttpRequest,
    RequestContext,
    context_of,
    stored_context,
)
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.validation_messages import VISIBLE_ASCII
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.rules.runtime import ACCEPTED
from licet_server.licenses.service.files import LicenseFile
from licet_server.licenses.service.holders import LicenseHolder
from licet_server.licenses.service.noting import note_device, note_status, open_note
from licet_server.licenses.service.reading import LicenseLookup

_RUNTIME = ["Runtime"]


@post(
    "/api/activations",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        ErrorCode.TRIAL_ALREADY_USED,
    ),
    tags=_RUNTIME,
    responses={
        200: ResponseSpec(ActivateAnswer, description="The device is activated already."),
        202: ResponseSpec(ActivateAnswer, description="The device is pending approval."),
    },
)
async def activate(
    context: Given[RequestContext],
    devices: Given[Devices],
    license_lookup: Given[LicenseLookup],
    data: JSONBody[ActivateBody],
) -> Response[ActivateAnswer]:
    """Activate a license on this device. Idempotent."""
    caller = product_caller(context)
    note_device(data.hardware_id, data.device_name, data.app_version)
    license_ = await license_lookup.find(
        caller.institution_id,
        caller.product_id,
        data.license_key,
        data.hardware_id,
        context.address,
        data.credentials,
    )
    outcome = await devices.activate(
        caller.settings, license_, data.device(shown_proof(context)), context.origin()
    )
    if outcome.activation.status is ActivationStatus.PENDING:
        note_status(ErrorCode.PENDING_APPROVAL)
    return Response(activate_answer(outcome, test=license_.test), status_code=_status(outcome))


def _status(outcome: Admitted) -> int:
    if outcome.activation.status is ActivationStatus.PENDING:
        return 202
    return 201 if outcome.created else 200


@delete(
    "/api/activations/current",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.ACTIVATION_NOT_FOUND,
    ),
    status_code=204,
    tags=_RUNTIME,
)
async def release_activation(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    license_lookup: Given[LicenseLookup],
    device_hooks: Given[DeviceHooks],
    shown_proof: Given[ShownProof],
    data: JSONBody[DeactivateBody | None] = None,
    license_key: Annotated[
        str | None, QueryParameter(name="licenseKey", description="For clients without a body.")
    ] = None,
    hardware_id: Annotated[
        str | None, QueryParameter(name="hardwareId", description="For clients without a body.")
    ] = None,
    username: UsernameHeader = None,
    password: PasswordHeader = None,
) -> None:
    """Deactivate this device, given in the body or in the query; its seat is free.

    The seat of a device with a license file for it is free when that file has ended. The headers
    are for clients without a body.
    """
    body = data or _from_query(context.platform, license_key=license_key, hardware_id=hardware_id)
    note_device(body.hardware_id)
    license_ = await license_lookup.find(
        caller.institution_id,
        caller.product_id,
        body.license_key,
        body.hardware_id,
        context.address,
        body.credentials if data is not None else header_credentials(username, password),
    )
    async with context.platform.unit_of_work(context.origin()) as work:
        await release_device(work, device_hooks, license_, body.hardware_id, shown_proof)


def _from_query(
    platform: Platform, *, license_key: str | None, hardware_id: str | None
) -> DeactivateBody:
    given = {"licenseKey": license_key, "hardwareId": hardware_id}
    raw = msgspec.json.encode({name: text for name, text in given.items() if text is not None})
    body = read_body(raw, DeactivateBody, platform.clock)
    if not isinstance(body, DeactivateBody):
        raise TypeError("the body was decoded as something else")
    return body


_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
_TAGS = ["Devices"]


def provide_device_filter(
    status: Annotated[ActivationStatus | None, QueryParameter(name="status")] = None,
    search: Annotated[str | None, QueryParameter(max_length=200, description=DEVICE_SEARCH)] = None,
) -> DeviceFilter:
    """Return the filters of a list of devices."""
    return DeviceFilter(status, (search or "").strip() or None)


@get(
    "/api/licenses/{license_id:uuid}/activations",
    access=_READ,
    tags=_TAGS,
)
async def list_activations(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
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
    now = platform.clock()

    async def fetch(connection: Connection, step: Paging) -> Listing[ListedActivationView]:
        listing = await operators.list_devices(
            connection, operator, license_id, filters=device_filter, paging=step, now=now
        )
        return await _listed(connection, device_hooks, listing, now)

    return await _list_or_csv(request, db, platform, paging, operator, fetch)


def _list_or_csv(
    request: HttpRequest,
    db: Connection,
    platform: Platform,
    paging: Paging,
    operator: Operator,
    fetch: Callable[[Connection, Paging], Awaitable[Listing[ListedActivationView]]],
) -> Awaitable[Listing[ListedActivationView]]:
    return list_or_csv(
        request,
        db,
        platform,
        paging,
        operator.user_id,
        operator.first_institution,
        "devices.csv",
        ListedActivationView,
        fetch,
    )


async def _listed(
    db: Connection, hooks: DeviceHooks, listing: Listing[Activation], now: datetime
) -> Listing[ListedActivationView]:
    reclaimable = await find_reclaimable(db, hooks, listing.items, now)
    known = await find_components(db, listing.items)
    return listing.of(lambda item: listed_activation_view(item, reclaimable, known[item.id]))


@get(
    "/api/customers/{customer_id:uuid}/activations",
    access=_READ,
    tags=["Customers"],
)
async def list_activations_of_customer(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    device_hooks: Given[DeviceHooks],
    paging: Given[Paging],
    customer_id: FromPath[UUID],
    device_filter: Given[DeviceFilter],
) -> Listing[ListedActivationView]:
    """List the devices of all licenses of a customer; with `Accept: text/csv`, all as CSV."""
    now = platform.clock()

    async def fetch(connection: Connection, step: Paging) -> Listing[ListedActivationView]:
        listing = await operators.list_customer_devices(
            connection, operator, customer_id, filters=device_filter, paging=step, now=now
        )
        return await _listed(connection, device_hooks, listing, now)

    return await _list_or_csv(request, db, platform, paging, operator, fetch)


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

    The response is the device as it is now, `Released`. The seat of a device with a license file,
    which works without the server, is free when the file has ended, at `seatFreeAt`. With `force`
    it is free at once, and until the file has ended, one device more than the license has seats may
    work. A free seat goes to a device that is `OverLimit`, if there is one.
    """
    act = operators.force_out_device if data and data.force else operators.deactivate_device
    device = await act(work, device_hooks, operator, activation_id)
    return activation_view(device)


@post(
    "/api/activations/{activation_id:uuid}/accept-change",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def accept_change(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Accept the components that a device has now, as if it had been bound with them.

    Those that changed in the last 30 days do not count against its limit any more.
    """
    return activation_view(await operators.accept_change(work, operator, activation_id))


@get("/api/licenses/{license_id:uuid}/access-attempts", access=_READ, tags=_TAGS)
async def list_attempts(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[AccessAttemptView]:
    """List devices that were denied because the node-locked license is bound to another one."""
    listing = await attempts.list_attempts(db, operator, license_id, paging)
    return listing.of(attempt_view)


@get(
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


@post(
    "/api/licenses/{license_id:uuid}/access-attempts/{attempt_id:uuid}/acknowledge",
    access=_WRITE,
    status_code=200,
    tags=_TAGS,
)
async def acknowledge_attempt(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    attempt_id: FromPath[UUID],
) -> AccessAttemptView:
    """Mark an access attempt as reviewed."""
    attempt = await attempts.acknowledge_attempt(
        work, operator, license_id=license_id, attempt_id=attempt_id
    )
    return attempt_view(attempt)


HardwareId = Annotated[
    str | None,
    QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=VISIBLE_ASCII),
]

ByCode = Annotated[
    bool,
    QueryParameter(
        name="byCode",
        description="A base file, which is valid only with an answer code for a machine.",
    ),
]

RuntimeHardwareId = Annotated[
    str | None,
    QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=r"\S"),
]
"""The hardware ID that an application sends in a query, with the limits of one in a body."""


@get(
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
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    device_hooks: Given[DeviceHooks],
    license_id: FromPath[UUID],
    hardware_id: HardwareId = None,
    protected: bool = False,
    by_code: ByCode = False,
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    An unbound node-locked license is bound to that machine, which requires the role Admin. The file
    of a Concurrent license with activation mode Offline needs a hardware ID: the machine takes a
    seat, which requires that role, too, and keeps it at least until the file ends.

    With `byCode`, it is a base file, which takes no seat and is valid only with an answer code.
    """
    if by_code:
        require_alone(hardware_id, protected=protected)
        async with platform.unit_of_work(context_of(request).origin()) as work:
            base = await make_base_file_for_operator(
                work, signing_keys, operator, license_id, issuer=platform.settings.issuer
            )
        return file_response(base)
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await make_device_file(
            work,
            device_hooks,
            signing_keys,
            operator,
            license_id,
            hardware_id=hardware_id,
            protected=protected,
            issuer=platform.settings.issuer,
        )
    return file_response(outcome)


async def respond_with_own_file(
    request: HttpRequest,
    platform: Platform,
    signing_keys: SigningKeys,
    hooks: DeviceHooks,
    holder: LicenseHolder,
    license_id: UUID,
    *,
    hardware_id: str | None,
    protected: bool,
    by_code: bool,
) -> Response[bytes]:
    """Respond with license.bin, or a base file, for the holder of the license.

    Raises:
        Refused: as `make_own_file` and `make_own_base_file`.
    """
    if by_code:
        require_alone(hardware_id, protected=protected)
        async with platform.unit_of_work(context_of(request).origin()) as work:
            base = await make_own_base_file(
                work, signing_keys, holder, license_id, issuer=platform.settings.issuer
            )
        return file_response(base)
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await make_own_file(
            work,
            hooks,
            signing_keys,
            holder,
            license_id,
            hardware_id=hardware_id,
            protected=protected,
            issuer=platform.settings.issuer,
        )
    return file_response(outcome)


def file_response(outcome: LicenseFile | Rejected) -> Response[bytes]:
    """Respond with license.bin as a download, once what it was made with is committed.

    Raises:
        Refused: where there is no seat for the device.
    """
    if isinstance(outcome, Rejected):
        raise outcome.refusal
    return Response(
        outcome.text.encode(),
        media_type="application/octet-stream",
        headers={"content-disposition": 'attachment; filename="license.bin"'},
    )


ROUTES: list[HTTPRouteHandler] = [
    activate,
    release_activation,
    list_activations_of_customer,
    list_activations,
    approve_activation,
    block_activation,
    unblock_activation,
    deactivate_activation,
    accept_change,
    list_attempts,
    list_requests,
    acknowledge_attempt,
    download_file,
]


class CountRequests:
    """Counts the requests that concern a license, once they have been served."""

    def __init__(self, app: ASGIApp, request_log: RequestLog) -> None:
        self._app = app
        self._log = request_log

    async def __call__(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        note = open_note()
        await self._app(scope, receive, send)
        if note.license_id is not None or note.parts:
            context = stored_context(scope)
            status = context.refused_as or ACCEPTED
            for item in note.parts or [note]:
                self._log.count(item, scope["path_template"], status, context.address)
