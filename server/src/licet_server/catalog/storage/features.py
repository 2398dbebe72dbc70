"""Queries of features and entitlement sets."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, insert, select, true, update
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.exc import IntegrityError

from licet_server.catalog import errors
from licet_server.catalog.rules.model import EntitlementSet, Feature, FeatureKey
from licet_server.catalog.storage.arrays import (
    TenantKey,
    wanted_features,
    wanted_keys,
    wanted_names,
)
from licet_server.catalog.storage.refusals import refuse_violations
from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.catalog.tables import entitlement_set_features as members
from licet_server.catalog.tables import entitlement_sets as sets
from licet_server.catalog.tables import features, products
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, String
from licet_server.kit.errors import Refused, bad_field, not_found
from licet_server.kit.filters import visible_to
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.visibility import Visibility

_FEATURES_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(features.c.name),
    "createdAt": features.c.id,
}
_SETS_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(sets.c.name),
    "createdAt": sets.c.id,
    "updatedAt": sets.c.updated_at,
}

_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "features_name_key": errors.feature_name_taken,
    "features_institution_id_product_id_fkey": lambda: not_found("product"),
    "entitlement_sets_name_key": errors.entitlement_set_name_taken,
    "entitlement_sets_institution_id_product_id_fkey": lambda: not_found("product"),
    "entitlement_set_features_feature_fkey": lambda: bad_field(
        "featureNames", "names a feature that has just been deleted."
    ),
}

_FEATURE_NAMES = (
    select(func.array_agg(aggregate_order_by(features.c.name, members.c.position)))
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
    .label("feature_names")
)


_FEATURE_COLUMNS = [column.name for column in features.c]


def _feature(row: Row[Any]) -> Feature:
    return Feature(**row._mapping)


def _set(row: Row[Any]) -> EntitlementSet:
    stored = dict(row._mapping)
    return EntitlementSet(**{**stored, "feature_names": tuple(stored["feature_names"] or ())})


async def insert_feature(db: Connection, feature: Feature) -> None:
    """Raises `Refused` (Conflict) if the product has this name."""
    with refuse_violations(_REFUSALS):
        await db.execute(insert(features).values(**asdict(feature)))


async def update_feature(db: Connection, feature: Feature) -> None:
    """Raises `Refused` (Conflict) if the product has this name."""
    statement = update(features).where(
        features.c.institution_id == feature.institution_id, features.c.id == feature.id
    )
    with refuse_violations(_REFUSALS):
        await db.execute(statement.values(**asdict(feature)))


async def delete_feature(db: Connection, feature: Feature) -> None:
    """Raises `Refused` (Conflict) while anything refers to it."""
    try:
        await db.execute(
            delete(features).where(
                features.c.institution_id == feature.institution_id, features.c.id == feature.id
            )
        )
    except IntegrityError:
        raise errors.feature_in_use() from None


async def list_features(
    db: Connection, institution_id: UUID, product_id: UUID, paging: Paging
) -> Listing[Feature]:
    statement = select(features).where(
        features.c.institution_id == institution_id, features.c.product_id == product_id
    )
    listing = await fetch_listing(
        db, statement, paging, id_column=features.c.id, sortable=_FEATURES_SORTABLE
    )
    return listing.of(_feature)


_NAMED = (
    select(features)
    .where(
        features.c.institution_id == wanted_features.c.institution_id,
        features.c.product_id == wanted_features.c.product_id,
        func.lower(features.c.name) == func.lower(wanted_features.c.name),
    )
    .limit(1)
    .lateral("named")
)
_BY_NAMES = select(wanted_features.c.name.label("wanted_name"), _NAMED).select_from(
    wanted_features.table.join(_NAMED, true())
)


async def fetch_named(db: Connection, keys: Sequence[FeatureKey]) -> dict[FeatureKey, Feature]:
    """The features with these names, by the names as given; unknown ones are omitted."""
    found: dict[FeatureKey, Feature] = {}
    for wanted, *stored in await db.execute(_BY_NAMES, wanted_features.given(keys)):
        feature = Feature(**dict(zip(_FEATURE_COLUMNS, stored, strict=True)))
        found[feature.institution_id, feature.product_id, wanted] = feature
    return found


_SPELLED = Arrays("spelled", name=String)


async def fetch_spellings(
    db: Connection, visibility: Visibility, names: Sequence[str]
) -> dict[str, str]:
    """How the visible features of these names are spelled; unknown names are omitted.

    Products that spell a name differently count as one, with the first spelling in the alphabet.
    """
    same = func.lower(features.c.name) == func.lower(_SPELLED.c.name)
    statement = (
        select(_SPELLED.c.name, func.min(features.c.name).label("spelling"))
        .select_from(features.join(_SPELLED.table, same))
        .where(visible_to(visibility, features.c.institution_id, features.c.product_id))
        .group_by(_SPELLED.c.name)
    )
    given = _SPELLED.given([(name,) for name in names])
    return {row.name: row.spelling for row in await db.execute(statement, given)}


def _visible_feature(visibility: Visibility, feature_id: UUID) -> Select[Any]:
    mine = product_visible_to(visibility, features.c.institution_id, features.c.product_id)
    return select(features).where(mine, features.c.id == feature_id)


async def fetch_feature(db: Connection, visibility: Visibility, feature_id: UUID) -> Feature | None:
    statement = _visible_feature(visibility, feature_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _feature(row)


async def lock_feature(db: Connection, visibility: Visibility, feature_id: UUID) -> Feature | None:
    """Fetch a feature `FOR NO KEY UPDATE`."""
    statement = _visible_feature(visibility, feature_id).with_for_update(
        key_share=True, of=features
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _feature(row)


async def find_features(
    db: Connection, institution_id: UUID, product_id: UUID, names: Sequence[str]
) -> list[tuple[UUID, str] | None]:
    """Id and name for each of `names`, compared case-insensitively; `None` for unknown ones."""
    same = and_(
        features.c.institution_id == institution_id,
        features.c.product_id == product_id,
        func.lower(features.c.name) == func.lower(wanted_names.c.name),
    )
    statement = (
        select(features.c.id, features.c.name)
        .select_from(wanted_names.outerjoin(features, same))
        .order_by(wanted_names.c.position)
    )
    rows = await db.execute(statement, {"names": list(names)})
    return [None if row.id is None else (row.id, row.name) for row in rows]


async def fetch_sets_with(db: Connection, feature: Feature, limit: int) -> list[str]:
    """The names of entitlement sets that contain the feature."""
    statement = (
        select(sets.c.name)
        .join(
            members,
            and_(
                members.c.institution_id == sets.c.institution_id,
                members.c.entitlement_set_id == sets.c.id,
            ),
        )
        .where(
            sets.c.institution_id == feature.institution_id,
            members.c.institution_id == feature.institution_id,
            members.c.feature_id == feature.id,
        )
        .order_by(sets.c.name)
        .limit(limit)
    )
    return list((await db.execute(statement)).scalars())


def _sets() -> Select[Any]:
    return select(sets, _FEATURE_NAMES)


def _same_set(item: EntitlementSet) -> ColumnElement[bool]:
    return and_(sets.c.institution_id == item.institution_id, sets.c.id == item.id)


def _columns_of(item: EntitlementSet) -> dict[str, Any]:
    stored = asdict(item)
    del stored["feature_names"]
    return stored


async def insert_set(db: Connection, item: EntitlementSet, feature_ids: Sequence[UUID]) -> None:
    """Raises `Refused`: `Conflict` if the product has this name, or a feature was deleted."""
    with refuse_violations(_REFUSALS):
        await db.execute(insert(sets).values(**_columns_of(item)))
        await _insert_members(db, item, feature_ids)


async def update_set(
    db: Connection, item: EntitlementSet, feature_ids: Sequence[UUID] | None
) -> None:
    """Save the set; `feature_ids` replaces its features unless `None`. Raises `Refused`."""
    with refuse_violations(_REFUSALS):
        await db.execute(update(sets).where(_same_set(item)).values(**_columns_of(item)))
        if feature_ids is not None:
            await db.execute(
                delete(members).where(
                    members.c.institution_id == item.institution_id,
                    members.c.entitlement_set_id == item.id,
                )
            )
            await _insert_members(db, item, feature_ids)


async def _insert_members(
    db: Connection, item: EntitlementSet, feature_ids: Sequence[UUID]
) -> None:
    rows = [
        {
            "institution_id": item.institution_id,
            "product_id": item.product_id,
            "entitlement_set_id": item.id,
            "feature_id": feature_id,
            "position": position,
        }
        for position, feature_id in enumerate(feature_ids)
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
    listing = await fetch_listing(
        db, statement, paging, id_column=sets.c.id, sortable=_SETS_SORTABLE
    )
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
    select(members.c.entitlement_set_id, features.c.name)
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
) -> dict[UUID, list[str]]:
    """Feature names by set, in the set's order; a set without features is omitted."""
    entitled: defaultdict[UUID, list[str]] = defaultdict(list)
    for row in await db.execute(_ENTITLED, wanted_keys.given(dict.fromkeys(keys))):
        entitled[row.entitlement_set_id].append(row.name)
    return dict(entitled)
