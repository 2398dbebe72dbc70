"""Bodies and views have the fields that a model declares."""

from typing import Annotated

import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.kit.declared import Sent, changes, creates, shows
from licet_server.kit.fitting import read_as


class Fields(Struct, kw_only=True):
    grace_days: Annotated[int, Sent(Meta(le=365))] = 0
    most_seats: int | None = None
    note: str


@creates(Fields)
class New(Struct):
    name: str
    kind: str = "plain"


@changes(Fields, names=["most_seats", "grace_days"])
class Changed(Struct):
    most_seats: int | UnsetType = UNSET


@shows(Fields, after="id")
class View(Struct, rename="camel"):
    id: int
    at: int

    @property
    def twice(self) -> int:
        return 2 * self.id


def test_fields_follow_the_named_one_in_the_order_of_the_model() -> None:
    assert New.__struct_encode_fields__ == ("name", "kind", "graceDays", "mostSeats", "note")
    assert View.__struct_encode_fields__ == ("id", "graceDays", "mostSeats", "note", "at")


def test_class_keeps_its_own_fields_and_methods() -> None:
    own = {item.name: item.type for item in msgspec.structs.fields(Changed)}
    assert own["most_seats"] == int | UnsetType
    shown = {"id": 3, "at": 1, "note": "", "graceDays": 400, "mostSeats": None}
    assert msgspec.convert(shown, View).twice == 6


def test_requests_are_held_to_limits_that_stored_values_are_not() -> None:
    with pytest.raises(msgspec.ValidationError, match="<= 365"):
        msgspec.convert({"name": "", "note": "", "graceDays": 400}, New)
    assert read_as(Fields, {"grace_days": 400, "note": ""}).grace_days == 400


def test_absent_fields_of_a_change_stay_unset_and_those_of_a_new_item_have_their_defaults() -> None:
    assert msgspec.structs.asdict(msgspec.convert({}, Changed)) == {
        "most_seats": UNSET,
        "grace_days": UNSET,
    }
    new = msgspec.convert({"name": "n", "note": "x"}, New)
    assert msgspec.structs.asdict(new)["grace_days"] == 0
