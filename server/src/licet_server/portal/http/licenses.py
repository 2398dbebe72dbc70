"""Routes of the user's licenses, their balances, files and downloads."""

from uuid import UUID

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.catalog.service.keys import SigningKeys
from licet_server.devices.http.files import HardwareId, respond_with_own_file
from licet_server.institutions.access import EndUser
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service.holders import EndUserHolder
from licet_server.licenses.service.hooks import CurrentUsageReader
from licet_server.licenses.service.receivers import fetch_own_license
from licet_server.metering.schemas import BalanceAnswer, balance_answer
from licet_server.metering.service.operators import fetch_wallet_of
from licet_server.portal.schemas import (
    PortalDownloadView,
    PortalLicenseView,
    portal_download_view,
    portal_license_view,
)
from licet_server.portal.service.downloads import RELEASES_SHOWN, list_downloads
from licet_server.portal.service.licenses import list_licenses, show_license

_TAGS = ["Portal"]


@get("/api/portal/licenses", access=EndUser(), tags=_TAGS)
async def list_own_licenses(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    paging: Given[Paging],
) -> Listing[PortalLicenseView]:
    """List the licenses issued to the user's verified e-mail address or user ID, by any vendor.

    Sorts by createdAt, expirationDate, issuedTo, licenseName, type.
    """
    now = platform.clock()
    listing = await list_licenses(db, operator, read_usage, paging, now)
    return listing.of(lambda own: portal_license_view(own, now))


@get("/api/portal/licenses/{license_id:uuid}", access=EndUser(), tags=_TAGS)
async def show_own_license(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> PortalLicenseView:
    """Show a license of the user with its current status."""
    now = platform.clock()
    own = await show_license(db, operator, read_usage, license_id, now)
    return portal_license_view(own, now)


@get(
    "/api/portal/licenses/{license_id:uuid}/balance",
    access=EndUser(),
    problems=(ErrorCode.NOT_METERED_LICENSE,),
    tags=_TAGS,
)
async def show_own_wallet(
    db: Given[Connection], operator: Given[Operator], license_id: FromPath[UUID]
) -> BalanceAnswer:
    """Show the balance of a metered license of the user."""
    license_ = await fetch_own_license(db, operator, license_id)
    return balance_answer(await fetch_wallet_of(db, license_))


@get(
    "/api/portal/licenses/{license_id:uuid}/file",
    access=EndUser(),
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
    ),
    media_type="application/octet-stream",
    tags=_TAGS,
)
async def download_own_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    license_id: FromPath[UUID],
    hardware_id: HardwareId = None,
    protected: bool = False,
) -> Response[bytes]:
    """Download license.bin: plain or protected, for one machine if a hardware ID is given.

    The file of a node-locked license is for the machine it is bound to. The response is 409 while
    it is unbound or bound to another machine. The file of a Concurrent license with activation mode
    Offline needs a hardware ID: the machine takes a seat, and keeps it at least until the file
    ends.
    """
    return await respond_with_own_file(
        request,
        platform,
        signing_keys,
        EndUserHolder(operator),
        license_id,
        hardware_id=hardware_id,
        protected=protected,
    )


@get(
    "/api/portal/licenses/{license_id:uuid}/downloads",
    access=EndUser(),
    problems=(ErrorCode.LICENSE_INVALID,),
    tags=_TAGS,
)
async def list_own_downloads(
    platform: Given[Platform], operator: Given[Operator], license_id: FromPath[UUID]
) -> Listing[PortalDownloadView]:
    """List the files of published releases that the license covers, of the newest 100."""
    found = await list_downloads(platform, operator, license_id)
    shown = [portal_download_view(item) for item in found]
    return Listing(shown, page=1, page_size=RELEASES_SHOWN, total_count=len(shown))


ROUTES: list[HTTPRouteHandler] = [
    list_own_licenses,
    show_own_license,
    show_own_wallet,
    download_own_file,
    list_own_downloads,
]
