"""The key material of protected license files."""

from typing import Any

from litestar import Request
from litestar.params import JSONBody

from licet_server.kit import limits
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.schemas.records import DerivedKey, DeriveKeyBody
from licet_server.licenses.service import files

ROUTES = Routes("Runtime")

DERIVATIONS_A_MINUTE = 60


@ROUTES.act("/api/security/derive-key", access=Anonymous(), problems=(ErrorCode.RATE_LIMITED,))
async def derive_key(
    request: Request[Any, Any, Any], platform: Given[Platform], data: JSONBody[DeriveKeyBody]
) -> DerivedKey:
    """Derive the key of a protected license file; nothing is looked up, so nothing is revealed."""
    bucket = limits.address_bucket("derive-key", context_of(request).address)
    await limits.take(platform.database, bucket, DERIVATIONS_A_MINUTE, platform.clock())
    key = files.derive_key(data.license_key, data.salt)
    return DerivedKey(derived_key=key, algorithm="HKDF-SHA256")
