"""Signs and verifies tokens with a product's key, off the event loop."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from anyio import to_thread
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_der_private_key
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey as JoseKey

from licet_server.catalog.storage import keys as storage
from licet_server.kit.database import Connection
from licet_server.kit.keyring import Keyring

_ALGORITHM = "RS256"
_TOKEN_MAX = 1 << 24


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A product's private key, and the kid by which verifiers find its public key."""

    kid: str
    key: JoseKey


def seal_context(rsa_key_id: UUID) -> str:
    """Return what the seal of a private key is bound to."""
    return f"rsa_keys.private_key:{rsa_key_id}"


def load_signing_key(kid: str, private_key: bytes) -> SigningKey:
    """Load a private key: PKCS#8, DER, from a seal that is authenticated."""
    # Checking the primes would block the event loop for a tenth of a second. The seal is
    # authenticated, so these are the bytes that were stored.
    loaded = load_der_private_key(private_key, None, unsafe_skip_rsa_key_validation=True)
    if not isinstance(loaded, rsa.RSAPrivateKey):
        raise TypeError("a stored signing key is not an RSA key")
    return SigningKey(kid, JoseKey.import_key(loaded))


async def open_live_key(
    db: Connection, keyring: Keyring, institution_id: UUID, product_id: UUID
) -> SigningKey | None:
    """Open the live key of a product; return `None` before the first is generated."""
    current = await storage.fetch_kid(db, institution_id, product_id)
    if current is None:
        return None
    rsa_key_id, kid = current
    sealed = await storage.fetch_private_key(db, institution_id, rsa_key_id)
    if sealed is None:
        return None
    return load_signing_key(kid, keyring.open(sealed, seal_context(rsa_key_id)))


async def sign(key: SigningKey, token_type: str, claims: dict[str, Any]) -> str:
    """Return a compact JWS (RS256) of the claims."""
    header = {"alg": _ALGORITHM, "typ": token_type, "kid": key.kid}
    payload = msgspec.json.encode(claims)
    return await to_thread.run_sync(jws.serialize_compact, header, payload, key.key)


async def verified_claims(key: SigningKey, token_type: str, token: str) -> dict[str, Any] | None:
    """Return the claims of a token that this key signed; `None` for any other text."""
    return await to_thread.run_sync(_verify, key, token_type, token)


def _verify(key: SigningKey, token_type: str, token: str) -> dict[str, Any] | None:
    registry = jws.JWSRegistry(algorithms=[_ALGORITHM])
    registry.max_payload_length = _TOKEN_MAX
    registry.max_signature_length = _TOKEN_MAX
    try:
        verified = jws.deserialize_compact(token, key.key, registry=registry)
        if verified.headers().get("typ") != token_type:
            return None
        return msgspec.json.decode(verified.payload, type=dict[str, Any])
    except (JoseError, ValueError, msgspec.DecodeError):
        return None
