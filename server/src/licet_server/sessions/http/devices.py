"""What is done to a device and ends its sessions."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey, provide_product_caller
from licet_server.devices.schemas import ActivationView, activation_view
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.body import read_body
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.lookup import LicenseLookup
from licet_server.sessions.schemas import ReleaseBody
from licet_server.sessions.service.devices import block_device, deactivate_device, release_device

_ADMIN = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
_TAGS = ["Devices"]


@post("/api/activations/{activation_id:uuid}/block", access=_ADMIN, status_code=200, tags=_TAGS)
async def block_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Deny the license to a device, which keeps its seat; its sessions end at once."""
    return activation_view(await block_device(work, operator, activation_id))


@post(
    "/api/activations/{activation_id:uuid}/deactivate", access=_ADMIN, status_code=200, tags=_TAGS
)
async def deactivate_activation(
    work: Given[UnitOfWork], operator: Given[Operator], activation_id: FromPath[UUID]
) -> ActivationView:
    """Remove a device: its seat is free, its sessions end. Answers the device as it was."""
    return activation_view(await deactivate_device(work, operator, activation_id))


@delete("/api/activations/current", access=ProductKey(), status_code=204, tags=["Runtime"])
async def release_activation(
    request: HttpRequest,
    license_lookup: Given[LicenseLookup],
    data: JSONBody[ReleaseBody | None] = None,
    license_key: Annotated[
        str | None, QueryParameter(name="licenseKey", description="For clients without a body.")
    ] = None,
    hardware_id: Annotated[
        str | None, QueryParameter(name="hardwareId", description="For clients without a body.")
    ] = None,
) -> None:
    """A device gives its own seat back, named in the body or in the query."""
    context = context_of(request)
    caller = provide_product_caller(request)
    body = data or _from_query(context.platform, license_key, hardware_id)
    license_ = await license_lookup.find(
        caller.institution_id, caller.product_id, body.license_key, context.address
    )
    async with context.platform.unit_of_work(context.origin()) as work:
        await release_device(work, license_, body.hardware_id)


def _from_query(
    platform: Platform, license_key: str | None, hardware_id: str | None
) -> ReleaseBody:
    given = {"licenseKey": license_key, "hardwareId": hardware_id}
    raw = msgspec.json.encode({name: text for name, text in given.items() if text is not None})
    body = read_body(raw, ReleaseBody, platform.clock())
    if not isinstance(body, ReleaseBody):
        raise TypeError("the body was read as something else")
    return body


ROUTES: list[HTTPRouteHandler] = [
    block_activation,
    deactivate_activation,
    release_activation,
]
