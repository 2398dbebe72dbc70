"""Releases: drafted, published, yanked, looked up."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.catalog.rules.model import (
    Coverage,
    Product,
    Release,
    ReleaseStatus,
    check_status_change,
)
from licet_server.catalog.rules.releases import PublishedVersion, of_new_licenses
from licet_server.catalog.service.clocks import instant_of
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.recording import EVENTS
from licet_server.catalog.service.signing import (
    hold_signing_key,
    sign_labels,
    sign_release,
)
from licet_server.catalog.storage import releases as storage
from licet_server.catalog.storage.releases import RELEASES
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.look_ups import Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


async def create_release(
    work: UnitOfWork, operator: Operator, product_id: UUID, fields: Mapping[str, Any]
) -> Release:
    """Create a release of a product with these fields, by the names of `Release`.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the channel has this version.
    """
    product = await fetch_product(work.db, operator, product_id)
    return await add_release(work, product, **fields)


async def add_release(
    work: UnitOfWork,
    product: Product,
    *,
    version: str,
    channel: str,
    status: ReleaseStatus,
    notes: str | None,
    coverage: Coverage = Coverage.LICENSED,
) -> Release:
    """Create a release of a product that the caller may change.

    Raises:
        Refused: `Conflict` if the channel has this version.
    """
    work = work.at(await instant_of(work.db, product))
    release = Release(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        version=version,
        channel=channel,
        status=status,
        notes=notes,
        coverage=coverage,
        published_at=work.now if status is ReleaseStatus.PUBLISHED else None,
        created_at=work.now,
        updated_at=work.now,
    )
    if status is ReleaseStatus.PUBLISHED:
        await hold_signing_key(work, product.institution_id, product.id)
        release = await sign_release(work, release)
    await RELEASES.insert(work.db, release)
    await EVENTS.created(work, EventKind.RELEASE_CREATED, release)
    if status is ReleaseStatus.PUBLISHED:
        await EVENTS.happened(work, EventKind.RELEASE_PUBLISHED, release)
    return release


async def change_release(
    work: UnitOfWork, operator: Operator, release_id: UUID, change: Mapping[str, Any]
) -> Release:
    """Change the fields in `change`, by the names of `Release`.

    `published_at` is the first publication; a yanked release may be published again. A published
    release is signed again; one that was published before releases were signed is signed when it is
    published again.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the channel has this version, if a published
            release would become a draft again, or if its stored signature does not verify.
    """
    known = await fetch_release(work.db, operator, release_id)
    product = await fetch_product(work.db, operator, known.product_id)
    work = work.at(await instant_of(work.db, product))
    await hold_signing_key(work, known.institution_id, known.product_id)
    found = await RELEASES.lock(work.db, operator.visibility, release_id)
    current = operator.found(found, "release")
    changed = replace(current, **change)
    check_status_change(current.status, changed.status)
    is_unsigned = current.token is None and change.get("status") is ReleaseStatus.PUBLISHED
    if changed == current and not is_unsigned:
        return current
    is_published_now = (
        changed.status is ReleaseStatus.PUBLISHED and current.status is not ReleaseStatus.PUBLISHED
    )
    if is_published_now and changed.published_at is None:
        changed = replace(changed, published_at=work.now)
    changed = replace(changed, updated_at=work.now)
    if is_published_now or is_unsigned:
        changed = await sign_release(work, changed)
    else:
        changed = await sign_labels(work, current, changed)
    await RELEASES.save(work.db, changed)
    await EVENTS.changed(work, EventKind.RELEASE_UPDATED, current, changed)
    if is_published_now:
        await EVENTS.happened(work, EventKind.RELEASE_PUBLISHED, changed)
    return changed


async def delete_release(work: UnitOfWork, operator: Operator, release_id: UUID) -> None:
    """Delete a release that no license is bound to.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while licenses are bound to it.
    """
    release = await fetch_release(work.db, operator, release_id)
    await RELEASES.delete(work.db, release)
    await EVENTS.deleted(work, EventKind.RELEASE_DELETED, release)


async def list_releases(
    db: Connection, operator: Operator, product_id: UUID, paging: Paging
) -> Listing[Release]:
    """List the visible releases of a product."""
    product = await fetch_product(db, operator, product_id)
    visibility = operator.visibility.within(product.institution_id)
    return await storage.list_releases(db, visibility, product.id, paging)


async def fetch_release(source: Source, operator: Operator, release_id: UUID) -> Release:
    """Fetch a release that is visible to the operator."""
    return operator.found(await RELEASES.fetch(source, operator.visibility, release_id), "release")


async def release_of_new_licenses(db: Connection, product: Product) -> PublishedVersion | None:
    """Find the release that a license gets if none is named; `None` if none is published."""
    known = await storage.published_versions(db, product.institution_id, product.id)
    return of_new_licenses(known, product.settings.default_channel)
