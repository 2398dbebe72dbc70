"""The refusals of notifications."""

from licet_server.kit.errors import ErrorCode, Refused


def too_many_streams(limit: int, retry_after: int) -> Refused:
    """A user has reached the limit of open streams."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"Your notifications are open in {limit} places already. Close one of them first.",
        retry_after=retry_after,
    )
