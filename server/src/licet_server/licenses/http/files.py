"""The signed license file, and the key material of its protected form."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.accounts.access import InstitutionRole
from licet_server.accounts.rules import Operator, Role
from licet_server.catalog.service import SigningKeys
from licet_server.kit import limits
from licet_server.kit.database import Connection
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.work import Platform
from licet_server.licenses.schemas import DerivedKey, DeriveKeyBody
from licet_server.licenses.service import files, reading

DERIVATIONS_A_MINUTE = 60

HardwareId = Annotated[
    str | None,
    QueryParameter(name="hardwareId", min_length=1, max_length=256, pattern=r"^[\x21-\x7e]+$"),
]


@get(
    "/api/licenses/{license_id:uuid}/file",
    access=InstitutionRole(Role.VIEWER),
    media_type="application/octet-stream",
    tags=["Licenses"],
)
async def download_file(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    license_id: FromPath[UUID],
    hardware_id: HardwareId = None,
    protected: bool = False,
) -> Response[bytes]:
    """license.bin: plain or protected, bound to a machine when a hardware id is given."""
    license_ = await reading.fetch_license(db, operator, license_id)
    file = await files.make_file(
        db,
        signing_keys,
        license_,
        issuer=platform.settings.issuer,
        hardware_ids=[hardware_id] if hardware_id else [],
        protected=protected,
        now=platform.clock(),
    )
    return Response(
        file.text.encode(),
        media_type="application/octet-stream",
        headers={"content-disposition": 'attachment; filename="license.bin"'},
    )


@post("/api/security/derive-key", access=Anonymous(), status_code=200, tags=["Runtime"])
async def derive_key(
    request: Request[Any, Any, Any], platform: Given[Platform], data: JSONBody[DeriveKeyBody]
) -> DerivedKey:
    """Key material of a protected license file; nothing is looked up, so nothing is revealed."""
    bucket = f"derive-key:{context_of(request).address}"
    await limits.take(platform.database, bucket, DERIVATIONS_A_MINUTE, platform.clock())
    return DerivedKey(files.derive_key(data.license_key, data.salt), "HKDF-SHA256")


ROUTES: list[HTTPRouteHandler] = [download_file, derive_key]
