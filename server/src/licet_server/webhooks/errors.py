"""The refusals of webhooks."""

from licet_server.kit.errors import Refused, conflict


def webhook_disabled() -> Refused:
    return conflict("The webhook is disabled. Enable it first.")


def delivery_pending() -> Refused:
    return conflict("The delivery is still pending. Replay it once it is delivered or failed.")
