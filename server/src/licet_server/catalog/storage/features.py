"""Queries of features."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    and_,
    delete,
    func,
    insert,
    literal,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    EntitlementSet,
    Feature,
    FeatureKey,
    FeatureKind,
    FeatureValue,
)
from licet_server.catalog.storage.products import (
    TenantKey,
    product_visible_to,
    wanted_features,
    wanted_keys,
    wanted_names,
)
from licet_server.catalog.tables import entitlement_set_features as members
from licet_server.catalog.tables import entitlement_sets as sets
from licet_server.catalog.tables import features, products
from licet_server.kit.database import Connection, Json, String
from licet_server.kit.errors import Refused, bad_field, not_found
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.visibility import Visibility


def _features_within(visibility: Visibility) -> ColumnElement[bool]:
    return product_visible_to(visibility, features.c.institution_id, features.c.product_id)


def _of_product(institution_id: UUID, product_id: UUID) -> ColumnElement[bool]:
    return and_(features.c.institution_id == institution_id, features.c.product_id == product_id)


FEATURES = Rows(
    features,
    Feature,
    _features_within,
    sortable={"name": func.lower(features.c.name), "createdAt": features.c.id},
    refusals={
        "features_name_key": errors.feature_name_taken,
        "features_institution_id_product_id_fkey": lambda: not_found("product"),
        "entitlement_set_features_feature_fkey": errors.feature_kind_in_use,
    },
    in_use=errors.feature_in_use,
)


async def list_features(
    db: Connection, institution_id: UUID, product_id: UUID, paging: Paging
) -> Listing[Feature]:
    vendor = Visibility((institution_id,))
    return await FEATURES.page(db, vendor, paging, _features_of, product_id)


def _features_of(product_id: UUID) -> list[ColumnElement[bool]]:
    return [features.c.product_id == product_id]


async def fetch_features(db: Connection, institution_id: UUID, product_id: UUID) -> list[Feature]:
    """Fetch all features of a product, in the order of their creation."""
    of_institution = features.c.institution_id == institution_id
    statement = FEATURES.select(of_institution, *_features_of(product_id))
    return await FEATURES.all(db, statement.order_by(features.c.id))


async def list_feature_names(db: Connection, institution_id: UUID, product_id: UUID) -> list[str]:
    """List the names of a product's features, in the order of their creation."""
    return list(await db.scalars(*_names_of(institution_id, product_id)))


@kept
def _names_of(institution_id: UUID, product_id: UUID) -> Select[Any]:
    return (
        select(features.c.name)
        .where(_of_product(institution_id, product_id))
        .order_by(features.c.id)
    )


