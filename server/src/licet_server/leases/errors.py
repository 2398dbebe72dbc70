"""Refusals of the leases feature."""

from datetime import datetime

from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def not_lent() -> Refused:
    return _limit("Seats of this license are not borrowed. Ask the vendor.")


def too_many_days(most: int) -> Refused:
    return _limit(f"A seat of this license is borrowed for at most {most} days.")


def too_many_away(most: int) -> Refused:
    return _limit(f"All seats that may be away at a time are borrowed ({most} of {most}).")


def has_one(ends_at: datetime) -> Refused:
    """Refuse a second seat for a device that has borrowed one."""
    return _limit(
        f"This device has borrowed a seat until {ends_at:%Y-%m-%d %H:%M} UTC. Renew or return it."
    )


def recalled() -> Refused:
    """Refuse to renew a lease that an operator wants back."""
    return _limit("The vendor has recalled this seat, so that it cannot be kept longer. Return it.")


def not_reserved() -> Refused:
    return _limit("Credits of this license are not reserved. Ask the vendor.")


def too_many_days_reserved(most: int) -> Refused:
    return _limit(f"Credits of this license are reserved for at most {most} days.")


def has_reserved(ends_at: datetime) -> Refused:
    """Refuse a second reservation for a device that has one."""
    return _limit(
        f"This device has reserved credits until {ends_at:%Y-%m-%d %H:%M} UTC. Renew or return "
        "them."
    )


def reservation_recalled() -> Refused:
    """Refuse to renew a reservation that an operator wants back."""
    return _limit(
        "The vendor has recalled these credits, so that they cannot be kept longer. Return them."
    )


def _limit(detail: str) -> Refused:
    return Refused(ErrorCode.LEASE_LIMIT_REACHED, detail)


def unknown() -> Refused:
    """Refuse a lease that is not of this device, or has ended, without saying which."""
    return Refused(
        ErrorCode.LEASE_NOT_FOUND,
        "This device has no such lease, or it has ended. Borrow or reserve again.",
    )


def forked() -> Refused:
    return Refused(
        ErrorCode.LEASE_FORKED,
        "What this device borrowed was also used from a copy of its data folder, or the folder was "
        "put back. Ask the vendor to allow this device again.",
    )


def key_reused() -> Refused:
    return Refused(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        "This idempotencyKey was used for another request, or its lease has been renewed or has "
        "ended since. Use a new key for a new request.",
    )


def future_seq(newest: int) -> Refused:
    return bad_field("seq", f"must be that of a lease that the device has: at most {newest}.")


def amount_required() -> Refused:
    return bad_field("amount", "is required to reserve credits.")


def not_for_seats(field: str) -> Refused:
    return bad_field(field, "is for credits only, not for a seat.")


def not_for_credits(field: str) -> Refused:
    return bad_field(field, "is for a seat only, not for credits.")


def nothing_to_report() -> Refused:
    return bad_field("receipt", "is for a seat, of which there is nothing to report.")


def bad_journal(field: str, reason: str) -> Refused:
    return bad_field(field, reason)


def bad_receipt(reason: str) -> Refused:
    return bad_field("receipt", reason)


def over() -> Refused:
    return conflict("The lease has ended already, so there is nothing to recall.")


def not_forked() -> Refused:
    return conflict("The lease is not forked, so there is nothing to acknowledge.")


def reserved(count: int) -> Refused:
    """Refuse to convert a license whose credits are reserved."""
    return conflict(
        f"{count} devices have reserved credits of the license. Have them returned or recall them "
        "with force first, then convert the license."
    )


def away(count: int) -> Refused:
    """Refuse to convert a license whose seats are away."""
    return conflict(
        f"{count} seats of the license are borrowed. Recall them first, then convert the license."
    )
