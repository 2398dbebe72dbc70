"""Routes by which an application releases another device, to get its seat."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.errors import enrollment_key_used_up
from licet_server.devices.rules.enrollment import is_enrollment_key
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import (
    ReleasedDeviceAnswer,
    ReleaseDeviceBody,
    SeatedDevicesAnswer,
    released_device_answer,
    seated_devices_answer,
)
from licet_server.devices.service.app_releases import (
    limit_refusals,
    list_seated_devices,
    release_for_device,
)
from licet_server.devices.service.enrolling import license_of_enrollment_key
from licet_server.devices.service.removal import DeviceHooks
from licet_server.kit.errors import ErrorCode
from licet_server.kit.limits import KeyLimits
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import Credentials
from licet_server.licenses.service.noting import note_device
from licet_server.licenses.service.reading import LicenseLookup

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


@get("/api/activations", access=ProductKey(), problems=_PROBLEMS, tags=["Runtime"])
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


@post(
    "/api/activations/{activation_id:uuid}/release",
    access=ProductKey(),
    problems=(*_PROBLEMS, ErrorCode.ACTIVATION_NOT_FOUND),
    status_code=200,
    tags=["Runtime"],
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
    return await license_lookup.find(
        caller.institution_id, caller.product_id, key, hardware_id, context.address, credentials
    )


ROUTES: list[HTTPRouteHandler] = [list_devices_of_license, release_other_device]
