"""The refusals of the catalog."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def unknown_product_key() -> Refused:
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The product key is missing, unknown, revoked or expired. Send a valid one in the header "
        "X-API-KEY; an Admin can find it under the product's credentials.",
    )


def keys_not_generated() -> Refused:
    return Refused(
        ErrorCode.KEYS_NOT_GENERATED,
        "The product has no signing key yet. Generate one first; it signs the licenses.",
    )


def next_key_exists() -> Refused:
    """Refuse another prepared key: applications may already trust the first."""
    return conflict(
        "The product has a prepared signing key already. Activate it, or discard it first."
    )


def no_next_key() -> Refused:
    return conflict("The product has no prepared signing key. Prepare one first.")


def next_key_lost() -> Refused:
    """Refuse a prepared key whose private part was sealed under a lost master key."""
    return conflict(
        "The prepared signing key cannot be opened, because the master key that sealed it is "
        "missing. Discard it, and prepare another."
    )


def too_many_generations() -> Refused:
    """Refuse another key: they are generated one at a time, and the queue is full."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "Many signing keys are being generated right now. Nothing was changed; try again in a "
        "moment.",
        retry_after=5,
    )


def product_name_taken() -> Refused:
    return conflict("The institution already has a product with this name. Choose another name.")


def product_has_licenses() -> Refused:
    return conflict("The product still has licenses. Delete its licenses first.")


def product_is_opened() -> Refused:
    return conflict(
        "The product is Opened, so its licenses are not tied to institutions. Change its access "
        "type to Associated first."
    )


def product_has_associations(count: int) -> Refused:
    """Refuse to open a product, which would remove its associations unnoticed."""
    return conflict(
        f"The product has {count:,} associated or invited institutions. Remove its associations "
        "before you change its access type to Opened."
    )


def too_many_associations(limit: int) -> Refused:
    """Refuse another association, since each product shows all of them."""
    return conflict(
        f"The product already has {limit:,} associated or invited institutions. Remove one first."
    )


def already_invited() -> Refused:
    return conflict("There is a pending invitation already. Resend it, or remove it first.")


def already_associated() -> Refused:
    return conflict("This institution is already associated with the product.")


def association_accepted() -> Refused:
    return conflict("The invitation was already accepted. There is nothing to send again.")


def association_in_use(licenses: int) -> Refused:
    which = "1 license" if licenses == 1 else f"{licenses:,} licenses"
    return Refused(
        ErrorCode.CONFLICT,
        f"The institution has {which} of this product that "
        f"{'is' if licenses == 1 else 'are'} neither revoked nor expired. Revoke "
        f"{'it' if licenses == 1 else 'them'} first, or wait until the term ends.",
        extra={"licenseCount": licenses},
    )


def invited_another_institution() -> Refused:
    return Refused(
        ErrorCode.FORBIDDEN,
        "This invitation is for another institution. An Owner of that institution can accept it.",
    )


def too_many_test_products(most: int) -> Refused:
    return Refused(
        ErrorCode.CONFLICT,
        f"The institution has {most} Test products, the most there may be. Delete one first.",
    )


def product_has_clock() -> Refused:
    return conflict("The product has a test clock already. Advance it, or delete it first.")


def clock_needs_test_product() -> Refused:
    return bad_field("productId", "is not a Test product. Only Test products have clocks.")


def clock_is_advancing() -> Refused:
    return conflict("The test clock is advancing. Wait until it is Ready.")


def clock_goes_forward(now: datetime) -> Refused:
    return bad_field("to", f"is before {now:%Y-%m-%dT%H:%M:%SZ}. A test clock only moves forward.")


def clock_goes_too_far(days: int) -> Refused:
    return bad_field("to", f"is more than {days:,} days ahead of the clock. Advance in steps.")


def clock_starts_no_earlier() -> Refused:
    return bad_field("now", "is in the past. A test clock starts at the present, or goes ahead.")


def last_product_key() -> Refused:
    return conflict("This is the last product key. Rotate it first, then delete the old one.")


def too_many_product_keys(limit: int) -> Refused:
    """Refuse another key, since their list is not paged."""
    return conflict(f"The product already has {limit} live keys. Delete one that is not in use.")


def release_taken() -> Refused:
    return conflict(
        "The product already has a release with this version in this channel. Choose another "
        "version."
    )


def release_in_use() -> Refused:
    return conflict(
        "Licenses are bound to this release, so it cannot be deleted. Yank it instead, or move the "
        "licenses to another release first."
    )


def release_was_published() -> Refused:
    return conflict(
        "The release was published, so it cannot become a draft again. Yank it instead."
    )


def not_a_signing_key() -> Refused:
    return Refused(
        ErrorCode.INVALID_REQUEST,
        "The file is not an RSA private key of 2048, 3072 or 4096 bits, as PEM without a password.",
    )


def signing_key_used() -> Refused:
    """Refuse a former key: it was replaced for a reason."""
    return conflict("The product has or had this signing key. Use another one.")


def release_signature_broken() -> Refused:
    """Refuse to sign a release whose stored token the product's key did not sign."""
    return conflict(
        "The stored signature of the release does not verify: the database was changed from "
        "outside, or belongs to another master key. Check the files, yank the release, and publish "
        "it again."
    )


def file_taken() -> Refused:
    return conflict(
        "The release already has a file with this name for this platform. Delete it first, or "
        "choose another name."
    )


def upload_too_slow() -> Refused:
    """Refuse a slow upload, which the sweep would take for a leftover of a crash."""
    return bad_field("file", "took more than 12 hours to upload. Use a faster connection.")


def hash_mismatch(computed: str) -> Refused:
    return bad_field(
        "sha256", f"does not match the file, whose SHA-256 is {computed}. The file was not stored."
    )


def invalid_download_url() -> Refused:
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The download URL is invalid or has expired. Check for updates again to get a new one.",
    )


def feature_name_taken() -> Refused:
    return conflict("The product already has a feature with this name. Choose another name.")


def feature_in_use(sets: Sequence[str] = ()) -> Refused:
    """Refuse to delete a feature that entitlement sets contain; the message names them."""
    names = f" ({', '.join(sets)})" if sets else ""
    return conflict(f"The feature is in use{names}. Remove it from its entitlement sets first.")


def feature_kind_in_use() -> Refused:
    """Refuse another kind of a feature that was just added to an entitlement set."""
    return conflict(
        "An entitlement set that was just changed contains the feature, so its kind cannot change. "
        "Remove it from its entitlement sets first."
    )


def feature_has_values(change: str, *, sets: int, licenses: int) -> Refused:
    """Refuse a name or kind that would not fit the values of sets and licenses."""
    users = []
    if sets:
        users.append("1 entitlement set" if sets == 1 else f"{sets:,} entitlement sets")
    if licenses:
        users.append("1 license" if licenses == 1 else f"{licenses:,} licenses")
    return Refused(
        ErrorCode.CONFLICT,
        f"The feature is used by {' and '.join(users)}, so {change}. Remove it from "
        "them first, or create another feature.",
        extra={"entitlementSetCount": sets, "licenseCount": licenses},
    )


def entitlement_set_name_taken() -> Refused:
    return conflict(
        "The product already has an entitlement set with this name. Choose another name."
    )


def entitlement_set_in_use() -> Refused:
    """Refuse to delete a set that licenses or policies use: without it they allow every feature."""
    return conflict("Licenses use this entitlement set, or policies do. Remove it from them first.")
