"""What the metering feature refuses, in its words."""

from decimal import Decimal

from licet_server.kit.amounts import plain
from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def not_metered() -> Refused:
    """Only Credit-Based and Usage-Based licenses have a wallet."""
    return Refused(
        ErrorCode.NOT_METERED_LICENSE,
        "The license is not metered. Use a Credit-Based or a Usage-Based license.",
    )


def no_wallet() -> Refused:
    """A metered license whose wallet is gone; it should not happen."""
    return Refused(
        ErrorCode.WALLET_NOT_FOUND,
        "The license has no wallet. Ask the vendor to check it with a reconciliation.",
    )


def key_required() -> Refused:
    """A Credit-Based charge must be repeatable."""
    return bad_field(
        "idempotencyKey",
        "is required for a Credit-Based license: a new text for each charge, the same for a retry.",
    )


def key_reused() -> Refused:
    """The same key for something else."""
    return Refused(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        "This idempotencyKey was used for another feature or quantity. Use a new key for a new "
        "charge.",
    )


def not_usable(reason: str) -> Refused:
    """Revoked, suspended or expired: for charges it is all the same code."""
    return Refused(ErrorCode.LICENSE_INVALID, reason)


def not_entitled(feature_name: str) -> Refused:
    """The license's entitlement set does not hold the feature."""
    return Refused(
        ErrorCode.FEATURE_NOT_ENTITLED,
        f'The license does not include the feature "{feature_name}". Ask the vendor for it.',
    )


def not_priced(feature_name: str) -> Refused:
    """Nothing is sold without a price."""
    return Refused(
        ErrorCode.PRICING_NOT_CONFIGURED,
        f'The feature "{feature_name}" has no active price. The vendor sets one with the feature.',
    )


def insufficient_balance(cost: Decimal, balance: Decimal, *, replayed: bool) -> Refused:
    """The balance does not cover the charge, and stays as it was."""
    return Refused(
        ErrorCode.INSUFFICIENT_BALANCE,
        f"The charge costs {plain(cost):f}, and the balance is {plain(balance):f}. Nothing was "
        "charged; ask the vendor for more, or use less.",
        extra={"cost": plain(cost), "balance": plain(balance), "replayed": replayed},
    )


def try_again() -> Refused:
    """Others were at the same wallets all the time."""
    return Refused(
        ErrorCode.CONCURRENCY_CONFLICT,
        "Others changed the balance at the same moment. Nothing was charged; send it again.",
    )


def outcome_unknown() -> Refused:
    """The answer of the database was lost, and with it whether the charge is stored."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "The answer of the database was lost, so whether this was charged is not known. Sent again "
        "with the same idempotencyKey, it is charged once at most; without one, maybe twice.",
        retry_after=1,
    )


def unknown_device() -> Refused:
    """Usage is attributed to devices of the license only."""
    return Refused(
        ErrorCode.ACTIVATION_NOT_FOUND,
        "The license has no device with this activationId. Leave it out, or activate the device.",
    )


def other_device() -> Refused:
    """Two names for two machines."""
    return bad_field("activationId", "is of another device than hardwareId. Send one of them.")


def below_zero(balance: Decimal) -> Refused:
    """An adjustment takes at most what is there."""
    return conflict(f"The balance is {plain(balance):f}, and it cannot go below 0. Adjust by less.")


def too_much(limit: Decimal) -> Refused:
    """A balance has an end upwards as well."""
    return conflict(f"The balance would be more than {limit:,}. Grant or adjust by less.")


def too_long_a_ledger(entries: int) -> Refused:
    """A request should not run for minutes."""
    return conflict(
        f"There are {entries:,} ledger entries, too many for one request. Reconcile one license at "
        "a time, or run `licet-server reconcile` beside the service."
    )


class OutcomeUnknown(Exception):
    """The commit failed, or its answer was lost: the charges are stored, or they are not."""
