"""Heads of chains outside the database, and what the verification of a chain can find."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The head of a chain as it was anchored or logged at some time."""

    institution_id: UUID
    number: int
    seal: bytes


class Finding(StrEnum):
    """What is wrong with a chain."""

    CHANGED = "Changed"
    MISSING = "Missing"
    CUT = "Cut"
    HEAD_DIFFERS = "HeadDiffers"
    LOST = "Lost"
    REPLACED = "Replaced"


@dataclass(frozen=True, slots=True)
class Breach:
    """Something wrong with the chain of an institution, and at which number."""

    institution_id: UUID
    finding: Finding
    number: int
