"""Routes by which an application activates, enrolls, deactivates and releases devices."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response
from litestar.enums import ScopeType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import ASGIApp, Receive, Send
from litestar.types import Scope as RequestScope

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.access import shown_proof
from licet_server.devices.errors import enrollment_key_used_up
from licet_server.devices.rules.enrollment import is_enrollment_key
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import (
    ActivateAnswer,
    ActivateBody,
    DeactivateBody,
    EnrollAnswer,
    EnrollBody,
    ReleasedDeviceAnswer,
    ReleaseDeviceBody,
    SeatedDevicesAnswer,
    activate_answer,
    enroll_answer,
    released_device_answer,
    seated_devices_answer,
)
from licet_server.devices.service.admission import Admitted
from licet_server.devices.service.enrollment import enroll_device, license_of_enrollment_key
from licet_server.devices.service.operators import release_device
from licet_server.devices.service.releases import (
    limit_refusals,
    list_seated_devices,
    release_for_device,
)
from licet_server.devices.service.requests import RequestLog
from licet_server.devices.service.runtime import Devices
from licet_server.devices.service.seats import DeviceHooks
from licet_server.kit.errors import ErrorCode
from licet_server.kit.limits import KeyLimits
from licet_server.kit.platform import Platform
from licet_server.kit.web.body import read_body
from licet_server.kit.web.context import (
    RequestContext,
    stored_context,
)
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import ACCEPTED, Credentials
from licet_server.licenses.service.noting import note_device, note_status, open_note
from licet_server.licenses.service.reading import LicenseLookup

ROUTES = Routes("Runtime")

RuntimeHardwareId = Annotated[
    str | None,
    QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=r"\S"),
]
"""The hardware ID that an application sends in a query, with the limits of one in a body."""


@ROUTES.post(
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
    responses={
        200: ResponseSpec(ActivateAnswer, description="The device is activated already."),
        202: ResponseSpec(ActivateAnswer, description="The device is pending approval."),
    },
)
async def activate(
    context: Given[RequestContext],
    devices: Given[Devices],
    data: JSONBody[ActivateBody],
) -> Response[ActivateAnswer]:
    """Activate a license on this device. Idempotent."""
    caller = product_caller(context)
    note_device(data.hardware_id, data.device_name, data.app_version)
    found = await devices.find(
        caller,
        data.license_key,
        data.hardware_id,
        context.address,
        data.credentials,
    )
    device = data.device(shown_proof(context))
    outcome = await devices.activate(
        caller.settings, found.license, found.seated, device, context.origin()
    )
    if outcome.activation.status is ActivationStatus.PENDING:
        note_status(ErrorCode.PENDING_APPROVAL)
    return Response(activate_answer(outcome, test=found.license.test), status_code=_status(outcome))


def _status(outcome: Admitted) -> int:
    if outcome.activation.status is ActivationStatus.PENDING:
        return 202
    return 201 if outcome.created else 200


@ROUTES.delete(
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
        caller,
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


@ROUTES.post(
    "/api/activations/enroll",
    access=ProductKey(),
    problems=(
        ErrorCode.ENROLLMENT_KEY_INVALID,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ),
    responses={200: ResponseSpec(EnrollAnswer, description="The device holds its seat already.")},
)
async def enroll(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    device_hooks: Given[DeviceHooks],
    devices: Given[Devices],
    shown_proof: Given[ShownProof],
    data: JSONBody[EnrollBody],
) -> Response[EnrollAnswer]:
    """Activate the license of an enrollment key on this device, which gets a token.

    Every runtime route accepts the token in place of the license key, together with the hardware ID
    of this device. A device that enrolls again keeps its seat and gets another token.
    """
    note_device(data.hardware_id, data.device_name, data.app_version)
    enrolled = await enroll_device(
        context.platform,
        device_hooks,
        devices,
        caller,
        data.enrollment_key,
        data.device(shown_proof),
        context.origin(),
    )
    status = 201 if enrolled.admitted.created else 200
    return Response(enroll_answer(enrolled), status_code=status)


_PROBLEMS = (
    ErrorCode.CONFLICT,
    ErrorCode.ENROLLMENT_KEY_INVALID,
    ErrorCode.INVALID_CREDENTIALS,
    ErrorCode.LICENSE_NOT_FOUND,
    ErrorCode.LICENSE_INVALID,
    ErrorCode.LICENSE_EXPIRED,
    ErrorCode.DEVICE_BLOCKED,
    ErrorCode.HARDWARE_MISMATCH,
    ErrorCode.DEVICE_PROOF_REQUIRED,
)


@ROUTES.get("/api/activations", access=ProductKey(), problems=_PROBLEMS)
async def list_devices_of_license(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    license_lookup: Given[LicenseLookup],
    key_limits: Given[KeyLimits],
    shown_proof: Given[ShownProof],
    license_key: Annotated[
        str, QueryParameter(name="licenseKey", min_length=1, max_length=300, pattern=r"\S")
    ],
    hardware_id: Annotated[
        str, QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=r"\S")
    ],
    username: UsernameHeader = None,
    password: PasswordHeader = None,
) -> SeatedDevicesAnswer:
    """List the devices that hold seats of a Concurrent license, for its user to release one.

    The product must allow it (`appDeviceRelease`), and the device that asks must hold a seat or
    have been refused one in the last 10 minutes. Hardware IDs are not shown.
    """
    note_device(hardware_id)
    credentials = header_credentials(username, password)
    license_ = await _find(context, caller, license_lookup, license_key, hardware_id, credentials)
    async with limit_refusals(key_limits, license_, hardware_id):
        found = await list_seated_devices(
            context.platform, caller.settings, license_, hardware_id, shown_proof
        )
    return seated_devices_answer(found, context.platform.now())


@ROUTES.act(
    "/api/activations/{activation_id:uuid}/release",
    access=ProductKey(),
    problems=(*_PROBLEMS, ErrorCode.ACTIVATION_NOT_FOUND),
)
async def release_other_device(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    license_lookup: Given[LicenseLookup],
    key_limits: Given[KeyLimits],
    device_hooks: Given[DeviceHooks],
    shown_proof: Given[ShownProof],
    activation_id: FromPath[UUID],
    data: JSONBody[ReleaseDeviceBody],
) -> ReleasedDeviceAnswer:
    """Release a device of the license for this one, which was refused a seat.

    The product must allow it (`appDeviceRelease`), and limits the releases of applications in 365
    days (`appReleasesPerYear`) apart from those of the license's holders. This device must have
    been refused a seat in the last 10 minutes. The seat of a device with a license file is free
    when the file has ended, at `seatFreeAt`.
    """
    note_device(data.hardware_id)
    license_ = await _find(
        context, caller, license_lookup, data.license_key, data.hardware_id, data.credentials
    )
    async with (
        limit_refusals(key_limits, license_, data.hardware_id),
        context.platform.unit_of_work(context.origin()) as work,
    ):
        device, left = await release_for_device(
            work,
            device_hooks,
            caller.settings,
            license_,
            hardware_id=data.hardware_id,
            activation_id=activation_id,
            shown=shown_proof,
        )
    return released_device_answer(device, left, work.now)


async def _find(
    context: RequestContext,
    caller: ProductCaller,
    license_lookup: LicenseLookup,
    key: str,
    hardware_id: str,
    credentials: Credentials,
) -> License:
    """Find the license; a device whose enrollment was refused has its enrollment key alone."""
    if is_enrollment_key(key):
        given, found = await license_of_enrollment_key(
            context.platform, caller, key, context.origin()
        )
        if given.is_used_up:
            raise enrollment_key_used_up()
        return found
    return await license_lookup.find(caller, key, hardware_id, context.address, credentials)


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
