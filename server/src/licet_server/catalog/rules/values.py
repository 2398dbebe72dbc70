"""The values of features: which kind takes which, and how each is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from licet_server.catalog.rules.model import (
    NUMBER_DIGITS_MAX,
    TEXT_VALUE_MAX,
    Entry,
    Feature,
    FeatureKind,
    FeatureValue,
)
from licet_server.kit.amounts import PLACES
from licet_server.kit.characters import CONTROL, has_any
from licet_server.kit.errors import FieldError

_LIMIT = Decimal(10) ** NUMBER_DIGITS_MAX

RequestedValue = bool | int | float | Decimal | str
"""A value as a request has it: a number that is not whole is an exact `Decimal`."""


def value_breach(field: str, kind: FeatureKind, value: RequestedValue | None) -> FieldError | None:
    """Return the error of a value of a feature of this kind; `None` passes."""
    match kind:
        case FeatureKind.FLAG:
            message = None if value is None or value is True else _FLAG
        case FeatureKind.NUMBER:
            message = _number_message(_number_of(value))
        case FeatureKind.TEXT:
            message = None if isinstance(value, str) and _is_line(value) else _TEXT
    return None if message is None else FieldError(field, message)


_FLAG = "must be true or left out: the feature is a Flag, which a license has or not."
_NUMBER = "must be a number: the feature is a Number."
_TEXT = (
    f"must be a text of 1 to {TEXT_VALUE_MAX} characters without control characters: the feature "
    "is a Text."
)
_TOO_LONG = (
    f"must have at most {NUMBER_DIGITS_MAX} digits, {PLACES} of them after the decimal point, so "
    "that every language reads it exactly."
)


def stored_value(kind: FeatureKind, value: RequestedValue | None) -> FeatureValue:
    """Return the stored form of a valid value; a whole number becomes an integer."""
    if kind is FeatureKind.FLAG or value is None:
        return True
    number = _number_of(value)
    if number is None:
        return str(value)
    whole = number.to_integral_value()
    return int(whole) if whole == number else float(number)


@dataclass(frozen=True, slots=True)
class RequestedEntry:
    """A feature that a request names, its value, and where in the body both stand."""

    name: str
    name_field: str
    value: RequestedValue | None = None
    value_field: str = ""


RequestedEntries = Sequence[RequestedEntry]


def granted_by(
    features: Sequence[Feature | None], entries: RequestedEntries
) -> tuple[list[tuple[Feature, FeatureValue]], list[FieldError]]:
    """Return features with their values, and errors: unknown ones, duplicates, and bad values."""
    granted: dict[UUID, tuple[Feature, FeatureValue]] = {}
    errors: list[FieldError] = []
    for feature, entry in zip(features, entries, strict=True):
        if feature is None:
            errors.append(FieldError(entry.name_field, "is not a feature of this product."))
        elif feature.id in granted:
            errors.append(FieldError(entry.name_field, "names a feature twice."))
        else:
            breach = value_breach(entry.value_field, feature.kind, entry.value)
            errors += [] if breach is None else [breach]
            value = True if breach is not None else stored_value(feature.kind, entry.value)
            granted[feature.id] = feature, value
    return list(granted.values()), errors


def wire_entries(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """Return the entries for events: the value only where it is not that of a flag."""
    return [
        {"featureName": entry.feature_name}
        if entry.value is True
        else {"featureName": entry.feature_name, "value": entry.value}
        for entry in entries
    ]


def _number_of(value: RequestedValue | None) -> Decimal | None:
    if isinstance(value, bool | str) or value is None:
        return None
    return Decimal(str(value))


def _number_message(value: Decimal | None) -> str | None:
    if value is None:
        return _NUMBER
    if not value.is_finite() or abs(value) >= _LIMIT:
        return _TOO_LONG
    decimals = max(0, -int(value.normalize().as_tuple().exponent))
    is_exact = decimals <= PLACES and abs(value) < Decimal(10) ** (NUMBER_DIGITS_MAX - decimals)
    return None if is_exact else _TOO_LONG


def _is_line(text: str) -> bool:
    if not 1 <= len(text) <= TEXT_VALUE_MAX or text != text.strip():
        return False
    return not has_any(text, CONTROL)
