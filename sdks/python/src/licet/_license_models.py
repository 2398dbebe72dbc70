"""The traits of each license model. Data only; a server may know models that are not listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self

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


class OpenEnum(StrEnum):
    """Strings with names. A value that only a newer server knows is kept as it is."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_ = unknown._value_ = value
        return unknown


class LicenseType(OpenEnum):
    """The license models. Compares equal to its name.

    >>> LicenseType("Floating") is LicenseType.Floating, LicenseType.Floating == "Floating"
    (True, True)
    >>> LicenseType("of a newer server").value
    'of a newer server'
    """

    Perpetual = "Perpetual"
    Trial = "Trial"
    Subscription = "Subscription"
    Floating = "Floating"
    Concurrent = "Concurrent"
    NodeLocked = "NodeLocked"
    MeteredToken = "MeteredToken"
    MeteredCount = "MeteredCount"


class LicenseStatus(OpenEnum):
    """The status of a license on the server. Compares equal to its name."""

    Active = "Active"
    Expired = "Expired"
    Revoked = "Revoked"
    Suspended = "Suspended"


SeatKind = Literal["None", "Device", "Session", "Machine"]
Claim = Literal["Activation", "Session"]
Meter = Literal["Count", "Token"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTraits:
    """What is particular to a license model.

    Attributes:
        seat_kind: What takes a seat: nothing, an activated device, a live session, or the one
            machine that the license is bound to.
        capped: Whether the license has a seat cap that the vendor sets.
        meter: What the wallet counts; ``None`` if the model is not metered.
        term_required: Whether the license must have an expiration date.
        online_only: Whether the activation mode Offline is not allowed.
        credentials: Whether the license may require a user name and a password.
    """

    seat_kind: SeatKind = "None"
    capped: bool = False
    meter: Meter | None = None
    term_required: bool = False
    online_only: bool = False
    credentials: bool = False

    @property
    def binding(self) -> bool:
        """Whether the license is bound to one device, which then is its only seat."""
        return self.seat_kind == "Machine"

    @property
    def claim(self) -> Claim | None:
        """How an application gets a seat; ``None`` if it needs none."""
        return _CLAIMS.get(self.seat_kind)

    @property
    def file_names_device(self) -> bool:
        """Whether license.bin is valid only on the devices that it names."""
        return self.claim == "Activation"


_CLAIMS: Mapping[SeatKind, Claim] = {
    "Device": "Activation",
    "Session": "Session",
    "Machine": "Activation",
}


MODEL_TRAITS: Mapping[str, ModelTraits] = {
    "Perpetual": ModelTraits(credentials=True),
    "Trial": ModelTraits(term_required=True),
    "Subscription": ModelTraits(term_required=True),
    "Floating": ModelTraits(seat_kind="Session", capped=True, online_only=True),
    "Concurrent": ModelTraits(seat_kind="Device", capped=True),
    "NodeLocked": ModelTraits(seat_kind="Machine"),
    "MeteredToken": ModelTraits(meter="Token", online_only=True),
    "MeteredCount": ModelTraits(meter="Count", online_only=True),
}


def traits_of(model: str, told: SeatKind | None = None) -> ModelTraits:
    """The traits of a model. Of an unknown one, only the seat kind told by the server is known."""
    return MODEL_TRAITS.get(model) or ModelTraits(seat_kind=told or "None")
