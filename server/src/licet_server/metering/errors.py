"""The refusals of metering."""

from decimal import Decimal

from licet_server.kit.amounts import plain
from licet_server.kit.errors import ErrorCode, Refused, bad_field, conflict


def not_metered() -> Refused:
    return Refused(
        ErrorCode.NOT_METERED_LICENSE,
        "The license is not metered. Use a Credit-Based or a Usage-Based license.",
    )


def no_wallet() -> Refused:
    """Report that a metered license has lost its wallet, which is a fault of the service."""
    return Refused(
        ErrorCode.WALLET_NOT_FOUND,
        "The license has lost its wallet, and nothing was charged. Ask the vendor to repair it: an "
        "Owner can do so in the dashboard under Statistics, Meter usage, and "
        "`licet-server reconcile --repair` does it on the server.",
    )


def nothing_to_restore() -> Refused:
    """Refuse to restore a lost wallet whose ledger is lost, too."""
    return conflict(
        "The ledger of the license is empty, so its balance is not known. Restore a backup, or "
        "issue a new license."
    )


def ledger_damaged(first_bad: int | None) -> Refused:
    """Refuse to restore a lost wallet from a ledger that was changed."""
    place = f"entry {first_bad} does" if first_bad is not None else "its entries do"
    return conflict(
        f"The ledger of the license is damaged: {place} not follow from the one before, so the "
        "balance is not known for certain. Restore a backup, or issue a new license."
    )


def too_many_to_restore(entries: int) -> Refused:
    return conflict(
        f"The ledger has {entries:,} entries, too many for one request. Run `licet-server "
        "reconcile --repair` on the server."
    )


def key_required() -> Refused:
    """Refuse a Credit-Based charge that cannot be retried safely."""
    return bad_field(
        "idempotencyKey",
        "is required for a Credit-Based license: a new value for each charge, the same value for "
        "a retry.",
    )


def key_reused() -> Refused:
    return Refused(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        "This idempotencyKey was used for another feature or quantity. Use a new key for a new "
        "charge.",
    )


def not_usable(reason: str) -> Refused:
    """Refuse a charge of a revoked, suspended or expired license, all with the same code."""
    return Refused(ErrorCode.LICENSE_INVALID, reason)


def nothing_to_use_after_term() -> Refused:
    """Refuse a charge of a license in its fallback, which keeps releases and no balance."""
    return Refused(
        ErrorCode.LICENSE_EXPIRED,
        "The term of the license has ended: it keeps its releases, but its balance cannot be used. "
        "Renew it to continue.",
    )


def not_entitled(feature_name: str) -> Refused:
    return Refused(
        ErrorCode.FEATURE_NOT_ENTITLED,
        f'The license does not include the feature "{feature_name}". Ask the vendor for it.',
    )


def not_priced(feature_name: str) -> Refused:
    return Refused(
        ErrorCode.PRICING_NOT_CONFIGURED,
        f'The feature "{feature_name}" has no price. Ask the vendor to set one.',
    )


def insufficient_balance(cost: Decimal, balance: Decimal, *, replayed: bool) -> Refused:
    """Refuse a charge that the balance does not cover; the balance is unchanged."""
    if replayed:
        detail = (
            f"This idempotencyKey was used before: the charge cost {plain(cost):f}, the balance "
            f"was {plain(balance):f}, and nothing was charged. To charge now, send a new key."
        )
    else:
        detail = (
            f"The charge costs {plain(cost):f}, but the balance is {plain(balance):f}. Nothing was "
            "charged. Ask the vendor for more, or use less."
        )
    return Refused(
        ErrorCode.INSUFFICIENT_BALANCE,
        detail,
        extra={"cost": plain(cost), "balance": plain(balance), "replayed": replayed},
    )


def insufficient_to_reserve(amount: Decimal, balance: Decimal) -> Refused:
    """Refuse to set aside more than the balance, which is unchanged."""
    return Refused(
        ErrorCode.INSUFFICIENT_BALANCE,
        f"{plain(amount):f} credits cannot be reserved: the balance is {plain(balance):f}. Ask the "
        "vendor for more, or reserve less.",
        extra={"cost": plain(amount), "balance": plain(balance), "replayed": False},
    )


def too_much_reserved(most: Decimal, held: Decimal) -> Refused:
    return Refused(
        ErrorCode.LEASE_LIMIT_REACHED,
        f"At most {plain(most):f} credits of this license may be reserved at a time, and "
        f"{plain(held):f} are. Reserve less, or return a reservation first.",
    )


def try_again() -> Refused:
    """Refuse a charge that kept conflicting with other transactions."""
    return Refused(
        ErrorCode.CONCURRENCY_CONFLICT,
        "The balance was changed by other requests at the same time. Nothing was charged; send the "
        "request again.",
    )


def outcome_unknown() -> Refused:
    """Report that the database's response was lost, so that the charge may be stored or not."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "The database did not confirm the charge, so it may or may not have been stored. Retry "
        "with the same idempotencyKey to charge at most once; without a key, it may be charged "
        "twice.",
        retry_after=1,
    )


def unknown_device() -> Refused:
    return Refused(
        ErrorCode.ACTIVATION_NOT_FOUND,
        "The license has no device with this activationId. Leave it out, or activate the device.",
    )


def other_device() -> Refused:
    return bad_field("activationId", "names another device than hardwareId. Send only one of them.")


def below_zero(balance: Decimal) -> Refused:
    return conflict(f"The balance is {plain(balance):f} and cannot go below 0. Adjust by less.")


def too_much(limit: Decimal) -> Refused:
    return conflict(f"The balance would exceed {limit:,}. Grant or adjust by less.")


def ledger_full() -> Refused:
    """Refuse a change of a wallet whose numbers are used up, which only damage can cause."""
    return Refused(
        ErrorCode.WALLET_NOT_FOUND,
        "The wallet of the license is damaged: its ledger has no number left for another entry, "
        "and nothing was changed. Ask the vendor for a new license.",
    )


def too_many_entries(entries: int) -> Refused:
    return conflict(
        f"There are {entries:,} ledger entries, too many for one request. Reconcile one license at "
        "a time, or run `licet-server reconcile` on the server."
    )
