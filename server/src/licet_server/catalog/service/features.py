"""Features that a license of a product may entitle to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import EntitlementSet, Entry, Feature
from licet_server.catalog.rules.values import RequestedEntries, granted_by
from licet_server.catalog.service.hooks import FeatureValueCounter
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.recording import EVENTS
from licet_server.catalog.storage import features as storage
from licet_server.catalog.storage.features import FEATURES, SETS, find_features
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_fields
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork

_SETS_NAMED = 5


async def create_feature(
    work: UnitOfWork,
    operator: Operator,
    product_id: UUID,
    fields: Mapping[str, Any],
) -> Feature:
    """Create a feature of a product with these fields, by the names of `Feature`.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the name is taken.
    """
    product = await fetch_product(work.db, operator, product_id)
    feature = Feature(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        created_at=work.now,
        **fields,
    )
    await FEATURES.insert(work.db, feature)
    await EVENTS.created(work, EventKind.FEATURE_CREATED, feature)
    return feature


async def change_feature(
    work: UnitOfWork,
    operator: Operator,
    feature_id: UUID,
    change: Mapping[str, Any],
    *,
    count_values: FeatureValueCounter,
) -> Feature:
    """Change the fields in `change`, by the names of `Feature`; a new name applies to all sets.

    The kind is fixed while a set or a license has a value of the feature, and so is the name while
    a license has one.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the name is taken, or with the number of
            sets and licenses that prevent the change.
    """
    current = await lock_feature(work, operator, feature_id)
    changed = replace(current, **change)
    if changed == current:
        return current
    if (changed.name, changed.kind) != (current.name, current.kind):
        await _require_unused(work, current, changed, count_values)
    await FEATURES.save(work.db, changed)
    await EVENTS.changed(work, EventKind.FEATURE_UPDATED, current, changed)
    return changed


async def delete_feature(
    work: UnitOfWork, operator: Operator, feature_id: UUID, *, count_values: FeatureValueCounter
) -> None:
    """Delete a feature that no entitlement set contains, and of which no license has a value.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` naming the sets that contain it.
    """
    feature = await lock_feature(work, operator, feature_id)
    # Only for the message: the foreign key protects against a set created at the same time.
    set_names = await storage.fetch_sets_with(work.db, feature, _SETS_NAMED)
    if set_names:
        raise errors.feature_in_use(set_names)
    licenses = await _count_values(work, feature, count_values)
    if licenses:
        raise errors.feature_has_values("it cannot be deleted", sets=0, licenses=licenses)
    await FEATURES.delete(work.db, feature)
    await EVENTS.deleted(work, EventKind.FEATURE_DELETED, feature)


async def _require_unused(
    work: UnitOfWork, before: Feature, after: Feature, count_values: FeatureValueCounter
) -> None:
    """Check that nothing has a value; licenses with values lock the feature, so none is missed."""
    is_other_kind = before.kind is not after.kind
    licenses = await _count_values(work, before, count_values)
    sets = await storage.count_sets_with(work.db, before) if is_other_kind else 0
    if sets or licenses:
        fixed = "its kind cannot change" if is_other_kind else "its name cannot change"
        raise errors.feature_has_values(fixed, sets=sets, licenses=licenses)


async def _count_values(
    work: UnitOfWork, feature: Feature, count_values: FeatureValueCounter
) -> int:
    return await count_values(
        work,
        institution_id=feature.institution_id,
        product_id=feature.product_id,
        name=feature.name,
    )


async def list_features(
    db: Connection, operator: Operator, product_id: UUID, paging: Paging
) -> Listing[Feature]:
    product = await fetch_product(db, operator, product_id)
    return await storage.list_features(db, product.institution_id, product.id, paging)


async def list_feature_names(db: Connection, institution_id: UUID, product_id: UUID) -> list[str]:
    """List what a license without restrictions grants: the names of all features."""
    return await storage.list_feature_names(db, institution_id, product_id)


async def fetch_feature(db: Connection, operator: Operator, feature_id: UUID) -> Feature:
    """Fetch a feature that is visible to the operator, who has the role that the route requires."""
    return operator.found(await FEATURES.fetch(db, operator.visibility, feature_id), "feature")


async def lock_feature(work: UnitOfWork, operator: Operator, feature_id: UUID) -> Feature:
    """Fetch a feature `FOR NO KEY UPDATE`."""
    found = await FEATURES.lock(work.db, operator.visibility, feature_id)
    return operator.found(found, "feature")


async def share_features(
    db: Connection, institution_id: UUID, product_id: UUID, names: Sequence[str]
) -> list[Feature | None]:
    """Fetch the feature for each name, `None` for unknown ones, locked `FOR SHARE`."""
    await storage.share_features(db, institution_id, product_id, names)
    return await storage.find_features(db, institution_id, product_id, names)


async def create_entitlement_set(
    work: UnitOfWork,
    operator: Operator,
    product_id: UUID,
    *,
    name: str,
    entries: RequestedEntries,
) -> EntitlementSet:
    """Create an entitlement set of a product; feature names are case-insensitive.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` naming every unknown feature and every
            value that does not fit, `Conflict` if the name is taken.
    """
    product = await fetch_product(work.db, operator, product_id)
    granted = await _find_granted(work, product.institution_id, product.id, entries)
    entitlement_set = EntitlementSet(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        name=name,
        entries=_entries(granted),
        created_at=work.now,
        updated_at=work.now,
    )
    await storage.insert_set(work.db, entitlement_set, granted)
    await EVENTS.created(work, EventKind.ENTITLEMENT_SET_CREATED, entitlement_set)
    return entitlement_set


async def change_entitlement_set(
    work: UnitOfWork,
    operator: Operator,
    set_id: UUID,
    *,
    name: str | None,
    entries: RequestedEntries | None,
) -> EntitlementSet:
    """Rename a set or replace its features; `None` leaves them unchanged.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` naming every unknown feature and every
            value that does not fit, `Conflict` if the name is taken.
    """
    current = await _lock_set(work, operator, set_id)
    changed = current if name is None else replace(current, name=name)
    granted: storage.Granted | None = None
    if entries is not None:
        granted = await _find_granted(work, current.institution_id, current.product_id, entries)
        changed = replace(changed, entries=_entries(granted))
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await storage.update_set(work.db, changed, granted)
    await EVENTS.changed(work, EventKind.ENTITLEMENT_SET_UPDATED, current, changed)
    return changed


async def delete_entitlement_set(work: UnitOfWork, operator: Operator, set_id: UUID) -> None:
    """Delete a set that no license uses.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while licenses use it.
    """
    item = await _lock_set(work, operator, set_id)
    await SETS.delete(work.db, item)
    await EVENTS.deleted(work, EventKind.ENTITLEMENT_SET_DELETED, item)


async def list_entitlement_sets(
    db: Connection, operator: Operator, product_id: UUID, paging: Paging
) -> Listing[EntitlementSet]:
    product = await fetch_product(db, operator, product_id)
    return await storage.list_sets(db, product.institution_id, product.id, paging)


async def fetch_entitlement_set(db: Connection, operator: Operator, set_id: UUID) -> EntitlementSet:
    """Fetch a set that is visible to the operator, who has the role that the route requires."""
    found = await SETS.fetch(db, operator.visibility, set_id)
    return operator.found(found, "entitlement set")


async def _find_granted(
    work: UnitOfWork, institution_id: UUID, product_id: UUID, entries: RequestedEntries
) -> storage.Granted:
    """Return the features with their values, in the order given."""
    if not entries:
        return []
    names = [entry.name for entry in entries]
    features = await find_features(work.db, institution_id, product_id, names)
    granted, breaches = granted_by(features, entries)
    if breaches:
        raise bad_fields(breaches)
    return granted


def _entries(granted: storage.Granted) -> tuple[Entry, ...]:
    return tuple(Entry(feature.name, value) for feature, value in granted)


async def _lock_set(work: UnitOfWork, operator: Operator, set_id: UUID) -> EntitlementSet:
    item = await storage.lock_set(work.db, operator.visibility, set_id)
    return operator.found(item, "entitlement set")
