"""Queries of entitlement sets."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.exc import IntegrityError

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    EntitlementSet,
    Entry,
    Feature,
    FeatureKind,
    FeatureValue,
)
from licet_server.catalog.storage.arrays import TenantKey, wanted_keys
from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.catalog.tables import entitlement_set_features as members
from licet_server.catalog.tables import entitlement_sets as sets
from licet_server.catalog.tables import features, products
from licet_server.kit.database import Connection, Json
from licet_server.kit.errors import Refused, bad_field, not_found
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.rows import refuse_violations
from licet_server.kit.visibility import Visibility

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(sets.c.name),
    "createdAt": sets.c.id,
    "updatedAt": sets.c.updated_at,
}

_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "entitlement_sets_name_key": errors.entitlement_set_name_taken,
    "entitlement_sets_institution_id_product_id_fkey": lambda: not_found("product"),
    "entitlement_set_features_feature_fkey": lambda: bad_field(
        "entries", "names a feature that has just been changed or deleted. Try again."
    ),
}

_ENTRIES = (
    select(
        func.jsonb_agg(
            aggregate_order_by(
                func.jsonb_build_array(features.c.name, members.c.value), members.c.position
            ),
            type_=Json,
        )
    )
    .join(
        features,
        and_(
            features.c.institution_id == members.c.institution_id,
            features.c.id == members.c.feature_id,
        ),
    )
    .where(
        members.c.institution_id == sets.c.institution_id,
        members.c.entitlement_set_id == sets.c.id,
    )
    .correlate(sets)
    .scalar_subquery()
    .label("entries")
)

Granted = Sequence[tuple[Feature, FeatureValue]]
"""The features of a set with their values, in order."""


def _set(row: Row[Any]) -> EntitlementSet:
    stored = dict(row._mapping)
    entries = [Entry(name, _value(value)) for name, value in stored["entries"] or ()]
    return EntitlementSet(**{**stored, "entries": tuple(entries)})


def _value(stored: FeatureValue | None) -> FeatureValue:
    return True if stored is None else stored


def _sets() -> Select[Any]:
    return select(sets, _ENTRIES)


def _same_set(item: EntitlementSet) -> ColumnElement[bool]:
    return and_(sets.c.institution_id == item.institution_id, sets.c.id == item.id)


def _columns_of(item: EntitlementSet) -> dict[str, Any]:
    stored = asdict(item)
    del stored["entries"]
    return stored


async def insert_set(db: Connection, item: EntitlementSet, granted: Granted) -> None:
    """Raises `Refused`: `Conflict` if the product has this name, or a feature was changed."""
    with refuse_violations(_REFUSALS):
        await db.execute(insert(sets).values(**_columns_of(item)))
        await _insert_members(db, item, granted)


async def update_set(db: Connection, item: EntitlementSet, granted: Granted | None) -> None:
    """Save the set; `granted` replaces its features unless `None`. Raises `Refused`."""
    with refuse_violations(_REFUSALS):
        await db.execute(update(sets).where(_same_set(item)).values(**_columns_of(item)))
        if granted is not None:
            await db.execute(
                delete(members).where(
                    members.c.institution_id == item.institution_id,
                    members.c.entitlement_set_id == item.id,
                )
            )
            await _insert_members(db, item, granted)


async def _insert_members(db: Connection, item: EntitlementSet, granted: Granted) -> None:
    rows = [
        {
            "institution_id": item.institution_id,
            "product_id": item.product_id,
            "entitlement_set_id": item.id,
            "feature_id": feature.id,
            "kind": feature.kind,
            "value": None if feature.kind is FeatureKind.FLAG else value,
            "position": position,
        }
        for position, (feature, value) in enumerate(granted)
    ]
    if rows:
        await db.execute(insert(members), rows)


async def delete_set(db: Connection, item: EntitlementSet) -> None:
    """Raises `Refused` (Conflict) while licenses use it."""
    try:
        await db.execute(delete(sets).where(_same_set(item)))
    except IntegrityError:
        raise errors.entitlement_set_in_use() from None


async def list_sets(
    db: Connection, institution_id: UUID, product_id: UUID, paging: Paging
) -> Listing[EntitlementSet]:
    statement = _sets().where(
        sets.c.institution_id == institution_id, sets.c.product_id == product_id
    )
    listing = await fetch_listing(db, statement, paging, id_column=sets.c.id, sortable=_SORTABLE)
    return listing.of(_set)


async def find_set(
    db: Connection, institution_id: UUID, product_id: UUID, set_id: UUID
) -> EntitlementSet | None:
    statement = _sets().where(
        sets.c.institution_id == institution_id,
        sets.c.product_id == product_id,
        sets.c.id == set_id,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _set(row)


async def fetch_set(db: Connection, visibility: Visibility, set_id: UUID) -> EntitlementSet | None:
    statement = _sets().where(
        product_visible_to(visibility, sets.c.institution_id, sets.c.product_id),
        sets.c.id == set_id,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _set(row)


async def lock_set(db: Connection, visibility: Visibility, set_id: UUID) -> EntitlementSet | None:
    """Fetch a set `FOR NO KEY UPDATE`.

    The product is locked first, as for its deletion, which prevents a deadlock.
    """
    mine = and_(
        product_visible_to(visibility, sets.c.institution_id, sets.c.product_id),
        sets.c.id == set_id,
    )
    product = (
        select(products.c.id)
        .join(
            sets,
            and_(
                sets.c.institution_id == products.c.institution_id,
                sets.c.product_id == products.c.id,
            ),
        )
        .where(mine)
        .with_for_update(read=True, key_share=True, of=products)
    )
    await db.execute(product)
    await db.execute(select(sets.c.id).where(mine).with_for_update(key_share=True, of=sets))
    row = (await db.execute(_sets().where(mine))).one_or_none()
    return None if row is None else _set(row)


_ENTITLED = (
    select(members.c.entitlement_set_id, features.c.name, members.c.value)
    .select_from(
        wanted_keys.table.join(
            members,
            and_(
                members.c.institution_id == wanted_keys.c.institution_id,
                members.c.entitlement_set_id == wanted_keys.c.id,
            ),
        ).join(
            features,
            and_(
                features.c.institution_id == members.c.institution_id,
                features.c.id == members.c.feature_id,
            ),
        )
    )
    .order_by(members.c.entitlement_set_id, members.c.position)
)


async def fetch_entitled_features(
    db: Connection, keys: Sequence[TenantKey]
) -> dict[UUID, dict[str, FeatureValue]]:
    """Values by name by set, in the set's order; a set without features is omitted."""
    entitled: defaultdict[UUID, dict[str, FeatureValue]] = defaultdict(dict)
    for set_id, name, value in await db.execute(_ENTITLED, wanted_keys.given(dict.fromkeys(keys))):
        entitled[set_id][name] = _value(value)
    return dict(entitled)
