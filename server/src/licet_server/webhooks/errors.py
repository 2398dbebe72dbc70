"""What the webhooks feature refuses, in its words."""

from licet_server.kit.errors import Refused, conflict


def webhook_disabled() -> Refused:
    """Nothing is sent to a webhook that is turned off."""
    return conflict("The webhook is disabled. Enable it first.")


def delivery_pending() -> Refused:
    """A delivery that is still under way needs no second one."""
    return conflict("The delivery is still being tried. Replay it once it is delivered or failed.")
