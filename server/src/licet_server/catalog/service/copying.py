"""Copies what a product contains into another one: features, entitlement sets, releases."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.catalog.rules.model import Product
from licet_server.catalog.service.recording import EVENTS
from licet_server.catalog.storage import features as storage
from licet_server.catalog.storage.features import FEATURES
from licet_server.catalog.storage.releases import RELEASES, fetch_published
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.unit_of_work import UnitOfWork

RELEASES_COPIED = 100


async def copy_contents(work: UnitOfWork, source: Product, copy: Product) -> dict[UUID, UUID]:
    """Copy features, entitlement sets and the latest published releases, without their files.

    Releases keep the dates of their publication, which maintenance goes by. The copy has no signing
    key yet, whose creation signs them.

    Returns:
        The ids of the new entitlement sets, by those of the sets that they are copies of.
    """
    features = await storage.fetch_features(work.db, source.institution_id, source.id)
    copies = [replace(item, **_new(work, copy)) for item in features]
    await FEATURES.insert_all(work.db, copies)
    for feature in copies:
        await EVENTS.created(work, EventKind.FEATURE_CREATED, feature)
    by_name = {feature.name: feature for feature in copies}
    sets: dict[UUID, UUID] = {}
    for item in await storage.fetch_sets(work.db, source.institution_id, source.id):
        made = replace(item, **_new(work, copy), updated_at=work.now)
        granted = [(by_name[entry.feature_name], entry.value) for entry in item.entries]
        await storage.insert_set(work.db, made, granted)
        await EVENTS.created(work, EventKind.ENTITLEMENT_SET_CREATED, made)
        sets[item.id] = made.id
    place = source.institution_id, source.id
    for release in reversed(await fetch_published(work.db, *place, RELEASES_COPIED)):
        published = replace(release, **_new(work, copy), updated_at=work.now, token=None)
        await RELEASES.insert(work.db, published)
        await EVENTS.created(work, EventKind.RELEASE_CREATED, published)
    return sets


def _new(work: UnitOfWork, copy: Product) -> dict[str, Any]:
    return {"id": work.new_id(), "product_id": copy.id, "created_at": work.now}
