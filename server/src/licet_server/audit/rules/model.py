"""Chains of sealed events, and what their verification can find."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of an institution up to its head: the last number and seal, and a MAC of both."""

    institution_id: UUID
    id: UUID
    number: int
    seal: bytes
    mark: bytes


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The head of a chain as it was logged at some time."""

    institution_id: UUID
    number: int
    seal: bytes


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
