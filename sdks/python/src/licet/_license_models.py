"""The traits of each license model. Data only; a server may know models that are not listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Model = Literal[
    "Perpetual",
    "Trial",
    "Subscription",
    "Floating",
    "Concurrent",
    "NodeLocked",
    "MeteredToken",
    "MeteredCount",
]
SeatKind = Literal["Session", "Device"]
Meter = Literal["Count", "Token"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTraits:
    """What is particular to a license model.

    Attributes:
        seat_kind: What takes a seat; ``None`` if seats are not counted.
        capped: Whether the license has a seat cap that the vendor sets.
        meter: What the wallet counts; ``None`` if the model is not metered.
        term_required: Whether the license must have an expiration date.
        online_only: Whether the activation mode Offline is not allowed.
        binding: Whether the license is bound to one device, which then is its only seat.
        credentials: Whether the license may require a user name and a password.
    """

    seat_kind: SeatKind | None = None
    capped: bool = False
    meter: Meter | None = None
    term_required: bool = False
    online_only: bool = False
    binding: bool = False
    credentials: bool = False


MODEL_TRAITS: Mapping[str, ModelTraits] = {
    "Perpetual": ModelTraits(credentials=True),
    "Trial": ModelTraits(term_required=True),
    "Subscription": ModelTraits(term_required=True),
    "Floating": ModelTraits(seat_kind="Session", capped=True, online_only=True),
    "Concurrent": ModelTraits(seat_kind="Device", capped=True),
    "NodeLocked": ModelTraits(seat_kind="Device", binding=True),
    "MeteredToken": ModelTraits(meter="Token", online_only=True),
    "MeteredCount": ModelTraits(meter="Count", online_only=True),
}


def is_bound_to_device(model: str) -> bool:
    """Whether licenses of this model are bound to one device; false for an unknown model."""
    traits = MODEL_TRAITS.get(model)
    return traits is not None and traits.binding
