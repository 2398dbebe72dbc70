"""How many seats a license has."""

from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.traits import SeatKind


def seat_cap(license_: License | LicenseTerms) -> int | None:
    """How many seats may be held at a time; `None` where nothing holds a seat."""
    match license_.traits.seat_kind:
        case SeatKind.NONE:
            return None
        case SeatKind.MACHINE:
            return 1
        case SeatKind.SESSION | SeatKind.DEVICE:
            return license_.max_active_users_count
