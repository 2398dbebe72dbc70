"""Amounts of meters and prices: exact decimals with at most six places, never floats."""

from decimal import Decimal

from licet_server.kit.errors import FieldError

PLACES = 6
MAX_AMOUNT = Decimal(10) ** 15


def amount_breach(
    field: str, amount: Decimal | None, limit: Decimal = MAX_AMOUNT
) -> FieldError | None:
    """What is wrong with an amount that must be greater than 0; `None` is not looked at."""
    if amount is None:
        return None
    if not amount.is_finite() or not 0 < amount <= limit:
        return FieldError(field, f"must be greater than 0 and at most {limit:,}.")
    if amount != round(amount, PLACES):
        return FieldError(field, f"takes at most {PLACES} decimals.")
    return None


def level_breach(field: str, amount: Decimal | None) -> FieldError | None:
    """The same for an amount that may be 0."""
    if amount is not None and amount.is_finite() and amount < 0:
        return FieldError(field, "must be 0 or more.")
    return None if amount == 0 else amount_breach(field, amount)


def signed_breach(field: str, amount: Decimal | None) -> FieldError | None:
    """The same for an amount that may be negative, but not 0."""
    if amount is None:
        return None
    if not amount.is_finite() or amount == 0 or amount.copy_abs() > MAX_AMOUNT:
        return FieldError(field, f"must be a number other than 0, at most {MAX_AMOUNT:,}.")
    return amount_breach(field, amount.copy_abs())


def whole_breach(field: str, amount: Decimal) -> FieldError | None:
    """What is wrong with an amount of uses, which are never divided."""
    if amount == amount.to_integral_value():
        return None
    return FieldError(field, "must be a whole number for MeteredCount.")


def plain(amount: Decimal) -> Decimal:
    """The same number as people write it: 970 and 1.5, without trailing zeros or an exponent."""
    whole = amount.to_integral_value()
    return whole if amount == whole else amount.normalize()
