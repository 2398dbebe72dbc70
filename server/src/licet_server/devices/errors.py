"""What the devices feature refuses, in its words."""

from datetime import datetime

from licet_server.kit.errors import ErrorCode, Refused, conflict


def blocked() -> Refused:
    """The vendor blocked this device."""
    return Refused(
        ErrorCode.DEVICE_BLOCKED,
        "This device was blocked by the vendor. Ask the vendor to unblock it.",
    )


def bound_elsewhere() -> Refused:
    """A node-locked license that another machine has."""
    return Refused(
        ErrorCode.HARDWARE_MISMATCH,
        "The license is bound to another machine. Ask the vendor to free it there first.",
    )


def pending_approval() -> Refused:
    """The owner of the product decides which machine it is."""
    return Refused(
        ErrorCode.PENDING_APPROVAL,
        "The vendor has not approved this device yet. Try again once it is approved.",
    )


def activation_required() -> Refused:
    """A seat of a Concurrent license belongs to a device."""
    return Refused(
        ErrorCode.ACTIVATION_REQUIRED,
        "This device holds no seat of the license. Activate it first.",
    )


def seats_taken(used: int, total: int) -> Refused:
    """Every seat has a device."""
    return Refused(
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        f"All {total} seats of the license are taken. Deactivate a device that is no longer used, "
        "or ask the vendor for more seats.",
        extra={"seatsUsed": used, "seatsTotal": total},
    )


def bound_machine_has_the_seat() -> Refused:
    """The one seat of a node-locked license is another machine's."""
    return Refused(
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        "The license is bound to another machine. Deactivate it there, or ask the vendor to free "
        "it.",
        extra={"seatsUsed": 1, "seatsTotal": 1},
    )


def too_many_new_devices(limit: int, retry_after: int) -> Refused:
    """A flood of invented devices."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"The license takes {limit} new devices a day, and today's are used up. Try again "
        "tomorrow (UTC).",
        retry_after=retry_after,
    )


def not_activated() -> Refused:
    """There is nothing to deactivate."""
    return Refused(
        ErrorCode.ACTIVATION_NOT_FOUND,
        "This device is not activated on the license, so there is nothing to deactivate.",
    )


def never_released() -> Refused:
    """The vendor leaves nothing to end users."""
    return conflict(
        "Devices of this product are freed by its vendor only. Ask the vendor to deactivate it."
    )


def releases_used_up(count: int, limit: int, next_at: datetime) -> Refused:
    """An end user has freed seats often enough for a while."""
    return conflict(
        f"Devices of this license were freed {count} times in the last 365 days, and {limit} times "
        f"are allowed. The next time is possible after {next_at:%Y-%m-%d %H:%M} UTC; ask the "
        "vendor where it must be earlier."
    )


def nothing_to_free() -> Refused:
    """A seat of a revoked license is of use to nobody."""
    return conflict(
        "The license was revoked, so there is no seat to free. Ask the vendor for a new license."
    )


def activate_first() -> Refused:
    """An end user does not bind a license by a download."""
    return conflict(
        "The license has no machine yet. Activate it in the application on the machine that is to "
        "have it, then download the file."
    )


def unblock_first() -> Refused:
    """Nothing is handed to a blocked device."""
    return conflict("The device is blocked. Unblock it first.")


def free_other_machine_first() -> Refused:
    """One machine for each node-locked license."""
    return conflict(
        "The license is bound to another machine. Deactivate that one first, then this one can "
        "have it."
    )
