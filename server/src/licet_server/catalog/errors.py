"""What the catalog refuses, in its words."""

from collections.abc import Sequence

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def unknown_product_key() -> Refused:
    """No product key, or one that does not (or no longer) stand for a product."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "Send the product key in the header X-API-KEY. It is missing, unknown, revoked or expired; "
        "an administrator finds the present one under the product's credentials.",
    )


def keys_not_generated() -> Refused:
    """The product has no RSA keys yet."""
    return Refused(
        ErrorCode.KEYS_NOT_GENERATED,
        "The product has no RSA keys yet. Generate them first; licenses are signed with them.",
    )


def too_many_generations() -> Refused:
    """Keys are made one after the other; the queue is full."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "Many RSA keys are being generated just now. Nothing was changed; try again in a moment.",
        retry_after=5,
    )


def product_name_taken() -> Refused:
    """Names are compared without case."""
    return conflict("The institution has a product with this name already. Choose another name.")


def product_has_licenses() -> Refused:
    """Deleting it would orphan its licenses."""
    return conflict("The product still has licenses. Delete its licenses first.")


def last_product_key() -> Refused:
    """Every installed application would stop."""
    return conflict("This is the last product key. Rotate it first, then delete the old one.")


def too_many_product_keys(limit: int) -> Refused:
    """The list is read whole, so it has an end."""
    return conflict(f"The product has {limit} live keys already. Delete one that is not in use.")


def release_taken() -> Refused:
    """A version exists once per channel, compared without case."""
    return conflict("The product has a release with this version and channel already.")


def release_in_use() -> Refused:
    """Licenses are bound to it."""
    return conflict(
        "Licenses are bound to this release, so it cannot be deleted. Yank it instead, or move the "
        "licenses to another release first."
    )


def release_was_published() -> Refused:
    """What was out cannot be a draft again."""
    return conflict("The release was published, so it cannot be a draft again. Yank it instead.")


def file_taken() -> Refused:
    """A name stands once per platform, compared without case."""
    return conflict(
        "The release has a file with this name for this platform already. Delete it first, or "
        "choose another name."
    )


def too_slow() -> Refused:
    """What takes so long would be taken for what a crash left behind."""
    return bad_field("file", "took longer than 12 hours to come. Send it over a faster line.")


def wrong_hash(computed: str) -> Refused:
    """What came is not what was sent."""
    return bad_field(
        "sha256", f"does not fit the file, whose SHA-256 is {computed}. Nothing was kept."
    )


def no_such_download() -> Refused:
    """An address that we never gave out, or whose time is over."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The download address is no longer valid, or was changed. Ask for updates again to get a "
        "new one.",
    )


def feature_name_taken() -> Refused:
    """Names are compared without case."""
    return conflict("The product has a feature with this name already. Choose another name.")


def feature_in_use(sets: Sequence[str] = ()) -> Refused:
    """Names the entitlement sets that hold it."""
    names = f" ({', '.join(sets)})" if sets else ""
    return conflict(f"The feature is in use{names}. Take it out of its entitlement sets first.")


def entitlement_set_name_taken() -> Refused:
    """Names are compared without case."""
    return conflict("The product has an entitlement set with this name already. Choose another.")


def entitlement_set_in_use() -> Refused:
    """Licenses are restricted by it; without it they would allow everything."""
    return conflict("Licenses use this entitlement set. Take it off the licenses first.")
