"""Routes of releases."""

from functools import partial
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec.structs import asdict

from licet_server.catalog.rules.model import ReleaseFile
from licet_server.catalog.rules.releases import FileDraft, parse_file_form
from licet_server.catalog.schemas.products import (
    FILE_FORM,
    ReleaseBody,
    ReleaseChange,
    ReleaseFileView,
    ReleaseView,
    file_view,
    release_view,
)
from licet_server.catalog.service import releases
from licet_server.catalog.service.files import (
    add_file,
    check_release,
    delete_file,
    fetch_file,
    find_download,
    list_files,
    read_file,
)
from licet_server.catalog.service.releases import fetch_release
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.addresses import network_of
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.admission import take_place
from licet_server.kit.web.body import given
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.downloads import (
    BYTES,
    DOWNLOADS,
    PARTS,
    PUBLIC_DOWNLOADS,
    Download,
    file_response,
)
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.uploads import FileForm

_READ = InstitutionRole(Role.VIEWER, Scope.RELEASES_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.RELEASES_WRITE)
ROUTES = Routes("Releases")
_OF_PRODUCT = "/api/products/{product_id:uuid}/releases"
_PATH = "/api/releases/{release_id:uuid}"


@ROUTES.get(_OF_PRODUCT, access=_READ)
async def list_releases(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: FromPath[UUID],
) -> Listing[ReleaseView]:
    """List the releases of a product; with `Accept: text/csv`, all of them as CSV.

    Sorts by version, channel, status, createdAt, publishedAt.
    """

    async def fetch(connection: Connection, step: Paging) -> Listing[ReleaseView]:
        found = await releases.list_releases(connection, operator, product_id, step)
        return found.of(release_view)

    of = operator.first_institution
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "releases.csv", ReleaseView, fetch
    )


@ROUTES.post(_OF_PRODUCT, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def create_release(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[ReleaseBody],
) -> ReleaseView:
    """Create a release; a draft, unless a status is given."""
    return release_view(await releases.create_release(work, operator, product_id, asdict(data)))


@ROUTES.get(_PATH, access=_READ)
async def show_release(
    look_ups: Given[LookUps], operator: Given[Operator], release_id: FromPath[UUID]
) -> ReleaseView:
    """Get a release."""
    return release_view(await fetch_release(look_ups, operator, release_id))


@ROUTES.put(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_release(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    release_id: FromPath[UUID],
    data: JSONBody[ReleaseChange],
) -> ReleaseView:
    """Change a release; publish, yank or republish it."""
    return release_view(await releases.change_release(work, operator, release_id, given(data)))


@ROUTES.delete(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def delete_release(
    work: Given[UnitOfWork], operator: Given[Operator], release_id: FromPath[UUID]
) -> None:
    """Delete a release that no license is bound to."""
    await releases.delete_release(work, operator, release_id)


_FILES = "/api/releases/{release_id:uuid}/files"
_FILE = _FILES + "/{file_id:uuid}"


@ROUTES.get(_FILES, access=_READ)
async def list_release_files(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    release_id: FromPath[UUID],
) -> Listing[ReleaseFileView]:
    """List the files of a release. Sorts by name, platform, sizeBytes, createdAt."""
    return (await list_files(db, operator, release_id, paging)).of(file_view)


@ROUTES.post(
    _FILES,
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
    request_max_body_size=None,
    opt={"request_body": FILE_FORM},
)
async def add_release_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    release_id: FromPath[UUID],
) -> ReleaseFileView:
    """Upload a file as a form; if `sha256` is given and does not match, nothing is stored."""
    release = await check_release(platform, operator, release_id)
    form = FileForm(request, platform.settings.max_file_bytes)
    await form.begin()

    def describe() -> FileDraft:
        return parse_file_form(form.filename, form.content_type, form.fields)

    describe()
    origin = context_of(request).origin()
    return file_view(await add_file(platform, origin, release, form.chunks(), describe))


@ROUTES.get(
    _FILE + "/content",
    access=_READ,
    problems=(ErrorCode.RANGE_NOT_SATISFIABLE,),
    responses=PARTS,
    media_type=BYTES,
)
async def download_release_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    release_id: FromPath[UUID],
    file_id: FromPath[UUID],
) -> Response[bytes]:
    """Download a file, or a range of its bytes."""
    async with platform.database.reading() as db:
        file = await fetch_file(db, operator, release_id, file_id)
    await take_place(request, DOWNLOADS, operator.user_id, file.institution_id)
    return await file_response(request, _download(platform, file))


@ROUTES.delete(_FILE, access=_WRITE)
async def delete_release_file(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    release_id: FromPath[UUID],
    file_id: FromPath[UUID],
) -> None:
    """Delete a file permanently."""
    origin = context_of(request).origin()
    await delete_file(platform, origin, operator, release_id, file_id)


@ROUTES.get(
    "/api/downloads/{token:str}",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RANGE_NOT_SATISFIABLE),
    responses=PARTS,
    media_type=BYTES,
    tags=["Runtime"],
)
async def download_by_token(
    request: HttpRequest, platform: Given[Platform], token: FromPath[str]
) -> Response[bytes]:
    """Download a file of a published release by the URL from the check for updates."""
    async with platform.database.reading() as db:
        file = await find_download(db, platform.keyring, token, platform.clock())
    network = network_of(context_of(request).address)
    await take_place(request, PUBLIC_DOWNLOADS, network, file.institution_id)
    return await file_response(request, _download(platform, file))


def _download(platform: Platform, file: ReleaseFile) -> Download:
    return Download(file.name, file.size_bytes, file.sha256, partial(read_file, platform, file))
