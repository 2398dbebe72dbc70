"""The table of license models: what is particular to each of them.

A new model is one new row of `LicenseType`. Everything else asks `license.traits` and never
compares the type itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class MeterMode(StrEnum):
    """What a meter counts: uses, or tokens at a price for each feature."""

    COUNT = "Count"
    TOKEN = "Token"  # noqa: S105 - a mode's name


class DeviceBindingMode(StrEnum):
    """How a node-locked license gets its machine."""

    AUTO_BIND = "AutoBind"
    OWNER_APPROVAL = "OwnerApproval"


class SeatKind(StrEnum):
    """What holds a seat: nothing, a live session, an activated device, or the bound machine."""

    NONE = "None"
    SESSION = "Session"
    DEVICE = "Device"
    MACHINE = "Machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTraits:
    """What a license model does. The defaults are those of most models.

    `number` is the model on the wire where it is given as a number. A model with a
    `default_binding_mode` takes a device binding mode; the others do not. The term of a model that
    `is_trial` is not paid for. A model that is `endless` has no end unless one is given, whatever
    was converted to it. `seat_file_days` is how long the offline file of a device that holds a seat
    lasts where the product names no lifetime.
    """

    number: int
    seat_kind: SeatKind = SeatKind.NONE
    meter_mode: MeterMode | None = None
    term_required: bool = False
    receiver_required: bool = True
    online_only: bool = False
    takes_credentials: bool = False
    default_binding_mode: DeviceBindingMode | None = None
    is_trial: bool = False
    endless: bool = False
    seat_file_days: int = 30

    @property
    def is_metered(self) -> bool:
        """Whether each license has a wallet."""
        return self.meter_mode is not None

    @property
    def takes_binding_mode(self) -> bool:
        """Whether a device binding mode may be set."""
        return self.default_binding_mode is not None

    @property
    def seat_cap_required(self) -> bool:
        """Whether each license sets its own seat cap; a bound machine is always one."""
        return self.seat_kind in {SeatKind.SESSION, SeatKind.DEVICE}

    @property
    def is_node_locked(self) -> bool:
        """Whether the license runs on its bound machine only, and its license file names it."""
        return self.seat_kind is SeatKind.MACHINE

    @property
    def activation_required(self) -> bool:
        """Whether the license is valid, and gives sessions, only on a device that holds a seat."""
        return self.seat_kind is SeatKind.DEVICE


class LicenseType(StrEnum):
    """The license models; on the wire by name, on create also by number."""

    traits: ModelTraits

    # `traits` is optional for type checkers only: `LicenseType("Trial")` looks a model up.
    def __new__(cls, name: str, traits: ModelTraits | None = None) -> Self:
        if traits is None:
            raise TypeError(f"{name} has no traits")
        member = str.__new__(cls, name)
        member._value_ = name
        member.traits = traits
        return member

    PERPETUAL = (
        "Perpetual",
        ModelTraits(number=0, receiver_required=False, takes_credentials=True, endless=True),
    )
    TRIAL = (
        "Trial",
        ModelTraits(number=1, term_required=True, is_trial=True),
    )
    SUBSCRIPTION = (
        "Subscription",
        ModelTraits(number=2, term_required=True),
    )
    FLOATING = (
        "Floating",
        ModelTraits(number=3, seat_kind=SeatKind.SESSION, online_only=True),
    )
    CONCURRENT = (
        "Concurrent",
        ModelTraits(number=4, seat_kind=SeatKind.DEVICE),
    )
    NODE_LOCKED = (
        "NodeLocked",
        ModelTraits(
            number=5,
            seat_kind=SeatKind.MACHINE,
            default_binding_mode=DeviceBindingMode.AUTO_BIND,
        ),
    )
    METERED_TOKEN = (
        "MeteredToken",
        ModelTraits(number=6, meter_mode=MeterMode.TOKEN, online_only=True),
    )
    METERED_COUNT = (
        "MeteredCount",
        ModelTraits(number=7, meter_mode=MeterMode.COUNT, online_only=True),
    )


def license_type_of(given: LicenseType | int) -> LicenseType | None:
    """Return the model with this name or number; `None` for an unknown number."""
    if isinstance(given, LicenseType):
        return given
    return next((item for item in LicenseType if item.traits.number == given), None)


def models_where(has_trait: Callable[[ModelTraits], bool]) -> list[LicenseType]:
    """Return the models with a trait, in the order of the table."""
    return [item for item in LicenseType if has_trait(item.traits)]
