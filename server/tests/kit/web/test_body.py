"""Bodies: strict for operators, lenient for applications, every bad field at once."""

import gzip
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.kit.errors import ErrorCode, FieldError, Refused
from licet_server.kit.web.body import Body, Change, RuntimeBody, read_body

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def clock() -> datetime:
    return NOW


class Inner(Struct, rename="camel", forbid_unknown_fields=True):
    max_days: Annotated[int, Meta(ge=1)] = 1
    tags: list[str] = []


class Create(Body):
    first_name: Annotated[str, Meta(min_length=1)]
    age: int
    amount: Decimal | None = None
    settings: Inner | None = None
    color: str = "red"

    def breaches(self, now: datetime) -> Any:
        if self.age is not None and self.age < 0:
            yield FieldError("age", "must not be negative.")


class Edit(Change):
    first_name: str | UnsetType = UNSET
    color: str | UnsetType | None = UNSET


class Ask(RuntimeBody):
    license_key: str
    hint: str | None = None


def errors_of(raw: bytes, kind: type[Struct] = Create) -> dict[str, str]:
    with pytest.raises(Refused) as caught:
        read_body(raw, kind, clock)
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    return {error.field: error.message for error in caught.value.errors}


def test_every_bad_field_is_named_at_once() -> None:
    raw = b'{"firstName": "", "age": -3, "settings": {"maxDays": 0, "nope": 1}, "extra": 1}'
    assert set(errors_of(raw)) == {
        "firstName",
        "age",
        "settings.maxDays",
        "settings.nope",
        "extra",
    }


class Entry(RuntimeBody):
    name: Annotated[str, Meta(min_length=1)]
    labels: dict[Annotated[str, Meta(min_length=1)], int] = {}


class Basket(RuntimeBody):
    entries: Annotated[list[Entry], Meta(min_length=1)]


def test_fields_in_a_list_are_named_by_their_place() -> None:
    raw = b'{"entries": [{"name": "a"}, {"name": ""}]}'
    assert set(errors_of(raw, Basket)) == {"entries[1].name"}
    raw = b'{"entries": [{"name": "a", "labels": {"": 1}}]}'
    assert errors_of(raw, Basket) == {"entries[0].labels": "must not be empty."}
    raw = b'{"entries": [{"name": 5}, {}, {"name": "a", "labels": 1}]}'
    assert set(errors_of(raw, Basket)) == {
        "entries[0].name",
        "entries[1].name",
        "entries[2].labels",
    }


def test_a_list_of_bodies_keeps_its_lower_limit() -> None:
    assert set(errors_of(b'{"entries": []}', Basket)) == {"entries"}


class Word(Body):
    text: Annotated[str, Meta(min_length=1)]


class Words(Change):
    by_language: dict[str, Word | None] | UnsetType = UNSET


def test_fields_in_an_object_of_bodies_are_named_by_their_names() -> None:
    raw = b'{"byLanguage": {"de": {"text": ""}, "en": {"no": 1}, "fr": null, "it": [1]}}'
    assert set(errors_of(raw, Words)) == {
        "byLanguage.de.text",
        "byLanguage.en.text",
        "byLanguage.en.no",
        "byLanguage.it",
    }
    assert set(errors_of(b'{"byLanguage": {"text": "x"}}', Words)) == {"byLanguage.text"}
    assert set(errors_of(b'{"byLanguage": null}', Words)) == {"byLanguage"}
    read = read_body(b'{"byLanguage": {"de": {"text": "x"}, "fr": null}}', Words, clock)
    assert isinstance(read, Words)
    assert read.by_language == {"de": Word(text="x"), "fr": None}


def test_one_thing_is_no_list_of_things() -> None:
    assert set(errors_of(b'{"entries": {"name": "a"}}', Basket)) == {"entries"}


def test_a_missing_field_is_required_even_where_null_is_absent() -> None:
    assert errors_of(b'{"firstName": null}') == {
        "firstName": "is required.",
        "age": "is required.",
    }


def test_null_is_absent_on_create_and_clears_on_change() -> None:
    created = read_body(b'{"firstName": "A", "age": 1, "color": null}', Create, clock)
    assert isinstance(created, Create)
    assert created.color == "red"
    edited = read_body(b'{"color": null}', Edit, clock)
    assert isinstance(edited, Edit)
    assert (edited.color, edited.first_name) == (None, UNSET)
    assert set(errors_of(b'{"firstName": null}', Edit)) == {"firstName"}
    raw = b'{"entries": [{"name": "a", "labels": null}]}'
    assert read_body(raw, Basket, clock) == Basket(entries=[Entry(name="a")])
    assert errors_of(b'{"entries": null}', Basket) == {"entries": "is required."}


