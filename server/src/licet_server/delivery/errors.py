"""Refusals of delivery."""

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def no_receiver() -> Refused:
    return conflict("The license is not issued to an email address. Set issuedTo first.")


def not_true_of(reason: str) -> Refused:
    return conflict(f"{reason} Choose another kind of email.")


def too_many_sends(limit: int, retry_after: int) -> Refused:
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"This license was mailed {limit} times within an hour. Try again later.",
        retry_after=retry_after,
    )


def too_many_to_address(limit: int, retry_after: int) -> Refused:
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"{limit} emails were written to this address within a day. Try again later.",
        retry_after=retry_after,
    )


def default_without_translation() -> Refused:
    return bad_field("defaultLocale", "must be the language of one of the translations.")


def too_many_translations(limit: int) -> Refused:
    """Refuse another translation, since a template is read as a whole."""
    return bad_field("translations", f"must be {limit} at most.")


def license_of_another() -> Refused:
    return bad_field("licenseId", "must be a license of the product that you can access.")
