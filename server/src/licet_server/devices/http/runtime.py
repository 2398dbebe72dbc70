"""Routes by which an application activates and deactivates its device."""

from typing import Annotated

import msgspec
from litestar import Response, delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import (
    ActivateAnswer,
    ActivateBody,
    DeactivateBody,
    activate_answer,
)
from licet_server.devices.service.admission import Admitted
from licet_server.devices.service.devices import Devices
from licet_server.devices.service.hooks import DeviceHooks
from licet_server.devices.service.operators import release_device
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.body import read_body
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.service.lookup import LicenseLookup

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
    license_ = await license_lookup.find(
        caller.institution_id,
        caller.product_id,
        data.license_key,
        context.address,
        data.credentials,
    )
    outcome = await devices.activate(license_, data.device(), context.origin())
    return Response(activate_answer(outcome), status_code=_status(outcome))


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
    license_ = await license_lookup.find(
        caller.institution_id,
        caller.product_id,
        body.license_key,
        context.address,
        body.credentials if data is not None else header_credentials(username, password),
    )
    async with context.platform.unit_of_work(context.origin()) as work:
        await release_device(work, device_hooks, license_, body.hardware_id)


def _from_query(
    platform: Platform, *, license_key: str | None, hardware_id: str | None
) -> DeactivateBody:
    given = {"licenseKey": license_key, "hardwareId": hardware_id}
    raw = msgspec.json.encode({name: text for name, text in given.items() if text is not None})
    body = read_body(raw, DeactivateBody, platform.clock)
    if not isinstance(body, DeactivateBody):
        raise TypeError("the body was decoded as something else")
    return body


ROUTES: list[HTTPRouteHandler] = [activate, release_activation]
