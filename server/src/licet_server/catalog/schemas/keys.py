"""Wire shapes of product keys and signing keys."""

import textwrap
from base64 import b64encode
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.catalog.rules.model import ALGORITHM, DEFAULT_KEY_SIZE, LiveProductKey, RsaKey
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of

GRACE_SECONDS_MAX = 31_536_000

GraceSeconds = Annotated[int, Meta(ge=0, le=GRACE_SECONDS_MAX)]


class RotateProductKeyBody(Body):
    """How long older keys keep working; null for until they are revoked."""

    grace_seconds: GraceSeconds | None = None


class GenerateSigningKeyBody(Body):
    """The size of the RSA key in bits."""

    key_size: Literal[2048, 3072, 4096] = DEFAULT_KEY_SIZE


class ProductKeyView(Struct, rename="camel"):
    """A live product key; `expiresAt` is null if it lives until it is revoked."""

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


class CredentialsView(Struct, rename="camel"):
    """The product's live keys, newest first; `apiKey` is the newest."""

    api_key: str | None
    keys: list[ProductKeyView]


class SigningKeyView(Struct, rename="camel"):
    """A newly generated signing key."""

    kid: str
    algorithm: str
    key_size: int
    created_at: datetime


class SigningKeyStatusView(Struct, rename="camel"):
    """The signing key of a product, if it has one. `generation` counts its keys from 1."""

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


def credentials_view(keys: list[LiveProductKey]) -> CredentialsView:
    return CredentialsView(
        api_key=keys[0].api_key if keys else None,
        keys=[view_of(ProductKeyView, item) for item in keys],
    )


def signing_key_view(key: RsaKey) -> SigningKeyView:
    return view_of(SigningKeyView, key, algorithm=ALGORITHM)


def signing_key_status_view(key: RsaKey | None) -> SigningKeyStatusView:
    if key is None:
        return SigningKeyStatusView(exists=False)
    return view_of(
        SigningKeyStatusView,
        key,
        exists=True,
        algorithm=ALGORITHM,
        rotated_at=key.created_at if key.generation > 1 else None,
    )


def public_key_view(key: RsaKey) -> PublicKeyView:
    return view_of(
        PublicKeyView,
        key,
        algorithm=ALGORITHM,
        public_key=b64encode(key.public_key).decode(),
        public_key_pem=public_key_pem(key),
    )


def public_key_pem(key: RsaKey) -> str:
    """Return the public key as PEM (RFC 7468)."""
    lines = textwrap.wrap(b64encode(key.public_key).decode(), 64)
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])
