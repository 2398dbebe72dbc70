"""The error for a response that did not come in time."""

from __future__ import annotations

from licet.errors import ServerTimeoutError


def no_answer_in(seconds: float) -> ServerTimeoutError:
    """Create the error for a server that was given this time to respond."""
    whole = max(1, round(seconds))
    span = "a second" if whole == 1 else f"{whole} seconds"
    return ServerTimeoutError(
        f"The license server did not respond within {span}. Check your internet connection, and "
        "try again.",
        hint="The server is overloaded or far away, or a firewall drops the traffic.",
    )