def test_items_of_lists_are_named_by_position() -> None:
    raw = b'{"firstName": "A", "age": 1, "settings": {"tags": ["a", 2]}}'
    assert set(errors_of(raw)) == {"settings.tags[1]"} or set(errors_of(raw)) == {"settings.tags"}


def test_amounts_are_exact_and_no_texts() -> None:
    body = read_body(b'{"firstName": "A", "age": 1, "amount": 0.1}', Create, clock)
    assert isinstance(body, Create)
    assert body.amount == Decimal("0.1")
    assert set(errors_of(b'{"firstName": "A", "age": 1, "amount": "5"}')) == {"amount"}


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 5_000, b"NaN"],
)
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    assert set(errors_of(raw)) == {""}
    assert set(errors_of(raw, Ask)) == {""}


def test_a_body_says_what_keeps_it_from_being_json() -> None:
    raw = b'{"licenseKey": "K"}'
    assert "compressed" in errors_of(gzip.compress(raw), Ask)[""]
    for coded in (b"\xef\xbb\xbf" + raw, raw.decode().encode("utf-16")):
        assert "byte order mark" in errors_of(coded, Ask)[""]


def test_nul_characters_are_found_where_they_stand() -> None:
    assert set(errors_of(b'{"firstName": "a\\u0000b", "age": 1}')) == {"firstName"}
    assert set(errors_of(b'{"licenseKey": "a\\u0000b"}', Ask)) == {"licenseKey"}
    kept = read_body(b'{"licenseKey": "a\\\\u0000b"}', Ask, clock)
    assert kept == Ask(license_key="a\\u0000b")


def test_runtime_bodies_ignore_what_they_do_not_know() -> None:
    assert read_body(b'{"licenseKey": "K", "new": {}}', Ask, clock) == Ask(license_key="K")
    raw = b'{"entries": [{"name": "a", "new": 1}], "new": null}'
    assert read_body(raw, Basket, clock) == Basket(entries=[Entry(name="a")])
    assert set(errors_of(b'{"licenseKey": 5}', Ask)) == {"licenseKey"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["firstName", "age", "settings", "amount", "x"]), JSON))
def test_no_json_breaks_the_reader(value: dict[str, Any]) -> None:
    raw = msgspec.json.encode(value)
    for kind in (Create, Edit, Ask):
        try:
            read_body(raw, kind, clock)
        except Refused as refused:
            assert refused.errors  # noqa: PT017 - either outcome is fine, errors must be named


def test_fifty_bad_fields_are_named_and_the_others_counted() -> None:
    unknown = ", ".join(f'"x{n}": 1' for n in range(10_000))
    raw = f'{{"firstName": "", "age": -3, "settings": {{"nope": 1, "no": 2}}, {unknown}}}'.encode()
    with pytest.raises(Refused) as caught:
        read_body(raw, Create, clock)
    errors = caught.value.errors
    assert [error.field for error in errors[:4]] == [
        "firstName", "settings.nope", "settings.no", "x0",
    ]  # fmt: skip
    assert len(errors) == 51
    assert errors[-1] == FieldError("", "9,954 more fields are wrong; correct these first.")
    assert len(caught.value.detail) < 1_000


def test_exactly_fifty_bad_fields_are_all_named() -> None:
    raw = ("{" + ", ".join(f'"x{n}": 1' for n in range(48)) + "}").encode()
    assert list(errors_of(raw)) == ["firstName", "age"] + [f"x{n}" for n in range(48)]
    raw = ("{" + ", ".join(f'"x{n}": 1' for n in range(49)) + "}").encode()
    assert errors_of(raw)[""] == "One more field is wrong; correct these first."


def test_long_names_and_many_nul_characters_do_not_grow_the_answer() -> None:
    name, nul = "n" * 500_000, '"\\u0000"'
    items = ", ".join([nul] * 60_000)
    raw = f'{{"firstName": "a", "age": 1, "{name}": [{items}], "{name}x": 1}}'.encode()
    with pytest.raises(Refused) as caught:
        read_body(raw, Create, clock)
    assert sum(len(error.field) for error in caught.value.errors) < 51 * 120


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ('"Cafe\u0301"', "Caf\u00e9"),
        (r'"Cafe\u0301"', "Caf\u00e9"),
        (r'"Caf\u00e9"', "Caf\u00e9"),
        (r'"a\\u0301"', r"a\u0301"),
        (r'"\ud83d\ude00\u0022\n"', '\U0001f600"\n'),
        (f'"{"e" + chr(0x301) * 31}"', "e" + chr(0x301) * 31),
    ],
)
def test_texts_of_operators_arrive_composed(sent: str, read: str) -> None:
    body = read_body(f'{{"firstName": {sent}, "age": 1}}'.encode(), Create, clock)
    assert isinstance(body, Create)
    assert body.first_name == read
