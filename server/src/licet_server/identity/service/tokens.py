"""Access tokens, signed under a key derived from the master key; all others are known by hash."""

import hashlib
import secrets
from base64 import urlsafe_b64decode
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from licet_server.identity import errors
from licet_server.identity.rules.people import ACCESS_TOKEN_SECONDS
from licet_server.kit.keyring import Keyring

_TOKEN_TYPE = "at+jwt"  # noqa: S105 - a media type, RFC 9068
_NO_TOKEN = (
    msgspec.MsgspecError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)
_API_TOKEN_TYPE = "ak+jwt"  # noqa: S105 - a media type


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
    user_id, sign_in_id, _ = _read(keyring, now, token)
    return user_id, sign_in_id


def access_ends_at(keyring: Keyring, now: datetime, token: str) -> datetime:
    """When an access token expires that is good at `now`."""
    return _read(keyring, now, token)[2]


def _read(keyring: Keyring, now: datetime, token: str) -> tuple[UUID, UUID, datetime]:
    for secret in keyring.derive("operator-token"):
        try:
            decoded = jwt.decode(token, OctKey.import_key(secret), algorithms=["HS256"])
            if decoded.header.get("typ") != _TOKEN_TYPE:
                break
            ends = int(decoded.claims["exp"])
            if ends <= now.timestamp():
                break
            ends_at = datetime.fromtimestamp(ends, UTC)
            return UUID(decoded.claims["sub"]), UUID(decoded.claims["sid"]), ends_at
        except (JoseError, ValueError, KeyError, TypeError):
            continue
    raise errors.unauthorized()


def write_api_token(
    keyring: Keyring, now: datetime, institution_id: UUID, key_id: UUID, expires_at: datetime | None
) -> str:
    """The secret of an API key: a JWT, and a different one each time."""
    claims: dict[str, object] = {
        "sub": str(key_id),
        "institution": str(institution_id),
        "iat": int(now.timestamp()),
        "jti": secrets.token_urlsafe(24),
    }
    if expires_at is not None:
        claims["exp"] = int(expires_at.timestamp())
    key = OctKey.import_key(keyring.derive("api-token")[0])
    return jwt.encode({"alg": "HS256", "typ": _API_TOKEN_TYPE}, claims, key)


def is_api_token(token: str) -> bool:
    """Whether it looks like the secret of an API key."""
    return institution_of_api_token(token) is not None


def institution_of_api_token(token: str) -> UUID | None:
    """Where an API key belongs, as it says itself; `None` for what is none.

    Nothing is believed of it: the whole token must be known, by its hash, in that institution. So
    keys outlive the master keys, under which they were signed.
    """
    try:
        header, payload, _ = token.split(".")
        if _decoded(header).get("typ") != _API_TOKEN_TYPE:
            return None
        return UUID(_decoded(payload)["institution"])
    except _NO_TOKEN:
        return None


def _decoded(part: str) -> Any:
    return msgspec.json.decode(urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def digest(secret: str) -> bytes:
    """Looked-up secrets are random and long, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
