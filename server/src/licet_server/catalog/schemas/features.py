"""Wire shapes of features and entitlement sets."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.catalog.rules.model import (
    FEATURE_NAME_MAX,
    SET_FEATURES_MAX,
    EntitlementSet,
    Feature,
    label_breaches,
)
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Line, Name, Paragraphs
from licet_server.kit.web.body import Body, Change
from licet_server.kit.web.views import view_of

FeatureName = Annotated[str, Meta(min_length=1, max_length=FEATURE_NAME_MAX, pattern=r"\S")]
FeatureNames = Annotated[list[FeatureName], Meta(max_length=SET_FEATURES_MAX)]


class FeatureBody(Body):
    """A new feature."""

    name: FeatureName
    display_name: Line | None = None
    description: Paragraphs | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class FeatureChange(Change):
    """A change of a feature; a new name applies to every entitlement set that contains it."""

    name: FeatureName | UnsetType = UNSET
    display_name: Line | UnsetType | None = UNSET
    description: Paragraphs | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class EntitlementSetBody(Body):
    """A new entitlement set."""

    name: Name
    feature_names: FeatureNames

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class EntitlementSetChange(Change):
    """A change of an entitlement set; the given features replace the present ones."""

    name: Name | UnsetType = UNSET
    feature_names: FeatureNames | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class FeatureView(Struct, rename="camel"):
    """A feature."""

    id: UUID
    product_id: UUID
    name: str
    display_name: str | None
    description: str | None
    created_at: datetime


class EntitlementSetView(Struct, rename="camel"):
    """An entitlement set with its features, in the order given."""

    id: UUID
    product_id: UUID
    name: str
    feature_names: list[str]
    created_at: datetime
    updated_at: datetime


def feature_view(feature: Feature) -> FeatureView:
    return view_of(FeatureView, feature)


def entitlement_set_view(item: EntitlementSet) -> EntitlementSetView:
    return view_of(EntitlementSetView, item)
