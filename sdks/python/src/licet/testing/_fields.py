"""Request validation: checks known fields, reports every bad field, ignores unknown fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from licet.testing._problems import bad_fields

Check = Callable[[Any], str | None]
Shape = Mapping[str, Check]

MAX_PAIRS, MAX_NAME_LENGTH, MAX_VALUE_LENGTH = 50, 100, 500
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)


def read_fields(body: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """Read the fields of a shape; missing fields are ``None``.

    Raises:
        Refused: ``InvalidRequest``, naming every bad field.
    """
    given = {name: body.get(name) for name in shape}
    found = ((name, check(given[name])) for name, check in shape.items())
    errors = [(name, message) for name, message in found if message is not None]
    if errors:
        raise bad_fields(errors)
    return given


def string(max_length: int, *, min_length: int = 0, allow_blank: bool = True) -> Check:
    """A required string; if ``allow_blank`` is false, it must not consist only of spaces."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "is missing." if value is None else "must be a string."
        if not min_length <= len(value) <= max_length:
            return f"must have {min_length} to {max_length} characters."
        if not allow_blank and not value.strip():
            return "must not consist only of spaces."
        return "must not contain a NUL character." if "\0" in value else None

    return check


def optional(check: Check) -> Check:
    """Make a check accept a missing field."""
    return lambda value: None if value is None else check(value)


def boolean(value: Any) -> str | None:
    """An optional boolean."""
    return None if value is None or isinstance(value, bool) else "must be true or false."


def integer(minimum: int, maximum: int) -> Check:
    """An integer in a range."""

    def check(value: Any) -> str | None:
        if isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum:
            return None
        return f"must be an integer from {minimum} to {maximum}."

    return check


def string_list(longest: int, most: int) -> Check:
    """An optional list of so many strings that are not empty and no longer than this."""

    def check(value: Any) -> str | None:
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return "must be a list of strings."
        if len(value) > most:
            return f"must have at most {most} entries."
        fits = all(1 <= len(item) <= longest for item in value)
        return None if fits else f"must have entries of 1 to {longest} characters."

    return check


def uuid(value: Any) -> str | None:
    """A UUID."""
    if isinstance(value, str) and _UUID.fullmatch(value):
        return None
    return "is missing." if value is None else "must be a UUID."


def string_map(value: Any) -> str | None:
    """A map of names to strings."""
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        return "must map names to strings."
    if len(value) > MAX_PAIRS:
        return f"must have at most {MAX_PAIRS} entries."
    fits = all(1 <= len(name) <= MAX_NAME_LENGTH for name in value) and all(
        len(item) <= MAX_VALUE_LENGTH for item in value.values()
    )
    return (
        None
        if fits
        else f"must have names of 1 to {MAX_NAME_LENGTH} characters "
        f"and values of up to {MAX_VALUE_LENGTH}."
    )


LICENSE_KEY = string(300, min_length=1)
HARDWARE_ID = string(256, min_length=1, allow_blank=False)
INSTANCE_ID = optional(string(128, min_length=1))
SHORT_STRING = optional(string(256))
CREDENTIALS: Shape = {"username": SHORT_STRING, "password": optional(string(1000))}
