"""Refusals of the licenses feature."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.errors import (
    ErrorCode,
    FieldError,
    Refused,
    bad_field,
    bad_fields,
    conflict,
)


def unknown_license_key() -> Refused:
    """Return the product has no license with this key; another product may."""
    return Refused(
        ErrorCode.LICENSE_NOT_FOUND,
        "There is no license with this key for this product. Check the key for typing errors.",
    )


def revoked() -> Refused:
    """Return a revoked license cannot be used at run time."""
    return Refused(
        ErrorCode.LICENSE_INVALID, "The license was revoked. Ask the vendor for a new one."
    )


def suspended() -> Refused:
    """Return a suspended license cannot be used at run time."""
    return Refused(
        ErrorCode.LICENSE_INVALID, "The license is suspended. Ask the vendor to reinstate it."
    )


def expired(end: datetime) -> Refused:
    """Return the term of the license has ended."""
    return Refused(
        ErrorCode.LICENSE_EXPIRED,
        f"The license expired on {end:%Y-%m-%d %H:%M} UTC. Renew it to continue.",
    )


def credentials_required(fields: Sequence[str]) -> Refused:
    """Return the license has a user name and a password, and the request does not."""
    message = "is required: the license requires a user name and a password. Send both."
    return bad_fields([FieldError(field, message) for field in fields])


def credentials_wrong() -> Refused:
    """Return the refusal does not tell which of them is wrong."""
    return Refused(ErrorCode.INVALID_CREDENTIALS, "The user name or the password is wrong.")


def revoked_is_final() -> Refused:
    """Return a revoked license is frozen."""
    return conflict(
        "The license is revoked: only its notes, metadata and tags can still change. Restore it "
        "within 24 hours of the revocation, or issue a new license."
    )


def revoked_too_long_ago(revoked_at: datetime) -> Refused:
    """Return a revocation becomes final after a day."""
    return conflict(
        f"The license was revoked on {revoked_at:%Y-%m-%d %H:%M} UTC, and a revocation can be "
        "undone for 24 hours. Issue a new license instead."
    )


def not_reinstated_lately() -> Refused:
    """Return only what ended a suspension within a day can be taken back."""
    return conflict("The license was not reinstated within the last 24 hours.")


def not_restored_lately() -> Refused:
    """Return only what ended a revocation within a day can be taken back."""
    return conflict("The license was not restored within the last 24 hours.")


def changed_since() -> Refused:
    """Return nobody's later change is overwritten by undoing an earlier one."""
    return conflict("The license was changed again since then, so it stays as it is.")


def balance_cannot_be_undone() -> Refused:
    """Return a conversion grants or keeps a balance, which undoing it would count twice."""
    return conflict(
        "The conversion changed the balance of the license, so it cannot be undone. Convert the "
        "license again."
    )


def password_cannot_be_undone() -> Refused:
    """Return a conversion to a model without passwords forgets the password."""
    return conflict(
        "The conversion removed the user name and the password of the license, so it cannot be "
        "undone. Convert the license again and set them."
    )


def no_term() -> Refused:
    """Return a license that does not expire has no term to extend."""
    return conflict("The license does not expire, so there is no term to extend.")


def term_not_begun() -> Refused:
    """Return a term that starts with the first use has no end yet."""
    return conflict(
        "The term has not begun: it starts with the first use of the license. Set an expiration "
        "date instead of extending it."
    )


def ends_later(end: datetime) -> Refused:
    """Refuse to shorten a term by extending it."""
    return conflict(
        f"The license already ends later, on {end:%Y-%m-%d %H:%M} UTC. Choose a later date."
    )


def too_many_licenses(matching: int, limit: int) -> Refused:
    """Return a filter matches more licenses than one request may change."""
    return bad_field(
        "filter",
        f"matches {matching:,} licenses, but one request can change at most {limit:,}. Narrow the "
        "filter, or send the licenses in parts as `ids`.",
    )


def no_file_for(status: str) -> Refused:
    """Return a license that is not active gets no file, which would verify offline."""
    return conflict(
        f"The license is {status}. License files are only available for active licenses."
    )


def key_taken() -> Refused:
    """Keys are unique within a product."""
    return conflict("The product already has a license with this key.")


def key_too_short_to_protect() -> Refused:
    """Return a short imported key could be guessed."""
    return conflict(
        "The license key is too short for a protected file, which needs 20 characters. Request an "
        "unprotected file instead."
    )


def policy_name_taken() -> Refused:
    """Names are compared case-insensitively."""
    return conflict("The product already has a policy with this name. Choose another name.")


def policy_in_use(licenses: int) -> Refused:
    """Licenses remember the policy that they were issued under."""
    which = "1 license was" if licenses == 1 else f"{licenses:,} licenses were"
    return Refused(
        ErrorCode.CONFLICT,
        f"{which} issued under this policy. Delete them first, or keep the policy and use another "
        "one from now on.",
        extra={"licenseCount": licenses},
    )


def policy_of_another_product() -> Refused:
    """Return a policy names an entitlement set of its own product."""
    return conflict("The license is for another product than the policy.")


def policy_of_another_model(model: str) -> Refused:
    """Return what one model takes, another one refuses."""
    return conflict(
        f"The policy is for {model}, and the license is of another model. Convert the license "
        "first, or choose another policy."
    )


def too_much_metadata(limit: int) -> Refused:
    """Return the pairs of the license and those of the policy are too many together."""
    return conflict(
        f"With the policy's metadata the license would have more than {limit} pairs. Remove some."
    )


def too_many_tags(limit: int) -> Refused:
    return conflict(f"The license already has {limit} tags. Remove one first.")
