"""Refusals of the devices feature."""

from datetime import datetime

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def blocked() -> Refused:
    return Refused(
        ErrorCode.DEVICE_BLOCKED,
        "This device was blocked by the vendor. Ask the vendor to unblock it.",
    )


def hardware_id_required() -> Refused:
    """Refuse a request without a device while a device of the license is blocked."""
    return bad_field("hardwareId", "is required: the license checks which device uses it.")


def bound_elsewhere() -> Refused:
    return Refused(
        ErrorCode.HARDWARE_MISMATCH,
        "The license is bound to another machine. Ask the vendor to free it there first.",
    )


def no_components() -> Refused:
    """The device was not bound with components, so that none of them has changed."""
    return Refused(
        ErrorCode.CONFLICT,
        "The device was not bound with components, so there is no change to accept.",
    )


def other_key() -> Refused:
    """Refuse a device whose hardware ID belongs to a device with another key."""
    return Refused(
        ErrorCode.HARDWARE_MISMATCH,
        "Another device is activated with this hardware ID: it has proven another key. If this "
        "device has lost its key, ask the vendor to deactivate it, then activate it again.",
    )


def key_of_another() -> Refused:
    """Refuse a machine that proves the key of a device without being it."""
    return Refused(
        ErrorCode.HARDWARE_MISMATCH,
        "This machine has the key of another device of the license, but other components. If it "
        "replaces that device, ask the vendor to deactivate the other one, then activate it again.",
    )


def device_proof_required(reason: str) -> Refused:
    """Refuse a request that does not prove the key of its device, for this reason."""
    return Refused(ErrorCode.DEVICE_PROOF_REQUIRED, reason)


def hardware_id_not_accepted(kind: str) -> Refused:
    """Refuse a hardware ID of a kind that the product does not accept, described by `kind`."""
    return Refused(
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        f"The vendor does not accept this hardware ID for the license, since it is {kind}. Use "
        "the application on a machine of your own, or ask the vendor.",
    )


def trial_already_used() -> Refused:
    return Refused(
        ErrorCode.TRIAL_ALREADY_USED,
        "This device has already used another trial of the product. Buy a license, or ask the "
        "vendor to extend the first trial.",
    )


def pending_approval() -> Refused:
    return Refused(
        ErrorCode.PENDING_APPROVAL,
        "The vendor has not approved this device yet. Try again once it is approved.",
    )


def activation_required() -> Refused:
    """Refuse to use a Concurrent license from a device without a seat."""
    return Refused(
        ErrorCode.ACTIVATION_REQUIRED,
        "This device holds no seat of the license. Activate it first.",
    )


def over_limit() -> Refused:
    """Refuse to use a license from a device that lost its seat to a lower cap."""
    return Refused(
        ErrorCode.ACTIVATION_REQUIRED,
        "The license has fewer seats than devices now, and this device has none. Deactivate a "
        "device that is no longer used, or ask the vendor for more seats.",
    )


def seats_taken(used: int, total: int, *, can_release: bool) -> Refused:
    """Refuse a device a seat; whether it may release another device itself is part of it."""
    return Refused(
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        f"All seats of the license are taken ({used} of {total}). Deactivate a device that is no "
        "longer used, or ask the vendor for more seats.",
        extra={"seatsUsed": used, "seatsTotal": total, "canRelease": can_release},
    )


def seat_bound_elsewhere() -> Refused:
    """Refuse a second machine the only seat of a node-locked license."""
    return Refused(
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        "The license is bound to another machine. Deactivate it there, or ask the vendor to free "
        "it.",
        extra={"seatsUsed": 1, "seatsTotal": 1, "canRelease": False},
    )


