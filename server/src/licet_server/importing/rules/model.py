"""Licenses and devices of an export in one form, and reading their values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from licet_server.kit.dates import BadDate, read_date, read_instant, stands_for_no_end, within_years
from licet_server.kit.tags import Tags


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDevice:
    """A device that uses a license, since when, if the export has the time."""

    hardware_id: str
    name: str | None = None
    os: str | None = None
    app_version: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLicense:
    """A license of an export.

    `place` is its position in the file, and `product` its product. `model` is the name of a license
    model, if the export names one; otherwise it is chosen by the terms. `seats` is `None` for no
    limit. `ends_at` is an instant, or a day that counts in full. `lost` names what cannot be
    imported.
    """

    place: str
    product: str
    key: str
    name: str | None = None
    receiver: str | None = None
    model: str | None = None
    ends_at: date | None = None
    updates_until: date | None = None
    seats: int | None = None
    is_floating: bool = False
    is_trial: bool = False
    is_suspended: bool = False
    is_revoked: bool = False
    notes: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    tags: Tags = ()
    devices: Sequence[FoundDevice] = ()
    lost: Sequence[str] = ()


class BadExport(Exception):
    """The file is not an export of this kind; the message says where and why."""


class BadRecord(Exception):
    """One license of an export cannot be read; the message says why."""


class BadPage(BadRecord):
    """A page of an export cannot be read, so licenses may be missing; the message says why."""


Record = Mapping[str, Any]

_DIGITS_MAX = 20
"""As many digits are read of a number: it is too large already."""
STANDS_FOR_NO_END = "an expiration date that stands for no end, such as 9999-12-31"


def record_of(value: object) -> Record:
    """Return the value if it is an object; otherwise an empty object."""
    return value if isinstance(value, dict) else {}


def records_of(value: object) -> Sequence[Record]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(record: Record, name: str) -> str | None:
    """Return a text without spaces around it; `None` if it is missing or empty.

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
    """Return a whole number, which may be a text.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value.strip()[:_DIGITS_MAX])
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRecord(f"{name} is not a whole number")
    return value


def flag_of(record: Record, name: str) -> bool:
    """Check whether a flag is set; a missing one is not.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if isinstance(value, str) and value.strip().lower() in {"true", "false", ""}:
        return value.strip().lower() == "true"
    if value is None or isinstance(value, bool):
        return bool(value)
    raise BadRecord(f"{name} is not true or false")


def end_of(record: Record, name: str, lost: list[str]) -> date | None:
    """Return the end of a term: an instant, or a day that counts in full; `None` if perpetual.

    A date that only means "never" is reported in `lost`.

    Raises:
        BadRecord: it is something else.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    if stands_for_no_end(value):
        lost.append(STANDS_FOR_NO_END)
        return None
    try:
        return within_years(read_date(value))
    except BadDate as fault:
        raise BadRecord(f"{name} {fault}") from None


def time_of(record: Record, name: str) -> datetime | None:
    """Return the time of an event; `None` if the export does not have it.

    Raises:
        BadRecord: it is no time.
    """
    value = record.get(name)
    if value is None or value == "" or stands_for_no_end(value):
        return None
    try:
        return read_instant(value, UTC)
    except BadDate as fault:
        raise BadRecord(f"{name} {fault}") from None


def pairs_of(value: object) -> dict[str, str]:
    """Return the fields of an object as texts; nested values stay JSON."""
    return {
        str(name): item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        for name, item in record_of(value).items()
        if item is not None
    }
