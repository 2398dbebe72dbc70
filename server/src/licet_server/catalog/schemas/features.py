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
    FeatureKind,
    FeatureValue,
)
from licet_server.catalog.rules.values import RequestedEntry
from licet_server.kit.characters import label_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Line, Name, Paragraphs
from licet_server.kit.web.body import Body, Change, ExactValue
from licet_server.kit.web.views import view_of

FeatureName = Annotated[str, Meta(min_length=1, max_length=FEATURE_NAME_MAX, pattern=r"\S")]
FeatureNames = Annotated[list[FeatureName], Meta(max_length=SET_FEATURES_MAX)]


class EntryBody(Body):
    """A feature of an entitlement set; a Number or a Text needs a value."""

    feature_name: FeatureName
    value: ExactValue | None = None


Entries = Annotated[list[EntryBody], Meta(max_length=SET_FEATURES_MAX)]


class FeatureBody(Body):
    """A new feature."""

    name: FeatureName
    kind: FeatureKind = FeatureKind.FLAG
    display_name: Line | None = None
    description: Paragraphs | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class FeatureChange(Change):
    """A change of a feature; a new name applies to every entitlement set that contains it."""

    name: FeatureName | UnsetType = UNSET
    kind: FeatureKind | UnsetType = UNSET
    display_name: Line | UnsetType | None = UNSET
    description: Paragraphs | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class EntitlementSetBody(Body):
    """A new entitlement set: `entries`, or without them `featureNames`, all of which are flags."""

    name: Name
    entries: Entries | UnsetType = UNSET
    feature_names: FeatureNames | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)
        if self.entries is UNSET and self.feature_names is UNSET:
            yield FieldError("entries", "is required, or featureNames in its place.")


class EntitlementSetChange(Change):
    """A change of an entitlement set; the given features replace the present ones.

    `featureNames` is read only where `entries` is absent.
    """

    name: Name | UnsetType = UNSET
    entries: Entries | UnsetType = UNSET
    feature_names: FeatureNames | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


class FeatureView(Struct, rename="camel"):
    """A feature."""

    id: UUID
    product_id: UUID
    name: str
    kind: FeatureKind
    display_name: str | None
    description: str | None
    created_at: datetime


class EntryView(Struct, rename="camel"):
    """A feature of an entitlement set; `value` is absent for a flag."""

    feature_name: str
    value: FeatureValue | UnsetType = UNSET


class EntitlementSetView(Struct, rename="camel"):
    """An entitlement set with its features, in the order given."""

    id: UUID
    product_id: UUID
    name: str
    entries: list[EntryView]
    feature_names: list[str]
    created_at: datetime
    updated_at: datetime


def feature_view(feature: Feature) -> FeatureView:
    return view_of(FeatureView, feature)


def entitlement_set_view(item: EntitlementSet) -> EntitlementSetView:
    return view_of(
        EntitlementSetView,
        item,
        entries=[
            EntryView(entry.feature_name, UNSET if entry.value is True else entry.value)
            for entry in item.entries
        ],
    )


def requested_entries(
    body: EntitlementSetBody | EntitlementSetChange,
) -> list[RequestedEntry] | None:
    """Return the features that a validated body names; `None` if it names none."""
    if body.entries is not UNSET:
        return [
            RequestedEntry(
                item.feature_name,
                f"entries[{at}].featureName",
                item.value,
                f"entries[{at}].value",
            )
            for at, item in enumerate(body.entries)
        ]
    if body.feature_names is UNSET:
        return None
    return [
        RequestedEntry(name, f"featureNames[{at}]", value_field=f"featureNames[{at}]")
        for at, name in enumerate(body.feature_names)
    ]
