"""Signing keys that were made elsewhere, such as one that was kept offline until it was needed."""

from uuid import UUID

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from licet_server.catalog import errors
from licet_server.catalog.rules.model import KEY_SIZES, RsaKey
from licet_server.catalog.service.keys import SigningKeyPair, install_pair, pair_of
from licet_server.catalog.storage import products
from licet_server.kit.errors import not_found
from licet_server.kit.unit_of_work import UnitOfWork


def read_pair(pem: bytes) -> tuple[SigningKeyPair, int]:
    """Read a private key, PEM without a password, and its size in bits.

    Raises:
        Refused: `InvalidRequest` if it is not an RSA key of a size that products may have.
    """
    try:
        private_key = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise errors.not_a_signing_key() from None
    if not isinstance(private_key, rsa.RSAPrivateKey) or private_key.key_size not in KEY_SIZES:
        raise errors.not_a_signing_key()
    return pair_of(private_key), private_key.key_size


async def install_own_key(work: UnitOfWork, product_id: UUID, pem: bytes) -> RsaKey:
    """Make a key of the operator's own the signing key of a product, of any institution.

    Published releases are signed with it; license files of the previous key become invalid.

    Raises:
        Refused: `NotFound`, `InvalidRequest` if it is no usable key, `Conflict` if the product has
            or had this key.
    """
    pair, key_size = read_pair(pem)
    product = await products.lock_any_product(work.db, product_id)
    if product is None:
        raise not_found("product")
    return await install_pair(work, product, pair, key_size)
