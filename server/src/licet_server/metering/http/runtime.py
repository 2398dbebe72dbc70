"""Routes of metering for applications."""

from typing import Annotated

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.http.files import RuntimeHardwareId
from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.metering.schemas import (
    BalanceAnswer,
    ConsumeAnswer,
    ConsumeBody,
    balance_answer,
    consume_answer,
)
from licet_server.metering.service.meters import Meters

_RUNTIME = ["Runtime"]


@post(
    "/api/meter/consume",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.ACTIVATION_NOT_FOUND,
        ErrorCode.NOT_METERED_LICENSE,
        ErrorCode.WALLET_NOT_FOUND,
        ErrorCode.FEATURE_NOT_ENTITLED,
        ErrorCode.PRICING_NOT_CONFIGURED,
        ErrorCode.INSUFFICIENT_BALANCE,
        ErrorCode.CONCURRENCY_CONFLICT,
    ),
    status_code=200,
    tags=_RUNTIME,
)
async def consume(
    context: Given[RequestContext],
    meters: Given[Meters],
    data: JSONBody[ConsumeBody],
) -> ConsumeAnswer:
    """Charge a metered license for using a feature, once per idempotency key."""
    caller = product_caller(context)
    receipt = await meters.consume(caller, data.request(), context.origin())
    return consume_answer(receipt)


@get(
    "/api/meter/balance",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.NOT_METERED_LICENSE,
        ErrorCode.WALLET_NOT_FOUND,
    ),
    tags=_RUNTIME,
)
async def show_own_balance(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    meters: Given[Meters],
    license_key: Annotated[str, QueryParameter(name="licenseKey", min_length=1, max_length=300)],
    hardware_id: RuntimeHardwareId = None,
    username: UsernameHeader = None,
    password: PasswordHeader = None,
) -> BalanceAnswer:
    """Get the balance of a metered license; nothing is charged.

    The hardware ID is required once a device of the license is blocked.
    """
    credentials = header_credentials(username, password)
    wallet = await meters.balance(caller, license_key, hardware_id, credentials, context.origin())
    return balance_answer(wallet)


ROUTES: list[HTTPRouteHandler] = [consume, show_own_balance]
