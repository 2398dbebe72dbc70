"""Verification of ID tokens: the signature of the provider, and all claims."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key
from joserfc.jws import extract_compact

ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
)
"""Signatures by a private key of the provider. `none` and shared secrets prove nothing here."""

_KEY_TYPES = {"R": "RSA", "P": "RSA", "ES": "EC", "Ed": "OKP"}
_LEEWAY_SECONDS = 60
_TOKEN_MAX = 64 * 1024
_RSA_BITS_MIN = 2048
_MALFORMED = (JoseError, ValueError, TypeError, KeyError, AttributeError)


class NotAccepted(Exception):
    """An answer that is forged, expired, replayed, or of another provider; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnknownKey(NotAccepted):
    """No known key of the provider has the id that the token names."""


def read_id_token(
    *,
    token: object,
    keys: Sequence[Mapping[str, Any]],
    algorithms: Sequence[str],
    issuer: str,
    client_id: str,
    nonce: str | None,
    access_token: object,
    now: datetime,
) -> Mapping[str, Any]:
    """Return the claims of an ID token; `nonce` is `None` for one that renews a session.

    Raises:
        NotAccepted: if any claim or the signature is invalid.
    """
    if not isinstance(token, str) or not token.isascii() or len(token) > _TOKEN_MAX:
        raise NotAccepted("id_token")
    try:
        header = extract_compact(token.encode()).headers()
    except _MALFORMED:
        raise NotAccepted("id_token") from None
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in algorithms:
        raise NotAccepted("alg")
    key = _key_for(algorithm, header.get("kid"), keys)
    try:
        decoded = jwt.decode(token, key, algorithms=[algorithm])
    except _MALFORMED:
        raise NotAccepted("signature") from None
    _check(decoded, issuer, client_id, nonce, access_token, now)
    return decoded.claims


def _check(
    decoded: jwt.Token,
    issuer: str,
    client_id: str,
    nonce: str | None,
    access_token: object,
    now: datetime,
) -> None:
    claims = CodeIDToken(
        decoded.claims,
        decoded.header,
        options={
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client_id},
            "sub": {"essential": True},
            "exp": {"essential": True},
            "iat": {"essential": True},
        },
        params={
            "nonce": nonce,
            "client_id": client_id,
            "access_token": access_token if isinstance(access_token, str) else None,
        },
    )
    try:
        claims.validate(now=int(now.timestamp()), leeway=_LEEWAY_SECONDS)
    except _MALFORMED as error:
        raise NotAccepted(str(getattr(error, "claim", None) or _name_of(error))) from None


def _name_of(error: BaseException) -> str:
    text = str(getattr(error, "error", "")) or "claims"
    return {"expired_token": "exp", "invalid_token": "iat"}.get(text, "claims")


def _key_for(algorithm: str, key_id: object, keys: Sequence[Mapping[str, Any]]) -> Key:
    """Return the key with that ID, which must be for this kind of signature."""
    matching = [item for item in keys if _matches(item, algorithm)]
    if key_id is not None:
        matching = [item for item in matching if item.get("kid") == key_id]
    if not matching:
        raise UnknownKey("kid")
    if len(matching) > 1:
        raise NotAccepted("kid")
    try:
        key = JWKRegistry.import_key(dict(matching[0]))
    except _MALFORMED:
        raise NotAccepted("key") from None
    raw: Any = key.raw_value
    if key.key_type == "RSA" and raw.key_size < _RSA_BITS_MIN:
        raise NotAccepted("key")
    return key


def _matches(key: Mapping[str, Any], algorithm: str) -> bool:
    kind = next(kind for start, kind in _KEY_TYPES.items() if algorithm.startswith(start))
    return (
        key.get("kty") == kind
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and "d" not in key
    )
