"""Signs and verifies tokens with a product's key, off the event loop."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import msgspec
import structlog
from anyio import CapacityLimiter, to_thread
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_pem_private_key,
)
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey as JoseKey

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    KEY_SIZES,
    Product,
    PublicRsaKey,
    Release,
    ReleaseFile,
    ReleaseStatus,
    RsaKey,
)
from licet_server.catalog.rules.releases import (
    RELEASE_TYPE,
    ReleaseClaims,
    release_claims,
    with_labels,
)
from licet_server.catalog.service.compact_keys import (
    find_compact_public_key,
    make_compact_key,
    replace_compact_key,
)
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.service.recording import record_about_keys
from licet_server.catalog.storage import keys as storage
from licet_server.catalog.storage import products, releases
from licet_server.catalog.storage.keys import NEXT_RSA_KEYS, RSA_KEYS
from licet_server.catalog.storage.releases import (
    RELEASES,
    fetch_unsigned,
    lock_published,
    update_token,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.clock_trust import ClockTrust
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility

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


def next_seal_context(rsa_key_id: UUID) -> str:
    """Return what the seal of a prepared private key is bound to."""
    return f"next_rsa_keys.private_key:{rsa_key_id}"


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
    current = await storage.fetch_kid(db, (institution_id, product_id))
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
    except (JoseError, ValueError, TypeError, msgspec.DecodeError):
        return None


_log = structlog.get_logger("licet.releases")


async def hold_signing_key(work: UnitOfWork, institution_id: UUID, product_id: UUID) -> None:
    """Keep the product's signing key from being replaced until the transaction ends."""
    await products.share_product(work.db, institution_id, product_id)


async def sign_release(work: UnitOfWork, release: Release) -> Release:
    """Sign a release as its rows describe it; without a signing key it is left unsigned."""
    key = await _live_key(work, release)
    if key is None:
        return replace(release, token=None)
    rows = await releases.files_for(work.db, release, None)
    claims = release_claims(release, rows, work.now)
    return replace(release, token=await sign(key, RELEASE_TYPE, claims))


async def sign_labels(work: UnitOfWork, before: Release, after: Release) -> Release:
    """Sign a changed version and channel; a release that is not published has no token.

    Raises:
        Refused: `Conflict` if the live key did not sign the stored token.
    """
    if after.status is not ReleaseStatus.PUBLISHED:
        return replace(after, token=None)
    if (before.version, before.channel) == (after.version, after.channel):
        return after
    return await sign_again(work, after, lambda claims: with_labels(claims, after))


async def sign_again(
    work: UnitOfWork, release: Release, change: Callable[[ReleaseClaims], ReleaseClaims]
) -> Release:
    """Sign a changed release; one that is not signed is left so.

    Raises:
        Refused: `Conflict` if the live key did not sign the stored token.
    """
    if release.token is None:
        return release
    key = await _live_key(work, release)
    claims = await verified_claims(key, RELEASE_TYPE, release.token) if key is not None else None
    if key is None or claims is None:
        raise errors.release_signature_broken()
    changed = {**change(claims), "iat": int(work.now.timestamp())}
    return replace(release, token=await sign(key, RELEASE_TYPE, changed))


async def sign_all(work: UnitOfWork, product: Product, key: SigningKey) -> None:
    """Sign the published releases of a product with its first key, as their rows describe them."""
    published = await lock_published(work.db, product.institution_id, product.id)
    ids = [release.id for release in published]
    rows = await releases.fetch_files_of(work.db, product.institution_id, ids)
    for release in published:
        claims = release_claims(release, rows[release.id], work.now)
        token = await sign(key, RELEASE_TYPE, claims)
        await update_token(work.db, replace(release, token=token))


