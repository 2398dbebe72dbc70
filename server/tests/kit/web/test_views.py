"""Views built from what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import msgspec
import pytest

from licet_server.kit.web.views import view_of, view_with, views_with


class View(msgspec.Struct, rename="camel"):
    seat_count: int
    name: str
    status: str


class StoredStruct(msgspec.Struct, frozen=True):
    seat_count: int
    name: str
    status: str = "stored"
    secret: str = "hidden"


@dataclass(frozen=True)
class StoredRow:
    seat_count: int
    name: str


class WithProperty(msgspec.Struct, frozen=True):
    seats: tuple[int, ...]
    name: str

    @property
    def seat_count(self) -> int:
        return len(self.seats)


@pytest.mark.parametrize(
    "item",
    [
        pytest.param(StoredStruct(2, "Desk"), id="struct"),
        pytest.param(StoredRow(2, "Desk"), id="dataclass"),
        pytest.param(WithProperty((1, 2), "Desk"), id="struct with a property"),
    ],
)
def test_a_view_has_the_attributes_and_what_is_computed_wins(item: object) -> None:
    view = view_of(View, item, status="Active")
    assert msgspec.to_builtins(view) == {"seatCount": 2, "name": "Desk", "status": "Active"}


class NameOnly(msgspec.Struct):
    name: str


class Computed(msgspec.Struct):
    status: str


@pytest.mark.parametrize("item", [StoredStruct(2, "Desk"), StoredRow(2, "Desk")], ids=str)
def test_what_is_computed_may_be_a_struct(item: object) -> None:
    assert view_with(View, item, Computed("Active")) == view_of(View, item, status="Active")


def test_a_view_may_have_one_field_of_many() -> None:
    assert view_of(NameOnly, StoredStruct(2, "Desk"), name="Chair") == NameOnly("Chair")


class Described(msgspec.Struct):
    name: str
    size: int
    tags: list[str]
    labels: dict[str, str] | None
    status: str


class StoredDescription(msgspec.Struct, frozen=True):
    name: str
    tags: tuple[str, ...]
    labels: Mapping[str, str] | None

    @property
    def size(self) -> int:
        return len(self.tags)


@pytest.mark.parametrize("times", [1, 2])
def test_the_views_of_a_list_are_those_of_its_items(times: int) -> None:
    """A few are built one by one, many column by column."""
    items = [
        StoredDescription("nothing", (), None),
        StoredDescription("empty", (), MappingProxyType({})),
        StoredDescription("much", ("a", "b"), {"color": "red"}),
    ] * times
    computed = [Computed(f"status {number}") for number in range(3)] * times
    views = views_with(Described, items, computed)
    assert (
        views
        == [
            Described("nothing", 0, [], None, "status 0"),
            Described("empty", 0, [], {}, "status 1"),
            Described("much", 2, ["a", "b"], {"color": "red"}, "status 2"),
        ]
        * times
    )
    assert views[0].tags is not views[1].tags
    assert views_with(Described, [], []) == []
