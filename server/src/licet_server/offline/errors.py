"""Refusals of the offline feature."""

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def not_allowed() -> Refused:
    return _not_allowed(
        "The vendor does not let machines be activated by request under this license. Send the "
        "request to the vendor."
    )


def no_files() -> Refused:
    return _not_allowed("Licenses of this model have no license files, so no request is answered.")


def rejected(reason: str | None) -> Refused:
    said = f": {reason}" if reason else "."
    return _not_allowed(f"The vendor has rejected the request{said}")


def _not_allowed(detail: str) -> Refused:
    return Refused(ErrorCode.OFFLINE_ACTIVATION_NOT_ALLOWED, detail)


def outdated() -> Refused:
    return Refused(
        ErrorCode.OFFLINE_REQUEST_OUTDATED,
        "The machine has made a newer request than this one, or was copied or put back from a "
        "backup. Make a new request on the machine.",
    )


def answer_ended() -> Refused:
    """Refuse to repeat an answer that has ended."""
    return Refused(
        ErrorCode.OFFLINE_REQUEST_OUTDATED,
        "The answer to this request has ended. Make a new request on the machine.",
    )


def released() -> Refused:
    return conflict("The machine was released after this request, so there is nothing to answer.")


def decided() -> Refused:
    return conflict(
        "The request does not wait for a decision. To end the use, deactivate the device."
    )


def bad_request(reason: str) -> Refused:
    return bad_field("request", reason)


def bad_group(number: int) -> Refused:
    """Refuse a code with a mistyped group, counted from 1."""
    return bad_request(f"has a mistake in group {number} of the code. Compare it with the screen.")


def unknown_code() -> Refused:
    """Refuse a release code that no device of the license signed."""
    return bad_request(
        "is a release code of no machine of this license. Check the license key, or take the file."
    )


def key_required() -> Refused:
    """Refuse a request from which the license cannot be told."""
    return bad_field("licenseKey", "is required: the request does not say of which license it is.")


def other_key() -> Refused:
    return bad_field("licenseKey", "is not the license key that the machine made the request with.")


def of_other_license() -> Refused:
    return bad_request("is for another license: the machine uses another license key.")
