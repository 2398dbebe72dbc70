"""What telemetry refuses, in its words."""

from licet_server.kit.errors import ErrorCode, Refused


def day_is_full(limit: int, retry_after: int) -> Refused:
    """The product has sent all that is taken on one day."""
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"The product has sent {limit:,} events today (UTC), and no more are taken on one day. "
        "Nothing of this request was kept; send it again tomorrow, or let it go.",
        retry_after=retry_after,
    )