async def sign_all_again(
    work: UnitOfWork, product: Product, previous: SigningKey | None, key: SigningKey
) -> None:
    """Sign the releases of a product with its new key, as the previous one signed them.

    A token that the previous key did not sign is dropped, and every one if that key is lost.
    """
    for release in await lock_published(work.db, product.institution_id, product.id):
        if release.token is None:
            continue
        token = claims = None
        if previous is not None:
            claims = await verified_claims(previous, RELEASE_TYPE, release.token)
        if claims is None:
            _log.warning("release_signature_broken", release_id=str(release.id))
        else:
            renewed = {**claims, "iat": int(work.now.timestamp())}
            token = await sign(key, RELEASE_TYPE, renewed)
        await update_token(work.db, replace(release, token=token))


async def list_unsigned(db: Connection) -> list[tuple[Release, list[ReleaseFile]]]:
    """List published releases without a token whose product has a signing key, with their files."""
    found = await fetch_unsigned(db)
    return [(release, await releases.files_for(db, release, None)) for release in found]


async def sign_unsigned(work: UnitOfWork, release: Release) -> Release | None:
    """Sign a published release from before releases were signed; `None` if there is nothing to do.

    It is signed as its rows describe it.
    """
    await hold_signing_key(work, release.institution_id, release.product_id)
    current = await RELEASES.lock(work.db, Visibility((release.institution_id,)), release.id)
    if current is None or current.status is not ReleaseStatus.PUBLISHED or current.token:
        return None
    signed = await sign_release(work, current)
    if signed.token is None:
        return None
    await update_token(work.db, signed)
    return signed


async def _live_key(work: UnitOfWork, release: Release) -> SigningKey | None:
    return await open_live_key(work.db, work.keyring, release.institution_id, release.product_id)


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
        current = await storage.fetch_kid(db, (institution_id, product_id))
        if current is None:
            raise errors.keys_not_generated()
        rsa_key_id, kid = current
        loaded = self._loaded.get(kid)
        if loaded is None:
            sealed = await storage.fetch_private_key(db, institution_id, rsa_key_id)
            if sealed is None:
                raise errors.keys_not_generated()
            try:
                private_key = self._keyring.open(sealed, seal_context(rsa_key_id))
            except CannotOpen:  # the remedy is the same: a new key pair
                raise errors.keys_not_generated() from None
            loaded = load_signing_key(kid, private_key)
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
    await replace_compact_key(work, product.institution_id, product.id)
    return await install_pair(work, product, pair, key_size)


async def prepare_keys(
    platform: Platform,
    signing_keys: SigningKeys,
    origin: Origin,
    operator: Operator,
    *,
    product_id: UUID,
    key_size: int,
) -> PublicRsaKey:
    """Generate the pair that signs next, so that applications can trust it before it does.

    Raises:
        Refused: `NotFound`, `Forbidden`, `KeysNotGenerated` while the product has no key to
            replace, `Conflict` if one is prepared, `Unavailable` if too many pairs are pending.
    """
    async with platform.database.reading() as db:
        product = await fetch_product(db, operator, product_id)
        await _require_no_next(db, product)
    pair = await signing_keys.generate_pair(key_size)
    async with platform.unit_of_work(origin) as work:
        product = await lock_product(work.db, operator, product_id)
        await _require_no_next(work.db, product)
        await make_compact_key(work, product.institution_id, product.id)
        return await _store_next(work, product, pair, key_size)


async def _require_no_next(db: Connection, product: Product) -> None:
    if await storage.fetch_kid(db, product.scope) is None:
        raise errors.keys_not_generated()
    if await storage.fetch_next_rsa_key(db, product.scope) is not None:
        raise errors.next_key_exists()


async def _store_next(
    work: UnitOfWork, product: Product, pair: SigningKeyPair, key_size: int
) -> PublicRsaKey:
    key = PublicRsaKey(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        kid=pair.kid,
        key_size=key_size,
        public_key=pair.public_key,
        created_at=work.now,
    )
    sealed = work.keyring.seal(pair.private_key, next_seal_context(key.id))
    await NEXT_RSA_KEYS.insert(work.db, key, private_key=sealed)
    await record_about_keys(work, EventKind.PRODUCT_KEYS_PREPARED, product, {"kid": key.kid})
    return key


