"""What stands in the audit log, and what a look at its chain can find."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded event with its place in the chain, which it gets in the background."""

    institution_id: UUID
    id: UUID
    kind: str
    occurred_at: datetime
    subject_id: UUID
    product_id: UUID | None
    data: Mapping[str, object]
    changes: Mapping[str, object] | None
    actor_kind: str
    actor_id: UUID | None
    actor_name: str | None
    ip_address: str | None
    request_id: str | None
    seal_number: int | None
    seal: bytes | None


@dataclass(frozen=True, slots=True)
class Chain:
    """Where the chain of an institution ends: its last number and seal, and their own seal."""

    institution_id: UUID
    id: UUID
    number: int
    seal: bytes
    mark: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """An end of a chain as it was noted at some time, such as in the log."""

    institution_id: UUID
    number: int
    seal: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFilter:
    """What a list is narrowed to; `None` does not narrow. A kind may end in `*`."""

    kind: str | None = None
    actor_id: UUID | None = None
    subject_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


class Finding(StrEnum):
    """What is wrong with a chain."""

    CHANGED = "Changed"
    MISSING = "Missing"
    CUT = "Cut"
    HEAD_DIFFERS = "HeadDiffers"


@dataclass(frozen=True, slots=True)
class Breach:
    """Something wrong with the chain of an institution, and at which number."""

    institution_id: UUID
    finding: Finding
    number: int
