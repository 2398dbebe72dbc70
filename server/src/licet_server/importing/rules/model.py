"""Licenses and devices of an export, in one form for all licensing products."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime


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
    seats: int | None = None
    is_floating: bool = False
    is_trial: bool = False
    is_suspended: bool = False
    is_revoked: bool = False
    notes: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    devices: Sequence[FoundDevice] = ()
    lost: Sequence[str] = ()


class BadExport(Exception):
    """The file is not an export of this kind; the message says where and why."""


class BadRecord(Exception):
    """One license of an export cannot be read; the message says why."""


class BadPage(BadRecord):
    """A page of an export cannot be read, so licenses may be missing; the message says why."""
