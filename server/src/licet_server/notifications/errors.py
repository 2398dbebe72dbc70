"""What notifications refuse."""

from licet_server.kit.errors import ErrorCode, Refused


def too_many_streams(limit: int, retry_after: int) -> Refused:
    """Somebody has as many streams open as he may."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"You follow your notifications in {limit} places already. Close one of them first.",
        retry_after=retry_after,
    )
