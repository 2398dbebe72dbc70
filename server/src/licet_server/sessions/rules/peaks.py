"""Peaks: the most sessions that licenses had at once."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The most sessions that a license had at once on a UTC day."""

    institution_id: UUID
    license_id: UUID
    day: date
    product_id: UUID
    peak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FullestLicense:
    """A license whose sessions came closest to its seats, and the day when they did last."""

    license_id: UUID
    peak: int
    day: date
