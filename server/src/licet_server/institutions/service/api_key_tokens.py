"""The secrets of API keys: a prefix, and a JWT that names the institution and the key."""

import secrets
from base64 import urlsafe_b64decode
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from joserfc import jwt
from joserfc.jwk import OctKey

from licet_server.identity.rules.credentials import API_KEY_PREFIX
from licet_server.institutions.rules.api_keys import ApiKey
from licet_server.kit.keyring import Keyring

_TOKEN_TYPE = "ak+jwt"  # noqa: S105 - a media type
_NOT_A_TOKEN = (
    msgspec.MsgspecError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)


def write_api_token(keyring: Keyring, now: datetime, key: ApiKey) -> str:
    """Write a new secret of the key; each one is different."""
    claims: dict[str, object] = {
        "sub": str(key.id),
        "institution": str(key.institution_id),
        "iat": int(now.timestamp()),
        "jti": secrets.token_urlsafe(24),
    }
    if key.expires_at is not None:
        claims["exp"] = int(key.expires_at.timestamp())
    signing_key = OctKey.import_key(keyring.derive("api-token"))
    token = jwt.encode({"alg": "HS256", "typ": _TOKEN_TYPE}, claims, signing_key)
    return f"{API_KEY_PREFIX}{token}"


def is_api_token(token: str) -> bool:
    """Check whether the text claims to be the secret of an API key."""
    return token.startswith(API_KEY_PREFIX)


def institution_of_api_token(token: str) -> UUID | None:
    """Return the institution that a secret names; `None` for text that is no such secret.

    The signature is not checked: the whole secret must be known, by its hash, in that institution.
    So API keys stay valid when the master key that signed them is replaced.
    """
    if not token.startswith(API_KEY_PREFIX):
        return None
    try:
        header, payload, _ = token.removeprefix(API_KEY_PREFIX).split(".")
        if _decoded(header).get("typ") != _TOKEN_TYPE:
            return None
        return UUID(_decoded(payload)["institution"])
    except _NOT_A_TOKEN:
        return None


def _decoded(part: str) -> Any:
    return msgspec.json.decode(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
