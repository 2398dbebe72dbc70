"""Values of an export, of which nothing is certain."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from licet_server.importing.rules.model import BadRecord

Record = Mapping[str, Any]

_LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FRACTION = re.compile(r"(\.\d{6})\d+")


def record_of(value: object) -> Record:
    """The value if it is an object; otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def records_of(value: object) -> Sequence[Record]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(record: Record, name: str) -> str | None:
    """A text without spaces around it; `None` if it is missing or empty.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadRecord(f"{name} is not a text")
    return str(value).replace("\0", "").strip() or None


def whole_of(record: Record, name: str) -> int | None:
    """A whole number, also one in a text.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRecord(f"{name} is not a whole number")
    return value


def flag_of(record: Record, name: str) -> bool:
    """Whether a flag is set; a missing one is not.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if isinstance(value, str) and value.strip().lower() in {"true", "false", ""}:
        return value.strip().lower() == "true"
    if value is None or isinstance(value, bool):
        return bool(value)
    raise BadRecord(f"{name} is not true or false")


def time_of(record: Record, name: str) -> datetime | None:
    """A time: RFC 3339, a date, or seconds since 1970. One without a zone is UTC.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    found = _time(value)
    if found is None:
        raise BadRecord(f"{name} is not a time, for example 2026-11-22T09:30:00Z")
    return found


def _time(value: object) -> datetime | None:
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return datetime.fromtimestamp(min(value, _LAST_SECOND), UTC)
        if not isinstance(value, str):
            return None
        text = _FRACTION.sub(r"\1", value.strip())
        if _DATE.fullmatch(text):
            text += "T00:00:00Z"
        found = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def pairs_of(value: object) -> dict[str, str]:
    """The fields of an object as texts; what is nested stays JSON."""
    return {
        str(name): item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        for name, item in record_of(value).items()
        if item is not None
    }
