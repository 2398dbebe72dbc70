"""The refusals of the catalog."""

from collections.abc import Sequence

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def unknown_product_key() -> Refused:
    """The product key is missing or not valid."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The product key is missing, unknown, revoked or expired. Send a valid one in the header "
        "X-API-KEY; an Admin finds it under the product's credentials.",
    )


def keys_not_generated() -> Refused:
    """The product has no signing key yet."""
    return Refused(
        ErrorCode.KEYS_NOT_GENERATED,
        "The product has no signing key yet. Generate one first; it signs the licenses.",
    )


def too_many_generations() -> Refused:
    """Keys are generated one at a time, and the queue is full."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "Many signing keys are being generated right now. Nothing was changed; try again in a "
        "moment.",
        retry_after=5,
    )


def product_name_taken() -> Refused:
    """Names are compared case-insensitively."""
    return conflict("The institution already has a product with this name. Choose another name.")


def product_has_licenses() -> Refused:
    """Deleting it would orphan its licenses."""
    return conflict("The product still has licenses. Delete its licenses first.")


def last_product_key() -> Refused:
    """Without it, every installed application would stop working."""
    return conflict("This is the last product key. Rotate it first, then delete the old one.")


def too_many_product_keys(limit: int) -> Refused:
    """The list is not paged, so its length is limited."""
    return conflict(f"The product already has {limit} live keys. Delete one that is not in use.")


def release_taken() -> Refused:
    """A version is unique per channel, compared case-insensitively."""
    return conflict(
        "The product already has a release with this version in this channel. Choose another "
        "version."
    )


def release_in_use() -> Refused:
    """Licenses are bound to the release."""
    return conflict(
        "Licenses are bound to this release, so it cannot be deleted. Yank it instead, or move the "
        "licenses to another release first."
    )


def release_was_published() -> Refused:
    """A published release cannot become a draft again."""
    return conflict(
        "The release was published, so it cannot become a draft again. Yank it instead."
    )


def file_taken() -> Refused:
    """A file name is unique per platform, compared case-insensitively."""
    return conflict(
        "The release already has a file with this name for this platform. Delete it first, or "
        "choose another name."
    )


def upload_too_slow() -> Refused:
    """The sweep takes older uploads for leftovers of a crash."""
    return bad_field("file", "took more than 12 hours to upload. Use a faster connection.")


def hash_mismatch(computed: str) -> Refused:
    """The file does not have the SHA-256 that the uploader sent."""
    return bad_field(
        "sha256", f"does not match the file, whose SHA-256 is {computed}. The file was not stored."
    )


def invalid_download_url() -> Refused:
    """The download URL is forged or expired."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The download URL is invalid or has expired. Check for updates again to get a new one.",
    )


def feature_name_taken() -> Refused:
    """Names are compared case-insensitively."""
    return conflict("The product already has a feature with this name. Choose another name.")


def feature_in_use(sets: Sequence[str] = ()) -> Refused:
    """Entitlement sets contain the feature; the message names them."""
    names = f" ({', '.join(sets)})" if sets else ""
    return conflict(f"The feature is in use{names}. Remove it from its entitlement sets first.")


def entitlement_set_name_taken() -> Refused:
    """Names are compared case-insensitively."""
    return conflict(
        "The product already has an entitlement set with this name. Choose another name."
    )


def entitlement_set_in_use() -> Refused:
    """Licenses use the set; without it they would allow every feature."""
    return conflict("Licenses use this entitlement set. Remove it from the licenses first.")
