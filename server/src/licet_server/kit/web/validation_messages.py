"""Rewords the validation errors of msgspec and Litestar, so that users never see them as they are.

Both describe a bad value in terms of Python types. Each kind of message that they have is
recognized here; any other becomes "is not valid."
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from litestar.di import Provide
from litestar.typing import FieldDefinition
from litestar.utils.signature import ParsedSignature
from msgspec import inspect

from licet_server.kit.errors import FieldError

DEFAULT_MESSAGE = "is not valid."

_MAX_CHOICES = 20
_NAME_MAX = 100

_NOUNS = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "bytes": "text in base64",
    "datetime": "a time with a zone, for example 2026-11-22T09:30:00Z",
    "date": "a date, for example 2026-11-22",
    "time": "a time of day, for example 09:30:00",
    "duration": "a duration, for example PT1H30M",
    "uuid": "a UUID, for example 01980a3e-5c00-7000-8000-3f2b1c4d5e6f",
    "null": "null",
}
VISIBLE_ASCII = r"^[\x21-\x7e]+$(?!\n)"
HEX_16 = r"\A[0-9a-f]{16}\Z"
CAMEL_NAME = r"\A(?!hardwareId\Z)[a-z][A-Za-z0-9]{0,31}\Z"
_PATTERNS = {
    r"\S": "must not be blank.",
    HEX_16: "must have values of 16 hexadecimal digits in lower case.",
    CAMEL_NAME: "must have names of at most 32 letters and digits, such as osInstall.",
    VISIBLE_ASCII: "must be printable ASCII characters without spaces.",
}
_PARTS = {"str": "characters", "bytes": "bytes", "array": "items", "object": "entries"}
_BOUNDS = {">=": "must be {} or more.", "<=": "must be {} or less."}
_STRICT_BOUNDS = {">": "must be greater than {}.", "<": "must be less than {}."}
_PLACE = re.compile(r"(.*) - at (?:`key` in )?`\$([^`]*)`", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(?:\d+|\.\.\.)\]")


def field_error(field: str, sentence: str, annotation: Any = Any) -> FieldError:
    """Turn the message of a msgspec error in `field` into a field error.

    `annotation` is the type of the field, used to list the allowed values.
    """
    message, path = _split(sentence)
    return FieldError(field + path.replace("[...]", ""), _describe(message, annotation, path))


def parameter_of(
    name: str,
    signature: ParsedSignature,
    dependencies: Mapping[str, Provide],
    visited: frozenset[str],
) -> FieldDefinition | None:
    """Return the argument with this name of a handler or its dependencies, if there is one."""
    for parameter, definition in signature.parameters.items():
        if parameter not in dependencies:
            if parameter == name:
                return definition
        elif parameter not in visited:
            inner = dependencies[parameter].parsed_fn_signature
            found = parameter_of(name, inner, dependencies, visited | {parameter})
            if found is not None:
                return found
    return None


def _split(sentence: str) -> tuple[str, str]:
    """Separate the sentence from the path below the field that it ends with."""
    found = _PLACE.fullmatch(sentence)
    return (found[1], found[2]) if found else (sentence, "")


def _describe(message: str, annotation: Any, path: str) -> str:
    allowed, others = _choices(annotation, path)
    if allowed and (not others or message.startswith("Invalid enum value")):
        is_object = any(isinstance(item, inspect.StructType) for item in others)
        return _one_of([*allowed, "an object"] if is_object else allowed)
    for pattern, describe in _KINDS:
        found = pattern.fullmatch(message)
        if found is not None:
            return describe(found)
    return DEFAULT_MESSAGE


def _one_of(allowed: list[str]) -> str:
    if len(allowed) > _MAX_CHOICES:
        return "is not one of the allowed values; see /api/docs."
    return f"must be one of {', '.join(allowed)}." if len(allowed) > 1 else f"must be {allowed[0]}."


def _choices(annotation: Any, path: str) -> tuple[list[str], list[inspect.Type]]:
    """Return the values allowed at the path, and the other types that are allowed there, too."""
    try:
        types = list(_flat(inspect.type_info(annotation)))
    except (TypeError, ValueError, NameError):
        return [], []
    for step in _STEP.finditer(path):
        types = [item for parent in types for inner in _inner(parent, step[1]) for item in inner]
    allowed = [str(value) for item in types for value in _values(item)]
    others = [
        item
        for item in types
        if not isinstance(item, (inspect.EnumType, inspect.LiteralType, inspect.NoneType))
    ]
    return allowed, others


def _flat(info: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(info, inspect.Metadata):
        yield from _flat(info.type)
    elif isinstance(info, inspect.UnionType):
        for item in info.types:
            yield from _flat(item)
    else:
        yield info


def _inner(parent: inspect.Type, name: str | None) -> Iterator[Iterator[inspect.Type]]:
    """Yield the types of a field, or with no name those of the items of a list or an object."""
    if isinstance(parent, inspect.StructType):
        yield from (_flat(field.type) for field in parent.fields if field.encode_name == name)
    elif name is None and isinstance(parent, inspect.DictType):
        yield _flat(parent.value_type)
    elif name is None and isinstance(parent, inspect.CollectionType):
        yield _flat(parent.item_type)


def _values(info: inspect.Type) -> Iterator[object]:
    if isinstance(info, inspect.EnumType):
        yield from (member.value for member in info.cls)
    elif isinstance(info, inspect.LiteralType):
        yield from info.values


def _expected(found: re.Match[str]) -> str:
    names = found["types"].split(" | ")
    nouns = list(dict.fromkeys(_NOUNS.get(name, "") for name in names if name != "null"))
    if not all(nouns):
        return DEFAULT_MESSAGE
    if not nouns:
        return "must be null."
    suffix = ", not null" if found["given"] == "null" else ""
    return f"must be {' or '.join(nouns)}{suffix}."


def _length(found: re.Match[str]) -> str:
    parts, number = _PARTS[found["type"]], int(found["number"])
    if found["bound"] == ">=" and number == 1:
        return "must not be empty."
    bound = "at least" if found["bound"] == ">=" else "at most"
    return f"must have {bound} {_counted(number, parts)}."


def _items(found: re.Match[str]) -> str:
    low, high = int(found["low"]), found["high"]
    bound = found["bound"] or "exactly "
    if high is not None:
        return f"must have {low:,} to {_counted(int(high), 'items')}."
    return f"must have {bound}{_counted(low, 'items')}."


def _counted(number: int, parts: str) -> str:
    singular = "entry" if parts == "entries" else parts.removesuffix("s")
    return f"{number:,} {singular if number == 1 else parts}"


def _number(text: str) -> str:
    return f"{int(text):,}" if text.lstrip("-").isdigit() else text.removesuffix(".0")


def _says(message: str) -> Callable[[re.Match[str]], str]:
    return lambda _found: message


def _must_be(name: str) -> Callable[[re.Match[str]], str]:
    return _says(f"must be {_NOUNS[name]}.")


def _pattern(found: re.Match[str]) -> str:
    # The sentence holds the repr of the pattern, with every backslash doubled.
    return _PATTERNS.get(found["pattern"].replace("\\\\", "\\"), "has the wrong format.")


_KINDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.DOTALL), describe)
    for pattern, describe in (
        (r"Expected `(?P<types>[a-z |]+)`(?:, got `(?P<given>\w+)`)?", _expected),
        (
            r"Expected `\w+` (?P<bound>[<>]=) (?P<number>\S+)",
            lambda found: _BOUNDS[found["bound"]].format(_number(found["number"])),
        ),
        (
            r"Expected `\w+` (?P<bound>[<>]) (?P<number>\S+)",
            lambda found: _STRICT_BOUNDS[found["bound"]].format(_number(found["number"])),
        ),
        (
            r"Expected `\w+` that's a multiple of (?P<number>\S+)",
            lambda found: f"must be a multiple of {_number(found['number'])}.",
        ),
        (
            r"Expected `(?P<type>\w+)` of length (?P<bound>[<>]=) (?P<number>\d+)",
            _length,
        ),
        (
            r"Expected `array` of (?P<bound>at \w+ )?length (?P<low>\d+)(?: to (?P<high>\d+))?.*",
            _items,
        ),
        (r"Expected `str` matching regex (?P<quote>['\"])(?P<pattern>.*)(?P=quote)", _pattern),
        (
            r"Expected `time` with a timezone component",
            _says("must be a time of day with a zone, for example 09:30:00Z."),
        ),
        (r"Expected `time` with no timezone component", _must_be("time")),
        (r"Expected `datetime` with a timezone component", _must_be("datetime")),
        (
            r"Expected `datetime` with no timezone component",
            _says("must be a time without a zone, for example 2026-11-22T09:30:00."),
        ),
        (r"Invalid RFC3339 encoded datetime", _must_be("datetime")),
        (r"(?:Timestamp is out of range|Invalid epoch timestamp) ?", _must_be("datetime")),
        (r"Invalid RFC3339 encoded date", _must_be("date")),
        (r"Invalid RFC3339 encoded time", _must_be("time")),
        (r"Invalid ISO8601 duration|Duration is out of range", _must_be("duration")),
        (r"Only units 'D', 'H', 'M', and 'S' are supported.*", _must_be("duration")),
        (r"Invalid UUID(?: bytes)?", _must_be("uuid")),
        (r"Invalid decimal string", _must_be("decimal")),
        (r"Invalid base64 encoded string", _must_be("bytes")),
        (r"(?:Number|Integer value) out of range", _says("is too large.")),
        (r"Invalid (?:enum )?value .*", _says("is not one of the allowed values.")),
        (
            r"Object missing required field `(?P<name>.*)`",
            lambda found: f'must have a field "{found["name"][:_NAME_MAX]}".',
        ),
        (
            r"Object contains unknown field `(?P<name>.*)`",
            lambda found: f'must not have a field "{found["name"][:_NAME_MAX]}".',
        ),
    )
)
