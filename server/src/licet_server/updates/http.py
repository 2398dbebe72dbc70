"""The route to check for updates."""

from typing import Annotated, Any

from litestar.params import QueryParameter

from licet_server.catalog.access import ProductKey, provide_product_caller
from licet_server.catalog.rules.model import CHANNEL_MAX, DEFAULT_CHANNEL, VERSION_MAX
from licet_server.catalog.rules.releases import PLATFORM_MAX
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.http.runtime import RuntimeHardwareId
from licet_server.kit.errors import ErrorCode, bad_field
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.service.noting import note_device
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.updates.schemas import UpdateAnswer, update_answer
from licet_server.updates.service import UpdateQuery, find_update, sign_answer

ROUTES = Routes("Runtime")

_NONCE_MAX = 200
# The framework cannot read a query parameter with the name of a dependency.
_PLATFORM: dict[str, Any] = {
    "name": "platform",
    "in": "query",
    "required": False,
    "description": "Without it, the files for all platforms are listed.",
    "schema": {"type": "string", "maxLength": PLATFORM_MAX},
}


@ROUTES.get(
    "/api/updates/latest",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.CLOCK_NOT_TRUSTED,
    ),
    opt={"parameters": [_PLATFORM]},
)
async def show_latest(
    request: HttpRequest,
    license_lookup: Given[LicenseLookup],
    signing_keys: Given[SigningKeys],
    current_version: Annotated[
        str | None, QueryParameter(name="currentVersion", max_length=VERSION_MAX)
    ] = None,
    channel: Annotated[
        str | None, QueryParameter(name="channel", max_length=CHANNEL_MAX, description="Stable.")
    ] = None,
    license_key: Annotated[str | None, QueryParameter(name="licenseKey", max_length=300)] = None,
    hardware_id: RuntimeHardwareId = None,
    nonce: Annotated[
        str | None,
        QueryParameter(
            max_length=_NONCE_MAX,
            description="A random text, which `answer` then repeats under the product's signature.",
        ),
    ] = None,
    username: UsernameHeader = None,
    password: PasswordHeader = None,
) -> UpdateAnswer:
    """Check for a newer release in the channel, and get the download URLs of its files.

    With a license key, the hardware ID is required once a device of the license is blocked.
    """
    context = context_of(request)
    note_device(hardware_id, app_version=current_version)
    query = UpdateQuery(
        channel=channel or DEFAULT_CHANNEL,
        current_version=current_version or None,
        platform=_platform(request),
        license_key=license_key or None,
        hardware_id=hardware_id,
        credentials=header_credentials(username, password),
    )
    caller = provide_product_caller(request)
    found = await find_update(
        context.platform, license_lookup, caller, query, origin=context.origin()
    )
    signed = None
    if nonce:
        signed = await sign_answer(context.platform, signing_keys, caller, query, nonce, found)
    return update_answer(found, query.channel, signed)


def _platform(request: HttpRequest) -> str | None:
    given: str = request.query_params.get("platform", "")
    if len(given) > PLATFORM_MAX:
        raise bad_field("platform", f"must be at most {PLATFORM_MAX} characters.")
    return given or None
