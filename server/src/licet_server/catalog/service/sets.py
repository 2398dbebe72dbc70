"""Entitlement sets, which restrict licenses to a list of features."""

from dataclasses import replace
from uuid import UUID

from licet_server.catalog.rules.model import EntitlementSet, Entry
from licet_server.catalog.rules.values import RequestedEntries, granted_by
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.recording import (
    record_change,
    record_creation,
    record_deletion,
)
from licet_server.catalog.storage import sets as storage
from licet_server.catalog.storage.features import find_features
from licet_server.catalog.storage.sets import SETS
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_fields
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


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
    await record_creation(work, EventKind.ENTITLEMENT_SET_CREATED, entitlement_set)
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
    await record_change(work, EventKind.ENTITLEMENT_SET_UPDATED, current, changed)
    return changed


async def delete_entitlement_set(work: UnitOfWork, operator: Operator, set_id: UUID) -> None:
    """Delete a set that no license uses.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while licenses use it.
    """
    item = await _lock_set(work, operator, set_id)
    await SETS.delete(work.db, item)
    await record_deletion(work, EventKind.ENTITLEMENT_SET_DELETED, item)


async def list_entitlement_sets(
    db: Connection, operator: Operator, product_id: UUID, paging: Paging
) -> Listing[EntitlementSet]:
    """List the entitlement sets of a product.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    product = await fetch_product(db, operator, product_id)
    return await storage.list_sets(db, product.institution_id, product.id, paging)


async def fetch_entitlement_set(db: Connection, operator: Operator, set_id: UUID) -> EntitlementSet:
    """Fetch a set that is visible to the operator, who has the role that the route requires.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
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
