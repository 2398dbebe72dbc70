"""Signing keys: one live RSA pair per product, generated off the event loop, stored sealed."""

from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from anyio import CapacityLimiter, to_thread
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from joserfc.jwk import RSAKey as JoseKey

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Product, RsaKey
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.service.release_signing import sign_all, sign_all_again
from licet_server.catalog.service.signing import (
    SigningKey,
    load_signing_key,
    open_live_key,
    seal_context,
)
from licet_server.catalog.storage import keys as storage
from licet_server.catalog.storage.keys import RSA_KEYS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.clock_trust import ClockTrust
from licet_server.kit.database import Connection
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

_PUBLIC_EXPONENT = 65_537
_LOADED_MAX = 256
_PENDING_PAIRS_MAX = 16


@dataclass(frozen=True, slots=True)
class SigningKeyPair:
    """A new key pair: PKCS#8 and SPKI, both DER."""

    kid: str
    private_key: bytes
    public_key: bytes


class SigningKeys:
    """Generates key pairs, one at a time, and caches the loaded private keys of this process.

    The database is asked for the live key each time, so a rotation takes effect at once everywhere.
    """

    def __init__(
        self,
        keyring: Keyring,
        clock_trust: ClockTrust | None = None,
        loaded_max: int = _LOADED_MAX,
    ) -> None:
        self._keyring = keyring
        self._clock_trust = clock_trust
        self._loaded_max = loaded_max
        self._loaded: OrderedDict[str, SigningKey] = OrderedDict()
        self._limiter = CapacityLimiter(1)
        self._pending_pairs = 0

    async def generate_pair(self, key_size: int) -> SigningKeyPair:
        """Generate a pair. 4096 bits take half a second of a core, so only one runs at a time.

        Raises:
            Refused: `Unavailable` if too many are pending.
        """
        if self._pending_pairs >= _PENDING_PAIRS_MAX:
            raise errors.too_many_generations()
        self._pending_pairs += 1
        try:
            return await to_thread.run_sync(_generate_pair, key_size, limiter=self._limiter)
        finally:
            self._pending_pairs -= 1

    async def fetch(self, db: Connection, institution_id: UUID, product_id: UUID) -> SigningKey:
        """Return the live key of a product, ready to sign.

        Raises:
            Refused: `KeysNotGenerated`; `ClockNotTrusted` while the clock may not date a signature.
        """
        if self._clock_trust is not None:
            await self._clock_trust.require(db)
        current = await storage.fetch_kid(db, institution_id, product_id)
        if current is None:
            raise errors.keys_not_generated()
        rsa_key_id, kid = current
        loaded = self._loaded.get(kid)
        if loaded is None:
            sealed = await storage.fetch_private_key(db, institution_id, rsa_key_id)
            if sealed is None:
                raise errors.keys_not_generated()
            loaded = load_signing_key(kid, self._keyring.open(sealed, seal_context(rsa_key_id)))
            self._loaded[kid] = loaded
            if len(self._loaded) > self._loaded_max:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(kid)
        return loaded


async def generate_keys(
    platform: Platform,
    signing_keys: SigningKeys,
    origin: Origin,
    operator: Operator,
    *,
    product_id: UUID,
    key_size: int,
) -> RsaKey:
    """Generate the signing key of a product, or replace it.

    No connection is open meanwhile. Of two concurrent calls, the second replaces the key of the
    first.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Unavailable` if too many pairs are pending.
    """
    async with platform.database.reading() as db:
        await fetch_product(db, operator, product_id)
    pair = await signing_keys.generate_pair(key_size)
    async with platform.unit_of_work(origin) as work:
        return await _replace_key(work, operator, product_id, pair, key_size)


async def _replace_key(
    work: UnitOfWork, operator: Operator, product_id: UUID, pair: SigningKeyPair, key_size: int
) -> RsaKey:
    product = await lock_product(work.db, operator, product_id)
    return await install_pair(work, product, pair, key_size)


async def install_pair(
    work: UnitOfWork, product: Product, pair: SigningKeyPair, key_size: int
) -> RsaKey:
    """Make a pair the signing key of a product that the transaction has locked.

    Raises:
        Refused: `Conflict` if the product has or had this key.
    """
    if await storage.is_known_kid(work.db, product.institution_id, product.id, pair.kid):
        raise errors.signing_key_used()
    previous = await storage.fetch_rsa_key(work.db, product.institution_id, product.id)
    key = RsaKey(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        kid=pair.kid,
        key_size=key_size,
        public_key=pair.public_key,
        generation=previous.generation + 1 if previous else 1,
        created_at=work.now,
    )
    previous_key = await _previous_key(work, product)
    if previous is not None:
        await storage.retire_rsa_key(work.db, product.institution_id, product.id, work.now)
    sealed = work.keyring.seal(pair.private_key, seal_context(key.id))
    await RSA_KEYS.insert(work.db, key, private_key=sealed)
    current = load_signing_key(pair.kid, pair.private_key)
    if previous is None:
        await sign_all(work, product, current)
    else:
        await sign_all_again(work, product, previous_key, current)
    previous_kid = previous.kid if previous else None
    await record_event(
        work,
        EventKind.PRODUCT_KEYS_ROTATED if previous else EventKind.PRODUCT_KEYS_GENERATED,
        institution_id=product.institution_id,
        subject_id=product.id,
        product_id=product.id,
        data={
            "productId": product.id,
            "kid": key.kid,
            "previousKid": previous_kid,
            "generation": key.generation,
        },
        changes={"kid": [previous_kid, key.kid]},
    )
    return key


async def find_public_key(db: Connection, operator: Operator, product_id: UUID) -> RsaKey | None:
    """Fetch the live key of a product; `None` before the first is generated.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    product = await fetch_product(db, operator, product_id)
    return await storage.fetch_rsa_key(db, product.institution_id, product.id)


async def fetch_public_key(db: Connection, operator: Operator, product_id: UUID) -> RsaKey:
    """Fetch the live key of a product.

    Raises:
        Refused: `NotFound`, `Forbidden`, `KeysNotGenerated`.
    """
    key = await find_public_key(db, operator, product_id)
    if key is None:
        raise errors.keys_not_generated()
    return key


async def _previous_key(work: UnitOfWork, product: Product) -> SigningKey | None:
    try:
        return await open_live_key(work.db, work.keyring, product.institution_id, product.id)
    except CannotOpen:  # a lost master key must not keep the product from a new key
        return None


def _generate_pair(key_size: int) -> SigningKeyPair:
    return pair_of(rsa.generate_private_key(_PUBLIC_EXPONENT, key_size))


def pair_of(private_key: rsa.RSAPrivateKey) -> SigningKeyPair:
    """Return a private key with its public key and their kid."""
    public_key = private_key.public_key()
    return SigningKeyPair(
        kid=JoseKey.import_key(public_key).thumbprint(),
        private_key=private_key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        public_key=public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
    )
