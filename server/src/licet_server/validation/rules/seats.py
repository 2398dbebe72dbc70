"""The seat in a verdict."""

from msgspec import Struct

from licet_server.devices.rules.model import SeatedFacts
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.rules.traits import SeatKind


class Seat(Struct, frozen=True):
    """What holds a seat of a license, and how many are in use.

    `held` is whether the requesting device or session holds one, and `None` where the request named
    neither. `used` and `total` are `None` where seats are not counted.
    """

    kind: SeatKind
    held: bool | None = None
    used: int | None = None
    total: int | None = None


NO_SEAT = Seat(SeatKind.NONE)


class LiveSeats(Struct, frozen=True):
    """How many sessions of a license are live, and whether the named one is."""

    count: int = 0
    is_live: bool | None = None


def seat_of(
    license_: License, hardware_id: str | None, found: SeatedFacts, live: LiveSeats
) -> Seat:
    """Return the seat of a request with this hardware ID."""
    own, kind, total = found.facts.own, license_.traits.seat_kind, seat_cap(license_)
    is_named = hardware_id is not None
    match kind:
        case SeatKind.NONE:
            return NO_SEAT
        case SeatKind.SESSION:
            return Seat(kind, live.is_live, live.count, total)
        case SeatKind.DEVICE:
            is_held = own is not None and own.is_seated
            return Seat(kind, is_held if is_named else None, found.seats_used, total)
        case SeatKind.MACHINE:
            is_held = own is not None and own.bound
            used = 1 if is_held or found.facts.bound_other is not None else 0
            return Seat(kind, is_held if is_named else None, used, total)
