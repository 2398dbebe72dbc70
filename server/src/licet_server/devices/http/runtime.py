"""Activation by the application itself."""

from typing import Any

from litestar import Request, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from licet_server.catalog.access import ProductKey, provide_product_caller
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import ActivateAnswer, ActivateBody, activate_answer
from licet_server.devices.service.admission import Admitted
from licet_server.devices.service.devices import Devices
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.lookup import LicenseLookup


@post(
    "/api/activations",
    access=ProductKey(),
    tags=["Runtime"],
    responses={
        200: ResponseSpec(ActivateAnswer, description="This device holds its seat already."),
        202: ResponseSpec(ActivateAnswer, description="The device waits for approval."),
    },
)
async def activate(
    request: Request[Any, Any, Any],
    devices: Given[Devices],
    license_lookup: Given[LicenseLookup],
    data: JSONBody[ActivateBody],
) -> Response[ActivateAnswer]:
    """Activate a license on this device; once more changes nothing."""
    context = context_of(request)
    caller = provide_product_caller(request)
    license_ = await license_lookup.find(
        caller.institution_id, caller.product_id, data.license_key, context.address
    )
    outcome = await devices.register(license_, data.device(), context.origin())
    return Response(activate_answer(outcome), status_code=_status(outcome))


def _status(outcome: Admitted) -> int:
    if outcome.activation.status is ActivationStatus.PENDING:
        return 202
    return 201 if outcome.made else 200


ROUTES: list[HTTPRouteHandler] = [activate]