def too_many_new_devices(limit: int, retry_after: int) -> Refused:
    """Refuse new devices beyond the daily limit, which stops floods of invented ones."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"The license accepts {limit} new devices a day, and today's limit is reached. Try again "
        "tomorrow (UTC).",
        retry_after=retry_after,
    )


def not_activated() -> Refused:
    return Refused(
        ErrorCode.ACTIVATION_NOT_FOUND,
        "This device is not activated on the license, so there is nothing to deactivate.",
    )


def app_releases_off() -> Refused:
    return conflict(
        "The application cannot release devices of this license. Deactivate a device in the "
        "portal, or ask the vendor."
    )


def not_refused_lately() -> Refused:
    return conflict(
        "Only a device that was refused a seat in the last 10 minutes can release another one. "
        "Activate this device first."
    )


def not_among_devices() -> Refused:
    return conflict(
        "Only a device that holds a seat, or was refused one in the last 10 minutes, sees the "
        "devices of the license. Activate this device first."
    )


def holds_no_seat() -> Refused:
    """Refuse to release a device that the license does not have, or that holds no seat."""
    return Refused(
        ErrorCode.ACTIVATION_NOT_FOUND,
        "This device holds no seat of the license, so there is nothing to release.",
    )


def _enrollment_key_invalid(detail: str) -> Refused:
    return Refused(ErrorCode.ENROLLMENT_KEY_INVALID, detail)


def unknown_enrollment_key() -> Refused:
    return _enrollment_key_invalid(
        "The enrollment key is unknown or was deleted. Ask your administrator for another one."
    )


def enrollment_key_expired(at: datetime) -> Refused:
    return _enrollment_key_invalid(
        f"The enrollment key expired on {at:%Y-%m-%d %H:%M} UTC. Ask your administrator for "
        "another one."
    )


def enrollment_key_used_up() -> Refused:
    return _enrollment_key_invalid(
        "The enrollment key has enrolled as many devices as it may. Ask your administrator for "
        "another one."
    )


def enrollment_address_not_allowed() -> Refused:
    return _enrollment_key_invalid(
        "The enrollment key cannot be used from this network. Connect to your organization's "
        "network, or ask your administrator."
    )


def enrollment_without_seats() -> Refused:
    return _enrollment_key_invalid(
        "Devices of this license can no longer be enrolled, since it has another model. Ask the "
        "vendor."
    )


def enrollment_needs_seats() -> Refused:
    """Refuse an enrollment key for a license whose seats no devices hold."""
    return conflict("Only Concurrent licenses have enrollment keys.")


def too_many_enrollment_keys(limit: int) -> Refused:
    return conflict(f"A license has at most {limit} enrollment keys. Delete one first.")


def releases_not_allowed() -> Refused:
    return conflict(
        "Only the vendor can release devices of this product. Ask the vendor to deactivate it."
    )


def release_limit_reached(count: int, limit: int, next_at: datetime) -> Refused:
    return conflict(
        f"Devices of this license were released {count} times in the last 365 days; the limit is "
        f"{limit}. You can release the next one after {next_at:%Y-%m-%d %H:%M} UTC. Ask the vendor "
        "if you need it earlier."
    )


def released_already(free_at: datetime) -> Refused:
    return conflict(
        f"This device has already been released. Its seat is free on {free_at:%Y-%m-%d %H:%M} "
        "UTC, when its license file has ended."
    )


def license_revoked() -> Refused:
    return conflict(
        "The license was revoked, so there is no seat to release. Ask the vendor for a new license."
    )


def activate_first() -> Refused:
    """Refuse to bind a license by a download."""
    return conflict(
        "The license is not bound to a machine yet. Activate it in the application on the machine "
        "that is to use it, then download the file."
    )


def unblock_first() -> Refused:
    return conflict("The device is blocked. Unblock it first.")


def file_names_machine() -> Refused:
    """Refuse a file that would show the bound machine's hardware ID to those who may not see it."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "The file names the machine that the license is bound to, which only Owners and Admins "
        "see. Send the hardware ID of that machine, or ask one of them for the file.",
    )


def deactivate_bound_machine_first() -> Refused:
    return conflict(
        "The license is bound to another machine. Deactivate that machine before you bind this one."
    )


def not_approved() -> Refused:
    return conflict("The license is not bound to this device by an approval.")


class LicenseDeleted(Exception):
    """One of the licenses has been deleted meanwhile; what concerned several was not stored."""
