"""Routes of features and entitlement sets."""

from uuid import UUID

from litestar.params import FromPath, JSONBody
from msgspec import UNSET
from msgspec.structs import asdict

from licet_server.catalog.schemas.features import (
    EntitlementSetBody,
    EntitlementSetChange,
    EntitlementSetView,
    FeatureBody,
    FeatureChange,
    FeatureView,
    entitlement_set_view,
    feature_view,
    requested_entries,
)
from licet_server.catalog.service import features
from licet_server.catalog.service.hooks import FeatureValueCounter
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.body import given
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
ROUTES = Routes("Features")
_FEATURES = "/api/products/{product_id:uuid}/features"
_FEATURE = "/api/features/{feature_id:uuid}"
_SETS = "/api/products/{product_id:uuid}/entitlement-sets"
_SET = "/api/entitlement-sets/{set_id:uuid}"


@ROUTES.get(_FEATURES, access=_READ)
async def list_features(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: FromPath[UUID],
) -> Listing[FeatureView]:
    """List the features of a product. Sorts by name, createdAt."""
    listing = await features.list_features(db, operator, product_id, paging)
    return listing.of(feature_view)


@ROUTES.post(_FEATURES, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def create_feature(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[FeatureBody],
) -> FeatureView:
    """Create a feature."""
    return feature_view(await features.create_feature(work, operator, product_id, asdict(data)))


@ROUTES.put(_FEATURE, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_feature(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    count_values: Given[FeatureValueCounter],
    feature_id: FromPath[UUID],
    data: JSONBody[FeatureChange],
) -> FeatureView:
    """Change a feature; a new name applies to every entitlement set that contains it.

    The kind is fixed while a set or a license has a value of the feature, and so is the name while
    a license has one. The problem says how many do.
    """
    changed = await features.change_feature(
        work, operator, feature_id, given(data), count_values=count_values
    )
    return feature_view(changed)


@ROUTES.delete(_FEATURE, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def delete_feature(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    count_values: Given[FeatureValueCounter],
    feature_id: FromPath[UUID],
) -> None:
    """Delete a feature that no entitlement set contains, and of which no license has a value."""
    await features.delete_feature(work, operator, feature_id, count_values=count_values)


@ROUTES.get(_SETS, access=_READ)
async def list_entitlement_sets(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: FromPath[UUID],
) -> Listing[EntitlementSetView]:
    """List the entitlement sets of a product. Sorts by name, createdAt, updatedAt."""
    listing = await features.list_entitlement_sets(db, operator, product_id, paging)
    return listing.of(entitlement_set_view)


@ROUTES.post(_SETS, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def create_entitlement_set(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[EntitlementSetBody],
) -> EntitlementSetView:
    """Create an entitlement set of existing features."""
    entitlement_set = await features.create_entitlement_set(
        work, operator, product_id, name=data.name, entries=requested_entries(data) or []
    )
    return entitlement_set_view(entitlement_set)


@ROUTES.put(_SET, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_entitlement_set(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    set_id: FromPath[UUID],
    data: JSONBody[EntitlementSetChange],
) -> EntitlementSetView:
    """Rename an entitlement set, or replace its features."""
    changed = await features.change_entitlement_set(
        work,
        operator,
        set_id,
        name=None if data.name is UNSET else data.name,
        entries=requested_entries(data),
    )
    return entitlement_set_view(changed)


@ROUTES.delete(_SET, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def delete_entitlement_set(
    work: Given[UnitOfWork], operator: Given[Operator], set_id: FromPath[UUID]
) -> None:
    """Delete an entitlement set that no license uses."""
    await features.delete_entitlement_set(work, operator, set_id)
