"""The refusals of webhooks."""

from licet_server.kit.errors import Refused, conflict


def webhook_disabled() -> Refused:
    """Nothing is sent to a disabled webhook."""
    return conflict("The webhook is disabled. Enable it first.")


def delivery_pending() -> Refused:
    """A pending delivery is not replayed."""
    return conflict("The delivery is still pending. Replay it once it is delivered or failed.")
