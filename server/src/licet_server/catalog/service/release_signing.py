"""Signs the token of each published release, which applications verify before they update.

A release is signed from its rows once, when it is published. From then on the rows are not
trusted: a change is made to the claims of the token, after they have been verified. So write access
to the database, without the signing key, is not enough to publish anything.

The product is locked before anything is signed, so that a rotation of the key waits, or is waited
for.
"""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import structlog

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Product, Release, ReleaseFile, ReleaseStatus
from licet_server.catalog.rules.release_claims import (
    RELEASE_TYPE,
    ReleaseClaims,
    release_claims,
    with_labels,
)
from licet_server.catalog.service.signing import (
    SigningKey,
    open_live_key,
    sign,
    verified_claims,
)
from licet_server.catalog.storage import files, products
from licet_server.catalog.storage.releases import (
    RELEASES,
    fetch_unsigned,
    lock_published,
    update_token,
)
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility

_log = structlog.get_logger("licet.releases")


async def hold_signing_key(work: UnitOfWork, institution_id: UUID, product_id: UUID) -> None:
    """Keep the product's signing key from being replaced until the transaction ends."""
    await products.share_product(work.db, institution_id, product_id)


async def sign_release(work: UnitOfWork, release: Release) -> Release:
    """Sign a release as its rows describe it; without a signing key it is left unsigned."""
    key = await _live_key(work, release)
    if key is None:
        return replace(release, token=None)
    rows = await files.files_for(work.db, release, None)
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
    rows = await files.fetch_files_of(work.db, product.institution_id, ids)
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
    return [(release, await files.files_for(db, release, None)) for release in found]


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
