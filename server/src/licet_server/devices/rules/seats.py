"""The seat cap of a license, and its daily limit of new devices."""

from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.rules.traits import SeatKind

MIN_NEW_ROWS_PER_DAY = 200
"""How many activations and access attempts a license may create in a day (UTC), at least."""


def seats_total(license_: License | LicenseTerms) -> int | None:
    """Return how many devices may hold a seat; `None` where there is no limit."""
    is_for_devices = license_.traits.seat_kind in {SeatKind.DEVICE, SeatKind.MACHINE}
    return seat_cap(license_) if is_for_devices else None


def daily_limit(license_: License | LicenseTerms) -> int:
    """Return how many new devices the license accepts in a day.

    Product keys are public, so without a limit anyone could fill the database. A pool of any size
    can still be filled in one day.
    """
    return max(MIN_NEW_ROWS_PER_DAY, seats_total(license_) or 0)
