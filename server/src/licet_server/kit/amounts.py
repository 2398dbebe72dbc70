"""Amounts of meters and prices: exact decimals with at most six places, never floats."""

from decimal import Decimal

from licet_server.kit.errors import FieldError

PLACES = 6
MAX_AMOUNT = Decimal(10) ** 15


def amount_breach(field: str, amount: Decimal, *, whole: bool) -> FieldError | None:
    """What is wrong with an amount that must be greater than 0; `whole` takes no decimals."""
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT:
        return FieldError(field, f"must be greater than 0 and at most {MAX_AMOUNT:,}.")
    if whole and amount != amount.to_integral_value():
        return FieldError(field, "must be a whole number for MeteredCount.")
    if amount != round(amount, PLACES):
        return FieldError(field, f"takes at most {PLACES} decimals.")
    return None


def plain(amount: Decimal) -> Decimal:
    """The same number as people write it: 970 and 1.5, without trailing zeros or an exponent."""
    whole = amount.to_integral_value()
    return whole if amount == whole else amount.normalize()
