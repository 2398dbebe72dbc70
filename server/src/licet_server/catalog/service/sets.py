"""Entitlement sets, which restrict licenses to a list of features."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from licet_server.catalog.rules.model import EntitlementSet
from licet_server.catalog.service.event_data import EventData, entitlement_set_data
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.storage import features as storage
from licet_server.catalog.storage.arrays import TenantKey
from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


async def create_entitlement_set(
    work: UnitOfWork,
    operator: Operator,
    product_id: UUID,
    *,
    name: str,
    feature_names: Sequence[str],
) -> EntitlementSet:
    """Create an entitlement set of a product; feature names are case-insensitive.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` naming every unknown feature,
            `Conflict` if the name is taken.
    """
    product = await fetch_product(work.db, operator, product_id)
    features = await _find_features(work, product.institution_id, product.id, feature_names)
    entitlement_set = EntitlementSet(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        name=name,
        feature_names=tuple(features.values()),
        created_at=work.now,
        updated_at=work.now,
    )
    await storage.insert_set(work.db, entitlement_set, list(features))
    changes = differences({}, entitlement_set_data(entitlement_set))
    await _record(work, EventKind.ENTITLEMENT_SET_CREATED, entitlement_set, changes)
    return entitlement_set


async def change_entitlement_set(
    work: UnitOfWork,
    operator: Operator,
    set_id: UUID,
    *,
    name: str | None,
    feature_names: Sequence[str] | None,
) -> EntitlementSet:
    """Rename a set or replace its features; `None` leaves them unchanged.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` naming every unknown feature,
            `Conflict` if the name is taken.
    """
    current = await _lock_set(work, operator, set_id)
    changed = current if name is None else replace(current, name=name)
    feature_ids: list[UUID] | None = None
    if feature_names is not None:
        features = await _find_features(
            work, current.institution_id, current.product_id, feature_names
        )
        feature_ids = list(features)
        changed = replace(changed, feature_names=tuple(features.values()))
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await storage.update_set(work.db, changed, feature_ids)
    changes = differences(entitlement_set_data(current), entitlement_set_data(changed))
    await _record(work, EventKind.ENTITLEMENT_SET_UPDATED, changed, changes)
    return changed


async def delete_entitlement_set(work: UnitOfWork, operator: Operator, set_id: UUID) -> None:
    """Delete a set that no license uses.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while licenses use it.
    """
    item = await _lock_set(work, operator, set_id)
    await storage.delete_set(work.db, item)
    await _record(
        work, EventKind.ENTITLEMENT_SET_DELETED, item, differences(entitlement_set_data(item), {})
    )


async def list_entitlement_sets(
    db: Connection, operator: Operator, product_id: UUID, paging: Paging
) -> Listing[EntitlementSet]:
    """The entitlement sets of a product.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    product = await fetch_product(db, operator, product_id)
    return await storage.list_sets(db, product.institution_id, product.id, paging)


async def fetch_entitlement_set(db: Connection, operator: Operator, set_id: UUID) -> EntitlementSet:
    """A set that is visible to the operator, with the role that the route requires.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    found = await storage.fetch_set(db, operator.visibility, set_id)
    return operator.found(found, "entitlement set")


async def find_entitlement_set(
    db: Connection, institution_id: UUID, product_id: UUID, set_id: UUID
) -> EntitlementSet | None:
    """The set, if it belongs to this product."""
    return await storage.find_set(db, institution_id, product_id, set_id)


async def entitled_features(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, list[str]]:
    """Feature names by set for (institution, set) pairs, in one statement.

    A set without features, which entitles to nothing, is omitted.
    """
    return await storage.fetch_entitled_features(db, keys) if keys else {}


async def _find_features(
    work: UnitOfWork, institution_id: UUID, product_id: UUID, names: Sequence[str]
) -> dict[UUID, str]:
    """Names by id, in the order given."""
    if not names:
        return {}
    found = await storage.find_features(work.db, institution_id, product_id, names)
    features: dict[UUID, str] = {}
    breaches: list[FieldError] = []
    for position, feature in enumerate(found):
        field = f"featureNames[{position}]"
        if feature is None:
            breaches.append(FieldError(field, "is not a feature of this product."))
        elif feature[0] in features:
            breaches.append(FieldError(field, "names a feature twice."))
        else:
            features[feature[0]] = feature[1]
    if breaches:
        raise bad_fields(breaches)
    return features


async def _lock_set(work: UnitOfWork, operator: Operator, set_id: UUID) -> EntitlementSet:
    item = await storage.lock_set(work.db, operator.visibility, set_id)
    return operator.found(item, "entitlement set")


async def _record(
    work: UnitOfWork, kind: EventKind, item: EntitlementSet, changes: EventData
) -> None:
    await record_event(
        work,
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.product_id,
        data=entitlement_set_data(item),
        changes=changes,
    )
