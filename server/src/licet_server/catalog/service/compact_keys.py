"""The second key of a product (P-256): its signatures are short enough to be typed."""

from dataclasses import dataclass
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from licet_server.catalog import errors
from licet_server.catalog.storage import keys as storage
from licet_server.catalog.storage.keys import SealedCompactKey
from licet_server.catalog.storage.products import TenantKey
from licet_server.kit.database import Connection
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.unit_of_work import UnitOfWork

_COORDINATE_BYTES = 32


@dataclass(frozen=True, slots=True)
class CompactKey:
    """A key that signs codes."""

    private_key: ec.EllipticCurvePrivateKey

    @property
    def coordinates(self) -> tuple[bytes, bytes]:
        """The point of the public key: x and y of 32 bytes each."""
        numbers = self.private_key.public_key().public_numbers()
        return (
            numbers.x.to_bytes(_COORDINATE_BYTES, "big"),
            numbers.y.to_bytes(_COORDINATE_BYTES, "big"),
        )

    def sign(self, text: bytes) -> bytes:
        """Return the ES256 signature of a text, the same each time: r and s of 32 bytes each."""
        r, s = decode_dss_signature(
            self.private_key.sign(text, ec.ECDSA(SHA256(), deterministic_signing=True))
        )
        return r.to_bytes(_COORDINATE_BYTES, "big") + s.to_bytes(_COORDINATE_BYTES, "big")


def compact_seal_context(key_id: UUID) -> str:
    """Return what the seal of a second key is bound to."""
    return f"compact_keys.private_key:{key_id}"


async def find_compact_public_key(db: Connection, product: TenantKey) -> bytes | None:
    """Return the public part of a product's second key, SPKI DER; `None` before there is one."""
    found = await storage.fetch_compact_key(db, product)
    return None if found is None else found.public_key


async def fetch_compact_key(work: UnitOfWork, institution_id: UUID, product_id: UUID) -> CompactKey:
    """Return the second key of a product that has a signing key; it is made where there is none.

    Raises:
        Refused: `KeysNotGenerated` where the key cannot be opened.
    """
    await make_compact_key(work, institution_id, product_id)
    found = await storage.fetch_compact_key(work.db, (institution_id, product_id))
    if found is None:
        raise errors.keys_not_generated()
    try:
        private_key = work.keyring.open(found.private_key, compact_seal_context(found.id))
    except CannotOpen:  # the remedy is the same: new keys
        raise errors.keys_not_generated() from None
    loaded = load_der_private_key(private_key, None)
    if not isinstance(loaded, ec.EllipticCurvePrivateKey):
        raise TypeError("a stored second key is on no curve")
    return CompactKey(loaded)


async def make_compact_key(work: UnitOfWork, institution_id: UUID, product_id: UUID) -> None:
    """Make the second key of a product, unless it has one."""
    if await storage.fetch_compact_key(work.db, (institution_id, product_id)) is not None:
        return
    private_key = ec.generate_private_key(ec.SECP256R1())
    der = private_key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    key_id = work.new_id()
    key = SealedCompactKey(
        institution_id=institution_id,
        id=key_id,
        product_id=product_id,
        created_at=work.now,
        private_key=work.keyring.seal(der, compact_seal_context(key_id)),
        public_key=private_key.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        ),
    )
    await storage.insert_compact_key(work.db, key)


async def replace_compact_key(work: UnitOfWork, institution_id: UUID, product_id: UUID) -> None:
    """Give a product that the transaction has locked another second key.

    Base files from before name the former one, and take no new codes.
    """
    await storage.delete_compact_key(work.db, (institution_id, product_id))
    await make_compact_key(work, institution_id, product_id)
