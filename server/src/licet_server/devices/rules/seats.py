"""How many devices a license takes, and how many new ones on a day."""

from licet_server.devices.rules.model import Tally
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.rules.traits import SeatKind

NEW_ROWS_A_DAY = 200


def seats_total(license_: License | LicenseTerms) -> int | None:
    """How many devices may hold a seat; `None` where there is no limit."""
    is_for_devices = license_.traits.seat_kind in {SeatKind.DEVICE, SeatKind.MACHINE}
    return seat_cap(license_) if is_for_devices else None


def has_room_today(license_: License | LicenseTerms, tally: Tally) -> bool:
    """Whether one more row may be made today.

    Product keys are public, so that anybody could fill the database. A pool may always be filled
    on one day.
    """
    return tally.new_rows < max(NEW_ROWS_A_DAY, seats_total(license_) or 0)
