"""Access tokens, signed with a key derived from the master key, and hashes of all other tokens."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from functools import lru_cache
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from msgspec import Struct, convert, to_builtins

from licet_server.identity import errors
from licet_server.identity.rules.users import ACCESS_TOKEN_SECONDS
from licet_server.kit.keyring import Keyring

_TOKEN_TYPE = "at+jwt"  # noqa: S105 - a media type, RFC 9068
_VIEW_TYPE = "pv+jwt"
VIEW_SECONDS = 900


def write_access_token(keyring: Keyring, now: datetime, *, user_id: UUID, sign_in_id: UUID) -> str:
    """Write an access token of a user's sign-in, issued at `now`."""
    issued = int(now.timestamp())
    claims = {
        "sub": str(user_id),
        "sid": str(sign_in_id),
        "iat": issued,
        "exp": issued + ACCESS_TOKEN_SECONDS,
    }
    key = OctKey.import_key(keyring.derive("operator-token"))
    return jwt.encode({"alg": "HS256", "typ": _TOKEN_TYPE}, claims, key)


def read_access_token(keyring: Keyring, now: datetime, token: str) -> tuple[UUID, UUID]:
    """Return the user and the sign-in of an access token.

    Raises:
        Refused: `Unauthorized` for an invalid or expired token.
    """
    user_id, sign_in_id, _ = _read(keyring, now, token)
    return user_id, sign_in_id


def access_ends_at(keyring: Keyring, now: datetime, token: str) -> datetime:
    """Return when an access token that is valid at `now` expires.

    Raises:
        Refused: `Unauthorized` for an invalid or expired token.
    """
    return _read(keyring, now, token)[2]


class PortalView(Struct, frozen=True):
    """A look at the portal as a customer of an institution, by an operator of it.

    `user_id` and `sign_in_id` are the operator's, `receiver_id` is the customer's user.
    """

    user_id: UUID
    sign_in_id: UUID
    institution_id: UUID
    receiver_id: UUID
    email: str


def write_portal_view(keyring: Keyring, now: datetime, view: PortalView) -> str:
    """Write the token of a look at the portal, for `VIEW_SECONDS` from `now`."""
    claims = {**to_builtins(view), "exp": int(now.timestamp()) + VIEW_SECONDS}
    key = OctKey.import_key(keyring.derive("portal-view"))
    return jwt.encode({"alg": "HS256", "typ": _VIEW_TYPE}, claims, key)


def read_portal_view(keyring: Keyring, now: datetime, token: str) -> PortalView | None:
    """Return what the token of a look at the portal is for; `None` for every other token.

    Raises:
        Refused: `Unauthorized` for an expired one.
    """
    try:
        decoded = jwt.decode(
            token, OctKey.import_key(keyring.derive("portal-view")), algorithms=["HS256"]
        )
    except (JoseError, ValueError, KeyError, TypeError):
        return None
    if decoded.header.get("typ") != _VIEW_TYPE:
        return None
    if decoded.claims["exp"] <= now.timestamp():
        raise errors.unauthorized()
    return convert(decoded.claims, PortalView)


def _read(keyring: Keyring, now: datetime, token: str) -> tuple[UUID, UUID, datetime]:
    try:
        user_id, sign_in_id, ends_at = _verified(keyring.derive("operator-token"), token)
    except (JoseError, ValueError, KeyError, TypeError):
        raise errors.unauthorized() from None
    if ends_at <= now:
        raise errors.unauthorized()
    return user_id, sign_in_id, ends_at


@lru_cache(maxsize=1024)
def _verified(key: bytes, token: str) -> tuple[UUID, UUID, datetime]:
    """Return the claims of a signed token, expired or not; clients reuse one for minutes."""
    decoded = jwt.decode(token, OctKey.import_key(key), algorithms=["HS256"])
    if decoded.header.get("typ") != _TOKEN_TYPE:
        raise ValueError("not an access token")
    claims = decoded.claims
    return UUID(claims["sub"]), UUID(claims["sid"]), datetime.fromtimestamp(int(claims["exp"]), UTC)


def successor_of(token: str, salt: bytes) -> str:
    """Return the token that replaces a rotated refresh token.

    It follows from the old token and a stored salt, so that a client that uses the old one again
    gets the same successor; the salt alone does not give it.
    """
    mac = hmac.digest(token.encode(), salt, hashlib.sha256)
    return urlsafe_b64encode(mac).rstrip(b"=").decode()


def digest_bytes(secret: bytes) -> bytes:
    """Return the hash to look a random secret up by."""
    return hashlib.sha256(secret).digest()


def digest(secret: str) -> bytes:
    """Return the hash to look a secret up by; for long random secrets, SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).digest()