_NAMED = (
    FEATURES.select(
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


async def find_features_named(
    db: Connection, keys: Sequence[FeatureKey]
) -> dict[FeatureKey, Feature]:
    """Fetch the features with these names, by the names as given; unknown ones are omitted."""
    if not keys:
        return {}
    rows = await db.execute(_BY_NAMES, wanted_features.given(list(dict.fromkeys(keys))))
    found = [(row.wanted_name, FEATURES.item(row)) for row in rows]
    return {(item.institution_id, item.product_id, name): item for name, item in found}


_SPELLED = Arrays("spelled", name=String)


async def find_spellings(
    db: Connection, visibility: Visibility, names: Sequence[str]
) -> dict[str, str]:
    """Return how the visible features of these names are spelled; unknown names are omitted.

    Products that spell a name differently count as one, with the first spelling in the alphabet.
    """
    if not names:
        return {}
    same = func.lower(features.c.name) == func.lower(_SPELLED.c.name)
    statement = (
        select(_SPELLED.c.name, func.min(features.c.name).label("spelling"))
        .select_from(features.join(_SPELLED.table, same))
        .where(visible_to(visibility, features.c.institution_id, features.c.product_id))
        .group_by(_SPELLED.c.name)
    )
    given = _SPELLED.given([(name,) for name in names])
    return {row.name: row.spelling for row in await db.execute(statement, given)}


async def find_features(
    db: Connection, institution_id: UUID, product_id: UUID, names: Sequence[str]
) -> list[Feature | None]:
    """Fetch the feature for each name, compared without case; `None` for unknown ones."""
    same = and_(_of_product(institution_id, product_id), _NAMED_SO)
    statement = (
        FEATURES.select()
        .select_from(wanted_names.outerjoin(features, same))
        .order_by(wanted_names.c.position)
    )
    rows = await db.execute(statement, {"names": list(names)})
    return [None if row.id is None else FEATURES.item(row) for row in rows]


_NAMED_SO = func.lower(features.c.name) == func.lower(wanted_names.c.name)


async def share_features(
    db: Connection, institution_id: UUID, product_id: UUID, names: Sequence[str]
) -> None:
    """Lock the features of these names `FOR SHARE`, so that they stay as they are.

    The product is locked first, as for its deletion, which prevents a deadlock.
    """
    product = select(products.c.id).where(
        products.c.institution_id == institution_id, products.c.id == product_id
    )
    await db.execute(product.with_for_update(read=True, key_share=True))
    statement = (
        select(features.c.id)
        .join(wanted_names, _NAMED_SO)
        .where(_of_product(institution_id, product_id))
        .with_for_update(read=True, of=features)
    )
    await db.execute(statement, {"names": list(names)})


async def count_sets_with(db: Connection, feature: Feature) -> int:
    """Count the entitlement sets that contain the feature."""
    statement = select(func.count()).where(
        members.c.institution_id == feature.institution_id, members.c.feature_id == feature.id
    )
    return int((await db.execute(statement)).scalar_one())


async def fetch_sets_with(db: Connection, feature: Feature, limit: int) -> list[str]:
    """Fetch the names of entitlement sets that contain the feature."""
    statement = (
        select(sets.c.name)
        .join(members, _OF_SET)
        .where(
            sets.c.institution_id == feature.institution_id,
            members.c.institution_id == feature.institution_id,
            members.c.feature_id == feature.id,
        )
        .order_by(sets.c.name)
        .limit(limit)
    )
    return list((await db.execute(statement)).scalars())


_OF_FEATURE = and_(
    features.c.institution_id == members.c.institution_id, features.c.id == members.c.feature_id
)
_OF_SET = and_(
    members.c.institution_id == sets.c.institution_id, members.c.entitlement_set_id == sets.c.id
)
_ENTRIES = (
    select(
        func.jsonb_agg(
            aggregate_order_by(
                func.jsonb_build_object(
                    "feature_name",
                    features.c.name,
                    "value",
                    func.coalesce(members.c.value, literal(True, Json)),
                ),
                members.c.position,
            ),
            type_=Json,
        )
    )
    .join(features, _OF_FEATURE)
    .where(_OF_SET)
    .correlate(sets)
    .scalar_subquery()
)


def _sets_within(visibility: Visibility) -> ColumnElement[bool]:
    return product_visible_to(visibility, sets.c.institution_id, sets.c.product_id)


SETS = Rows(
    sets,
    EntitlementSet,
    _sets_within,
    computed={"entries": func.coalesce(_ENTRIES, literal([], Json))},
    sortable={
        "name": func.lower(sets.c.name),
        "createdAt": sets.c.id,
        "updatedAt": sets.c.updated_at,
    },
    refusals={
        "entitlement_sets_name_key": errors.entitlement_set_name_taken,
        "entitlement_sets_institution_id_product_id_fkey": lambda: not_found("product"),
    },
    in_use=errors.entitlement_set_in_use,
)

Granted = Sequence[tuple[Feature, FeatureValue]]
"""The features of a set with their values, in order."""


async def insert_set(db: Connection, item: EntitlementSet, granted: Granted) -> None:
    """Insert a set with its features.

    Raises:
        Refused: `Conflict` if the product has this name, `InvalidRequest` if a feature was changed.
    """
    await SETS.insert(db, item)
    await _insert_members(db, item, granted)


async def update_set(db: Connection, item: EntitlementSet, granted: Granted | None) -> None:
    """Store a set; `granted` replaces its features unless `None`.

    Raises:
        Refused: as `insert_set`.
    """
    await SETS.save(db, item)
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
        with refuse_violations({"entitlement_set_features_feature_fkey": _feature_changed}):
            await db.execute(insert(members), rows)


def _feature_changed() -> Refused:
    return bad_field("entries", "names a feature that has just been changed or deleted. Try again.")


async def list_sets(
    db: Connection, institution_id: UUID, product_id: UUID, paging: Paging
) -> Listing[EntitlementSet]:
    vendor = Visibility((institution_id,))
    return await SETS.page(db, vendor, paging, _sets_of, product_id)


async def fetch_sets(
    db: Connection, institution_id: UUID, product_id: UUID
) -> list[EntitlementSet]:
    """Fetch all entitlement sets of a product, in the order of their creation."""
    of_institution = sets.c.institution_id == institution_id
    statement = SETS.select(of_institution, *_sets_of(product_id))
    return await SETS.all(db, statement.order_by(sets.c.id))


def _sets_of(product_id: UUID) -> list[ColumnElement[bool]]:
    return [sets.c.product_id == product_id]


async def find_entitlement_set(
    db: Connection, institution_id: UUID, product_id: UUID, set_id: UUID
) -> EntitlementSet | None:
    """Fetch a set if it belongs to this product."""
    return await SETS.one(db, *_set_of(institution_id, product_id, set_id))


@kept
def _set_of(institution_id: UUID, product_id: UUID, set_id: UUID) -> Select[Any]:
    of_product = and_(sets.c.institution_id == institution_id, sets.c.product_id == product_id)
    return SETS.select(of_product, sets.c.id == set_id)


async def lock_set(db: Connection, visibility: Visibility, set_id: UUID) -> EntitlementSet | None:
    """Fetch a set `FOR NO KEY UPDATE`.

    The product is locked first, as for its deletion, which prevents a deadlock.
    """
    mine = and_(_sets_within(visibility), sets.c.id == set_id)
    product = (
        select(products.c.id)
        .join(sets)
        .where(mine)
        .with_for_update(read=True, key_share=True, of=products)
    )
    await db.execute(product)
    await db.execute(select(sets.c.id).where(mine).with_for_update(key_share=True, of=sets))
    return await SETS.fetch(db, visibility, set_id)


_ENTITLED = (
    select(members.c.entitlement_set_id, features.c.name, members.c.value)
    .select_from(
        wanted_keys.table.join(
            members,
            and_(
                members.c.institution_id == wanted_keys.c.institution_id,
                members.c.entitlement_set_id == wanted_keys.c.id,
            ),
        ).join(features, _OF_FEATURE)
    )
    .order_by(members.c.entitlement_set_id, members.c.position)
)


async def entitled_features(
    db: Connection, keys: Sequence[TenantKey]
) -> dict[UUID, dict[str, FeatureValue]]:
    """Fetch feature values by name by set for (institution, set) pairs, in one statement.

    They are in the order of the set. A set without features, which entitles to nothing, is omitted.
    """
    entitled: defaultdict[UUID, dict[str, FeatureValue]] = defaultdict(dict)
    rows = await db.execute(_ENTITLED, wanted_keys.given(dict.fromkeys(keys))) if keys else ()
    for set_id, name, value in rows:
        entitled[set_id][name] = True if value is None else value
    return dict(entitled)


def feature_named(
    institution_id: ColumnElement[Any], product_id: ColumnElement[Any], name: ColumnElement[Any]
) -> FromClause:
    """Return a subquery of `name` of the feature of this name, compared without case, if any."""
    return (
        select(features.c.name)
        .where(
            features.c.institution_id == institution_id,
            features.c.product_id == product_id,
            func.lower(features.c.name) == func.lower(name),
        )
        .limit(1)
        .lateral("feature_named")
    )


def granted_features() -> FromClause:
    """Return a subquery of the entries of all sets, with the names of their features."""
    return (
        select(
            members.c.institution_id,
            members.c.product_id,
            members.c.entitlement_set_id,
            features.c.name,
            members.c.value,
        )
        .join(features, _OF_FEATURE)
        .subquery("granted")
    )
