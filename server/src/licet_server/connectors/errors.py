"""The refusals of connectors."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def not_signed() -> Refused:
    """What the shop did not sign is not stored."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The signature of the message is missing, wrong or too old. Check the signing secret of "
        "the connector, and that its kind matches the shop.",
    )


def unreadable(reason: str) -> Refused:
    """A message that is signed, but no event."""
    return Refused(ErrorCode.INVALID_REQUEST, f"The message is no event of this shop: {reason}")


def too_large(limit: int) -> Refused:
    """An event is a few kilobytes."""
    return Refused(ErrorCode.PAYLOAD_TOO_LARGE, f"An event must have at most {limit // 1024} kB.")


def secret_lost() -> Refused:
    """The master key under which the signing secret was stored is gone."""
    return conflict(
        "The signing secret of the connector cannot be decrypted, because its master key is lost. "
        "Replace the secret, and have the shop send the event again."
    )


def disabled() -> Refused:
    """A shop repeats an event that is refused, so nothing is lost for a while."""
    return conflict("The connector is disabled. Enable it, and have the shop send the event again.")


def rule_exists() -> Refused:
    """Of two rules for the same thing, one would never apply."""
    return conflict("The connector has a rule for this product and price already. Change it.")


def too_many_rules(limit: int) -> Refused:
    """More rules are refused where they are given at once, too."""
    return conflict(f"The connector has {limit} rules, and can have no more.")


def event_pending() -> Refused:
    """An event that waits is worked on soon."""
    return conflict("The event is still pending. Replay it once it is processed.")
