"""Queries of features."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, select, true

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Feature, FeatureKey
from licet_server.catalog.storage.arrays import wanted_features, wanted_names
from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.catalog.tables import entitlement_set_features as members
from licet_server.catalog.tables import entitlement_sets as sets
from licet_server.catalog.tables import features, products
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, String
from licet_server.kit.errors import not_found
from licet_server.kit.filters import visible_to
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
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
    """List the features of a product."""
    vendor = Visibility((institution_id,))
    return await FEATURES.page(db, vendor, paging, features.c.product_id == product_id)


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
