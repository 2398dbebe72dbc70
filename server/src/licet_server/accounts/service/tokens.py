"""Access tokens, signed under a key derived from the master key; refresh tokens, hashed."""

import hashlib
from datetime import datetime
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from licet_server.accounts import errors
from licet_server.accounts.rules import ACCESS_TOKEN_SECONDS
from licet_server.kit.keyring import Keyring

_TOKEN_TYPE = "at+jwt"  # noqa: S105 - a media type, RFC 9068


def write_access_token(keyring: Keyring, now: datetime, user_id: UUID, sign_in_id: UUID) -> str:
    issued = int(now.timestamp())
    claims = {
        "sub": str(user_id),
        "sid": str(sign_in_id),
        "iat": issued,
        "exp": issued + ACCESS_TOKEN_SECONDS,
    }
    key = OctKey.import_key(keyring.derive("operator-token")[0])
    return jwt.encode({"alg": "HS256", "typ": _TOKEN_TYPE}, claims, key)


def read_access_token(keyring: Keyring, now: datetime, token: str) -> tuple[UUID, UUID]:
    for secret in keyring.derive("operator-token"):
        try:
            decoded = jwt.decode(token, OctKey.import_key(secret), algorithms=["HS256"])
            if decoded.header.get("typ") != _TOKEN_TYPE:
                break
            if int(decoded.claims["exp"]) <= now.timestamp():
                break
            return UUID(decoded.claims["sub"]), UUID(decoded.claims["sid"])
        except (JoseError, ValueError, KeyError, TypeError):
            continue
    raise errors.unauthorized()


def digest(secret: str) -> bytes:
    """Looked-up secrets are random and long, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