async def activate_keys(work: UnitOfWork, operator: Operator, product_id: UUID) -> RsaKey:
    """Begin to sign with the prepared pair of a product; the former key signs nothing from then on.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if none is prepared or it cannot be opened.
    """
    product = await lock_product(work.db, operator, product_id)
    key = await storage.fetch_next_rsa_key(work.db, product.scope)
    sealed = None if key is None else await storage.fetch_next_private_key(work.db, key)
    if key is None or sealed is None:
        raise errors.no_next_key()
    try:
        private_key = work.keyring.open(sealed, next_seal_context(key.id))
    except CannotOpen:
        raise errors.next_key_lost() from None
    await NEXT_RSA_KEYS.delete(work.db, key)
    pair = SigningKeyPair(key.kid, private_key, key.public_key)
    return await install_pair(work, product, pair, key.key_size)


async def discard_next_keys(work: UnitOfWork, operator: Operator, product_id: UUID) -> None:
    """Delete the prepared pair of a product.

    Raises:
        Refused: `NotFound` also if none is prepared, `Forbidden`.
    """
    product = await lock_product(work.db, operator, product_id)
    key = await storage.fetch_next_rsa_key(work.db, product.scope)
    if key is None:
        raise not_found("prepared signing key")
    await NEXT_RSA_KEYS.delete(work.db, key)
    await record_about_keys(work, EventKind.PRODUCT_KEYS_DISCARDED, product, {"kid": key.kid})


async def install_pair(
    work: UnitOfWork, product: Product, pair: SigningKeyPair, key_size: int
) -> RsaKey:
    """Make a pair the signing key of a product that the transaction has locked.

    Raises:
        Refused: `Conflict` if the product has or had this key.
    """
    if await storage.is_known_kid(work.db, product.scope, pair.kid):
        raise errors.signing_key_used()
    previous = await storage.fetch_rsa_key(work.db, product.scope)
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
        await storage.retire_rsa_key(work.db, product.scope, work.now)
    sealed = work.keyring.seal(pair.private_key, seal_context(key.id))
    await RSA_KEYS.insert(work.db, key, private_key=sealed)
    current = load_signing_key(pair.kid, pair.private_key)
    if previous is None:
        await sign_all(work, product, current)
    else:
        await sign_all_again(work, product, previous_key, current)
    previous_kid = previous.kid if previous else None
    await record_about_keys(
        work,
        EventKind.PRODUCT_KEYS_ROTATED if previous else EventKind.PRODUCT_KEYS_GENERATED,
        product,
        {"kid": key.kid, "previousKid": previous_kid, "generation": key.generation},
        {"kid": [previous_kid, key.kid]},
    )
    return key


async def find_public_keys(
    db: Connection, operator: Operator, product_id: UUID
) -> tuple[RsaKey | None, PublicRsaKey | None, bytes | None]:
    """Fetch the live, the prepared and the second key of a product, each `None` if there is none.

    The second key is SPKI, DER.
    """
    product = await fetch_product(db, operator, product_id)
    return (
        await storage.fetch_rsa_key(db, product.scope),
        await storage.fetch_next_rsa_key(db, product.scope),
        await find_compact_public_key(db, product.scope),
    )


async def fetch_public_keys(
    db: Connection, operator: Operator, product_id: UUID
) -> tuple[RsaKey, PublicRsaKey | None, bytes | None]:
    """Fetch the live key of a product, and the prepared and the second one if there is one.

    Raises:
        Refused: `NotFound`, `Forbidden`, `KeysNotGenerated`.
    """
    live, prepared, compact = await find_public_keys(db, operator, product_id)
    if live is None:
        raise errors.keys_not_generated()
    return live, prepared, compact


async def fetch_next_public_key(
    db: Connection, operator: Operator, product_id: UUID
) -> PublicRsaKey:
    """Fetch the prepared key of a product.

    Raises:
        Refused: `NotFound` also if none is prepared, `Forbidden`.
    """
    _, prepared, _ = await find_public_keys(db, operator, product_id)
    if prepared is None:
        raise not_found("prepared signing key")
    return prepared


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
    await replace_compact_key(work, product.institution_id, product.id)
    return await install_pair(work, product, pair, key_size)
