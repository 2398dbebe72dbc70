"""Wire shapes of product keys and RSA keys."""

import textwrap
from base64 import b64encode
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.catalog.rules.model import ALGORITHM, DEFAULT_KEY_SIZE, Credential, RsaKey
from licet_server.kit.web.body import Body

GRACE_SECONDS_MAX = 31_536_000

GraceSeconds = Annotated[int, Meta(ge=0, le=GRACE_SECONDS_MAX)]


class RotateBody(Body):
    """How long the older keys go on working; null is until they are revoked."""

    grace_seconds: GraceSeconds | None = None


class GenerateBody(Body):
    """The size of the RSA key in bits."""

    key_size: Literal[2048, 3072, 4096] = DEFAULT_KEY_SIZE


class CredentialView(Struct, rename="camel"):
    """A live product key; `expiresAt` is null where it lives until it is revoked."""

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


class CredentialsView(Struct, rename="camel"):
    """The product's live keys, newest first; `apiKey` is the newest."""

    api_key: str | None
    keys: list[CredentialView]


class KeysView(Struct, rename="camel"):
    """An RSA key that was just made."""

    kid: str
    algorithm: str
    key_size: int
    created_at: datetime


class KeysStatusView(Struct, rename="camel"):
    """Whether a product has an RSA key, and which. `generation` counts the keys it ever had."""

    exists: bool
    kid: str | None = None
    algorithm: str | None = None
    key_size: int | None = None
    created_at: datetime | None = None
    rotated_at: datetime | None = None
    generation: int = 0


class PublicKeyView(Struct, rename="camel"):
    """The public key: `publicKey` is SPKI DER in Base64."""

    kid: str
    algorithm: str
    key_size: int
    public_key: str
    public_key_pem: str


def credentials_view(credentials: list[Credential]) -> CredentialsView:
    keys = [
        CredentialView(item.id, item.api_key, item.created_at, item.expires_at)
        for item in credentials
    ]
    return CredentialsView(keys[0].api_key if keys else None, keys)


def keys_view(key: RsaKey) -> KeysView:
    return KeysView(key.kid, ALGORITHM, key.key_size, key.created_at)


def keys_status_view(key: RsaKey | None) -> KeysStatusView:
    if key is None:
        return KeysStatusView(exists=False)
    return KeysStatusView(
        exists=True,
        kid=key.kid,
        algorithm=ALGORITHM,
        key_size=key.key_size,
        created_at=key.created_at,
        rotated_at=key.created_at if key.generation > 1 else None,
        generation=key.generation,
    )


def public_key_view(key: RsaKey) -> PublicKeyView:
    encoded = b64encode(key.public_key).decode()
    return PublicKeyView(key.kid, ALGORITHM, key.key_size, encoded, public_key_pem(key))


def public_key_pem(key: RsaKey) -> str:
    """The public key as PEM (RFC 7468)."""
    lines = textwrap.wrap(b64encode(key.public_key).decode(), 64)
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])
