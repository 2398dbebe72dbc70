"""The refusals of telemetry."""

from licet_server.kit.errors import ErrorCode, Refused


def daily_limit_reached(limit: int, retry_after: int) -> Refused:
    """The product has reached its daily limit."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"The product has reached its limit of {limit:,} events per day (UTC). None of the events "
        "of this request were stored. Send them again tomorrow, or drop them.",
        retry_after=retry_after,
    )
