"""The refusals of connectors."""

from datetime import timedelta

from licet_server.kit.errors import ErrorCode, Refused, conflict


def not_signed() -> Refused:
    """Refuse a message without a signature."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The message has no signature of this kind of shop. Check that the kind of the connector "
        "matches the shop.",
    )


def wrongly_signed() -> Refused:
    """Refuse a message that none of the secrets signed."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The signature of the message is wrong. Check the signing secret of the connector, and "
        "that its kind matches the shop.",
    )


def signed_at_another_time(age: timedelta) -> Refused:
    """Refuse a message that was signed rightly, but too long ago or in the future."""
    minutes = round(abs(age).total_seconds() / 60)
    side = "behind" if age > timedelta() else "ahead of"
    return Refused(
        ErrorCode.UNAUTHORIZED,
        f"The signature is right, but its time is {minutes:,} minutes {side} the clock of this "
        "server. Set the clocks of the server and of the shop; the signing secret is right.",
    )


def unreadable(reason: str) -> Refused:
    """Refuse a signed message that is not an event."""
    return Refused(ErrorCode.INVALID_REQUEST, f"The message is no event of this shop: {reason}")


def too_large(limit: int) -> Refused:
    """Refuse a message that is too large to be an event."""
    return Refused(ErrorCode.PAYLOAD_TOO_LARGE, f"An event must have at most {limit // 1024} kB.")


def secret_lost() -> Refused:
    """Refuse an event whose signature cannot be checked without the lost master key."""
    return conflict(
        "The signing secret of the connector cannot be decrypted, because its master key is lost. "
        "Replace the secret, and have the shop send the event again."
    )


def disabled() -> Refused:
    """Refuse an event while disabled: the provider retries it, so it is not lost at once."""
    return conflict("The connector is disabled. Enable it, and have the shop send the event again.")


def rule_exists() -> Refused:
    """Refuse a second rule for the same item, which would never apply."""
    return conflict("The connector has a rule for this product and price already. Change it.")


def too_many_rules(limit: int) -> Refused:
    """Refuse a rule beyond the limit, which also holds for a list of rules."""
    return conflict(f"The connector has {limit} rules, and can have no more.")


def has_address() -> Refused:
    """Refuse another address for an order: the provider's is the one that counts."""
    return conflict("The order has the buyer's address already. Change the customer instead.")


def chosen_by_admins() -> Refused:
    """Refuse to choose what another member receives."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Only Owners and Admins choose who receives reports. You can choose for yourself.",
    )


def sees_no_orders() -> Refused:
    """Refuse to mail orders to a member whose role does not see them."""
    return conflict("Members see no orders. Reports are for Owners, Admins and Viewers.")


def has_report() -> Refused:
    """Refuse a second report for an address."""
    return conflict("This address receives reports already, or has stopped them. Change the entry.")


def report_stopped() -> Refused:
    """Refuse to send reports to an address whose owner has stopped them."""
    return conflict("The recipient has stopped these reports. Ask them, and add the address again.")


def too_many_report_addresses(limit: int) -> Refused:
    """Refuse an address outside the team beyond the limit."""
    return conflict(f"Reports go to at most {limit} addresses outside the team. Remove one first.")


def event_pending() -> Refused:
    """Refuse to replay an event that is still queued."""
    return conflict("The event is still pending. Replay it once it is processed.")
