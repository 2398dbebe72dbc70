"""The data of events, which follows from the fields of what they are about."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pytest
from msgspec import Struct

from licet_server.events.rules.model import differences, facts_of


@dataclass(frozen=True, slots=True)
class Shelf:
    shelf_name: str
    secret_key: str
    labels: Mapping[str, str]


class Box(Struct, frozen=True):
    box_id: int
    is_open: bool


SHELF = Shelf("Upper", "s3cret", MappingProxyType({"row": "1"}))


def test_fields_have_their_names_on_the_wire() -> None:
    assert facts_of(SHELF, omit={"secret_key"}) == {"shelfName": "Upper", "labels": {"row": "1"}}
    assert facts_of(Box(7, is_open=True)) == {"boxId": 7, "isOpen": True}


def test_mapping_is_a_copy_that_can_be_encoded() -> None:
    assert type(facts_of(SHELF)["labels"]) is dict


def test_omitted_field_that_does_not_exist_is_an_error() -> None:
    """A field that is renamed must not appear in events because its old name was left out."""
    with pytest.raises(ValueError, match="Shelf has no secret"):
        facts_of(SHELF, omit={"secret"})


def test_differences_name_what_changed() -> None:
    assert differences({"a": 1, "b": 2}, {"b": 3, "c": None}) == {"a": [1, None], "b": [2, 3]}
    assert differences({}, {"a": None, "b": 1}) == {"b": [None, 1]}
