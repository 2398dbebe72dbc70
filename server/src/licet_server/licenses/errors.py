"""What the licenses feature refuses, in its words."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.errors import ErrorCode, Refused, conflict


def unknown_license_key() -> Refused:
    """The same for a key that never was and for one of another product."""
    return Refused(
        ErrorCode.LICENSE_NOT_FOUND,
        "There is no license with this key for this product. Check it for typing errors.",
    )


def revoked() -> Refused:
    """At run time, a revoked license does nothing any more."""
    return Refused(
        ErrorCode.LICENSE_INVALID, "The license was revoked. Ask the vendor for a new one."
    )


def suspended() -> Refused:
    """At run time, a suspended license does nothing for now."""
    return Refused(
        ErrorCode.LICENSE_INVALID, "The license is suspended. Ask the vendor to reinstate it."
    )


def expired(end: datetime) -> Refused:
    """The term has ended."""
    return Refused(
        ErrorCode.LICENSE_EXPIRED,
        f"The license expired on {end:%Y-%m-%d %H:%M} UTC. Renew it to go on.",
    )


def revoked_is_final() -> Refused:
    """Nothing brings a revoked license back."""
    return conflict("The license is revoked, which is final. Issue a new license instead.")


def cannot_convert(convertible: Sequence[str]) -> Refused:
    """Only licenses of these models can be converted."""
    names = " or ".join(convertible)
    return conflict(f"Only a {names} license can be converted. Issue a new license instead.")


def no_file_for(status: str) -> Refused:
    """A file would verify offline although the license is not valid."""
    return conflict(f"The license is {status}, so no license file is handed out.")


def key_taken() -> Refused:
    """Two licenses of a product never share a key."""
    return conflict("The product has a license with this key already.")


def key_too_short_to_protect() -> Refused:
    """A short imported key would be guessed."""
    return conflict(
        "The license key is too short for a protected file; it takes 20 characters. Ask for a "
        "plain file instead."
    )
