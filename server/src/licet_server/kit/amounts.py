"""Amounts of meters and prices: exact decimals with at most six places, never floats."""

from decimal import Decimal

from licet_server.kit.errors import FieldError

PLACES = 6
MAX_NUMBER = 2**63 - 1
"""The most that a whole number in the database can be."""
MAX_AMOUNT = Decimal(10) ** 15


def amount_breach(
    field: str, amount: Decimal | None, limit: Decimal = MAX_AMOUNT
) -> FieldError | None:
    """Return the error of an amount that must be greater than 0; `None` passes."""
    if amount is None:
        return None
    if not amount.is_finite() or not 0 < amount <= limit:
        return FieldError(field, f"must be greater than 0 and at most {limit:,}.")
    if amount != round(amount, PLACES):
        return FieldError(field, f"must have at most {PLACES} decimal places.")
    return None


def level_breach(field: str, amount: Decimal | None) -> FieldError | None:
    """Return the error of an amount that must be 0 or more; `None` passes."""
    if amount is not None and amount.is_finite() and amount < 0:
        return FieldError(field, "must be 0 or more.")
    return None if amount == 0 else amount_breach(field, amount)


def signed_breach(field: str, amount: Decimal | None) -> FieldError | None:
    """Return the error of an amount that may be negative but not 0; `None` passes."""
    if amount is None:
        return None
    if not amount.is_finite() or amount == 0 or amount.copy_abs() > MAX_AMOUNT:
        return FieldError(field, f"must be a number other than 0, at most {MAX_AMOUNT:,}.")
    return amount_breach(field, amount.copy_abs())


def whole_breach(field: str, amount: Decimal) -> FieldError | None:
    """Return the error of an amount of uses, which must be a whole number."""
    if amount == amount.to_integral_value():
        return None
    return FieldError(field, "must be a whole number for MeteredCount.")


def plain(amount: Decimal) -> Decimal:
    """Return the number without trailing zeros or an exponent: 970, 1.5."""
    whole = amount.to_integral_value()
    return whole if amount == whole else amount.normalize()
