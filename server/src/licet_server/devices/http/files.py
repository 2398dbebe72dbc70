"""Downloads of license.bin for operators."""

from typing import Annotated
from uuid import UUID

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.catalog.service.keys import SigningKeys
from licet_server.devices.service.admission import Rejected
from licet_server.devices.service.end_users import make_own_file
from licet_server.devices.service.files import make_device_file
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.files import LicenseFile
from licet_server.licenses.service.holders import LicenseHolder

HardwareId = Annotated[
    str | None,
    QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=r"^[\x21-\x7e]+$"),
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
    ),
    media_type="application/octet-stream",
    tags=["Licenses"],
)
async def download_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    license_id: FromPath[UUID],
    hardware_id: HardwareId = None,
    protected: bool = False,
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    An unbound node-locked license is bound to that machine, which requires the role Admin. The file
    of a Concurrent license with activation mode Offline needs a hardware ID: the machine takes a
    seat, which requires that role, too, and keeps it at least until the file ends.
    """
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await make_device_file(
            work,
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
    holder: LicenseHolder,
    license_id: UUID,
    *,
    hardware_id: str | None,
    protected: bool,
) -> Response[bytes]:
    """Respond with license.bin for the holder of the license; raises as `make_own_file`."""
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await make_own_file(
            work,
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


ROUTES: list[HTTPRouteHandler] = [download_file]
