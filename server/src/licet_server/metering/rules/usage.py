"""What was used, summed up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from licet_server.licenses.rules.model import LicenseId, MeterMode


@dataclass(frozen=True, slots=True)
class Uncounted:
    """The entries of a wallet that are not in the sums by day: after `counted`, up to `version`."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    counted: int
    version: int


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What moved balances on a UTC day."""

    mode: MeterMode
    day: date
    consumed: Decimal
    granted: Decimal
    adjusted: Decimal


@dataclass(frozen=True, slots=True)
class LicenseUsage:
    """What a license used."""

    mode: MeterMode
    license_id: UUID
    consumed: Decimal


@dataclass(frozen=True, slots=True)
class FeatureUsage:
    """What a feature was used for, by all licenses."""

    mode: MeterMode
    feature_name: str
    consumed: Decimal


@dataclass(frozen=True, slots=True)
class Usage:
    """What happened in a period, and what is left now; licenses and features by their usage."""

    balances: dict[MeterMode, Decimal]
    days: Sequence[DayUsage]
    licenses: Sequence[LicenseUsage]
    features: Sequence[FeatureUsage]


def within(found: Sequence[Uncounted], budget: int) -> list[tuple[Uncounted, int]]:
    """How far to count each wallet, so that no more than `budget` entries are read in all."""
    steps: list[tuple[Uncounted, int]] = []
    for item in found:
        until = min(item.version, item.counted + budget)
        if until > item.counted:
            steps.append((item, until))
        budget -= until - item.counted
    return steps


LowBalance = tuple[LicenseId, Decimal, Decimal | None]
"""A wallet that is low: whose, its balance, and the threshold, if one is set."""
