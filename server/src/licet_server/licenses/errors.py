"""What the licenses feature refuses, in its words."""

from licet_server.kit.errors import Refused, conflict


def revoked_is_final() -> Refused:
    """Nothing brings a revoked license back."""
    return conflict("The license is revoked, which is final. Issue a new license instead.")


def cannot_convert() -> Refused:
    """Only trials turn into something else."""
    return conflict("Only a Trial license can be converted. Issue a new license instead.")


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
