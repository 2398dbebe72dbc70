"""Every kind of sentence that msgspec has about a value becomes one of ours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import httpx
import msgspec
import pytest
from msgspec import Meta, Struct
from testkit import Owner

from licet_server.devices.schemas import ShownComponents
from licet_server.kit import errors
from licet_server.kit.errors import FieldError
from licet_server.kit.web.validation_messages import DEFAULT_MESSAGE, VISIBLE_ASCII, field_error


class Color(StrEnum):
    RED = "Red"
    GREEN = "Green"


class Point(Struct, forbid_unknown_fields=True):
    x: int
    color: Color = Color.RED


class Circle(Struct, tag="Circle"):
    x: int = 0


class Square(Struct, tag="Square"):
    x: int = 0


@dataclass
class Case:
    given: Any
    annotation: Any
    message: str
    path: str = ""


TIME = "must be a time with a zone, for example 2026-11-22T09:30:00Z."
DURATION = "must be a duration, for example PT1H30M."
UUID_MESSAGE = "must be a UUID, for example 01980a3e-5c00-7000-8000-3f2b1c4d5e6f."
COLORS = "must be one of Red, Green."

CASES = [
    Case(0, Annotated[int, Meta(ge=1)], "must be 1 or more."),
    Case(0, Annotated[int, Meta(gt=1)], "must be 2 or more."),
    Case(9_999, Annotated[int, Meta(le=5_000)], "must be 5,000 or less."),
    Case(9, Annotated[int, Meta(lt=5)], "must be 4 or less."),
    Case(-9, Annotated[int, Meta(ge=-5_000, le=-10)], "must be -10 or less."),
    Case(0.5, Annotated[float, Meta(ge=1.5)], "must be 1.5 or more."),
    Case(0.5, Annotated[float, Meta(gt=1)], "must be greater than 1."),
    Case(9.5, Annotated[float, Meta(lt=5)], "must be less than 5."),
    Case(3, Annotated[int, Meta(multiple_of=2)], "must be a multiple of 2."),
    Case(3.5, Annotated[float, Meta(multiple_of=2)], "must be a multiple of 2."),
    Case("", Annotated[str, Meta(min_length=1)], "must not be empty."),
    Case("", Annotated[str, Meta(min_length=3)], "must have at least 3 characters."),
    Case("abc", Annotated[str, Meta(max_length=1)], "must have at most 1 character."),
    Case("IQ==", Annotated[bytes, Meta(min_length=3)], "must have at least 3 bytes."),
    Case(" ", Annotated[str, Meta(pattern=r"\S")], "must not be blank."),
    Case(
        "a b",
        Annotated[str, Meta(pattern=VISIBLE_ASCII)],
        "must be printable ASCII characters without spaces.",
    ),
    Case("x", Annotated[str, Meta(pattern=r"^\d'$")], "has the wrong format."),
    Case([], Annotated[list[int], Meta(min_length=1)], "must not be empty."),
    Case([1, 2], Annotated[list[int], Meta(max_length=1)], "must have at most 1 item."),
    Case({}, Annotated[dict[str, int], Meta(min_length=2)], "must have at least 2 entries."),
    Case(
        {"a": 1, "b": 2},
        Annotated[dict[str, int], Meta(max_length=1)],
        "must have at most 1 entry.",
    ),
    Case([1], tuple[int, int], "must have exactly 2 items."),
    Case("Blue", Color, COLORS),
    Case("x - at `$.y`", Color, COLORS),
    Case(5, Color, COLORS),
    Case(None, Color, COLORS),
    Case(5, Color | None, COLORS),
    Case("z", Literal["a", "b"], "must be one of a, b."),
    Case(3, Literal[1], "must be 1."),
    Case([{"x": 1, "color": "Blue"}], list[Point], COLORS, "[0].color"),
    Case({"a": {"x": 1, "color": "Blue"}}, dict[str, Point], COLORS, ".color"),
    Case("x", datetime, TIME),
    Case(5, datetime | None, TIME),
    Case("2026-01-01T00:00:00", Annotated[datetime, Meta(tz=True)], TIME),
    Case(
        "2026-01-01T00:00:00Z",
        Annotated[datetime, Meta(tz=False)],
        "must be a time without a zone, for example 2026-11-22T09:30:00.",
    ),
    Case("x", date, "must be a date, for example 2026-11-22."),
    Case("x", time, "must be a time of day, for example 09:30:00."),
    Case(
        "09:00:00Z", Annotated[time, Meta(tz=False)], "must be a time of day, for example 09:30:00."
    ),
    Case(
        "09:00:00",
        Annotated[time, Meta(tz=True)],
        "must be a time of day with a zone, for example 09:30:00Z.",
    ),
    Case("x", timedelta, DURATION),
    Case("P1Y", timedelta, DURATION),
    Case("x", UUID, UUID_MESSAGE),
    Case("x", Decimal, "must be a number."),
    Case(True, Decimal, "must be a number."),
    Case("!", bytes, "must be text in base64."),
    Case(True, int, "must be a whole number."),
    Case(1.5, int, "must be a whole number."),
    Case(Decimal("1.5"), int, "must be a whole number."),
    Case("1", float, "must be a number."),
    Case(1, str, "must be text."),
    Case(None, str, "must be text, not null."),
    Case("yes", bool, "must be true or false."),
    Case({}, list[int], "must be a list."),
    Case([], Point, "must be an object."),
    Case([], int | str | None, "must be a whole number or text."),
    Case([], int | float, "must be a whole number or a number."),
    Case("x", type(None), "must be null."),
    Case(10**400, float, "is too large."),
    Case({"x": 1, "z": 2}, Point, 'must not have a field "z".'),
    Case({}, Point, 'must have a field "x".'),
    Case({"type": "Line"}, Circle | Square, "is not one of the allowed values.", ".type"),
    Case([1, "x"], list[int], "must be a whole number.", "[1]"),
    Case("exact", Literal["Exact"] | Point, "must be one of Exact, an object."),
    Case(
        {"board": "AB"},
        ShownComponents,
        "must have values of 16 hexadecimal digits in lower case.",
    ),
    Case(
        {"main board": "0" * 16},
        ShownComponents,
        "must have names of at most 32 letters and digits, such as osInstall.",
    ),
    Case({"": 1}, dict[Annotated[str, Meta(min_length=1)], int], "must not be empty."),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.message} {case.given!r:.20}")
def test_each_kind_of_mistake_has_its_sentence(case: Case) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(case.given, case.annotation)
    found = field_error("field", str(raised.value), case.annotation)
    assert found == FieldError("field" + case.path, case.message)


def test_a_long_list_of_choices_is_not_repeated() -> None:
    many = Literal[tuple(f"choice{number}" for number in range(21))]  # type: ignore[valid-type]
    message = field_error("field", "Invalid enum value 'x'", many).message
    assert message == "is not one of the allowed values; see /api/docs."


@pytest.mark.parametrize(
    "sentence", ["", "Expected `ext`", "Something new in msgspec", "badly formed hexadecimal UUID"]
)
def test_an_unknown_sentence_is_not_passed_on(sentence: str) -> None:
    assert field_error("field", sentence).message == DEFAULT_MESSAGE


def sentences_of_msgspec() -> Iterator[str]:
    """What the installed library can say about a value, read from its compiled module."""
    library = Path(msgspec._core.__file__).read_bytes()
    told = re.findall(
        rb"((?:Expected `|Invalid |Object |Number |Integer value|Duration |"
        rb"Timestamp |Only units)[ -~]*)%U\0",
        library,
    )
    for template in sorted({sentence.decode() for sentence in told}):
        if "MessagePack" in template:  # never decoded here
            continue
        for value in ("int", "str"):
            text = template.replace("`%s`", f"`{value}`").replace("`%U`", f"`{value}`")
            text = text.replace("%s", ">=").replace("%R", "'x'").replace("%U", "x")
            yield re.sub(r"%(?:zd|lld|llu)", "3", text)


def test_every_sentence_of_the_installed_msgspec_is_recognized() -> None:
    sentences = list(sentences_of_msgspec())
    assert len(sentences) > 60
    unknown = {text for text in sentences if field_error("f", text).message == DEFAULT_MESSAGE}
    times = {text for text in unknown if "timezone component" in text}
    assert unknown == times  # the module has them for any type; only two occur, tested above


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("pageSize=0", "pageSize", "must be 1 or more."),
        ("pageSize=101", "pageSize", "must be 100 or less."),
        ("pageSize=many", "pageSize", "must be a whole number."),
        ("page=1.5", "page", "must be a whole number."),
        ("status=Foo", "status", "must be one of Active, Expired, Revoked, Suspended."),
        ("productId=7", "productId", UUID_MESSAGE),
        ("expiringBefore=tomorrow", "expiringBefore", TIME),
        ("expiringBefore=2030-01-01T00:00:00", "expiringBefore", TIME),
        ("after=7", "after", "must be the nextAfter of the previous page, or empty."),
    ],
)
async def test_query_parameters(owner: Owner, query: str, field: str, message: str) -> None:
    response: httpx.Response = await owner.send("GET", f"/api/licenses?{query}")
    assert response.status_code == 400
    assert response.json()["errors"] == [{"field": field, "message": message}]


def test_sentences_about_a_field_read_on_from_its_name() -> None:
    begun_amid = re.compile(r'(?:FieldError|Missing|bad_field)\(\s*f?"[^"]*",\s*f?"(?:or|and) ')
    source = Path(errors.__file__).parents[1]
    for file in source.rglob("*.py"):
        assert begun_amid.search(file.read_text()) is None, file


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/orders?from=x", "from"),
        ("/api/orders?to=x", "to"),
        ("/api/views?list=x", "list"),
        ("/api/offline/requests?state=x", "state"),
        ("/api/licenses?type=x", "type"),
        ("/api/licenses?page=1&search=a%00", "search"),
        ("/api/licenses?%00=1", "query"),
    ],
)
async def test_query_parameters_are_named_as_they_are_sent(
    owner: Owner, path: str, field: str
) -> None:
    response = await owner.send("GET", path)
    assert [item["field"] for item in response.json()["errors"]] == [field]


async def test_flags_and_path_parameters(owner: Owner) -> None:
    response = await owner.send("GET", "/api/notifications?unread=perhaps")
    assert response.json()["errors"] == [{"field": "unread", "message": "must be true or false."}]
    response = await owner.send("GET", "/api/licenses/not-a-uuid")
    assert response.status_code == 404
    assert "There is no route /api/licenses/not-a-uuid" in response.json()["detail"]
