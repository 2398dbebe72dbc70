"""Exact amounts and changes of balances."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from licet._amounts import EXACT, SMALLEST_UNIT
from licet.testing._state import EntryType, LedgerEntry, MeterMode, Wallet, new_id

Amount = Decimal | int | str

MAX_BALANCE = Decimal(10) ** 15
MAX_PRICE = Decimal(10) ** 8


def exact_amount(value: Amount, mode: MeterMode) -> Decimal:
    """Convert a value to an exact amount of this meter mode.

    Raises:
        TypeError: The value is a float, which is not exact.
        ValueError: The amount is not allowed; the message says why.
    """
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError("an amount must be a Decimal, an int or a string; a float is not exact")
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not a valid amount") from error
    if not amount.is_finite() or amount.copy_abs() > MAX_BALANCE:
        raise ValueError(f"an amount must be at most {MAX_BALANCE:,}")
    if amount != EXACT.quantize(amount, SMALLEST_UNIT):
        raise ValueError("an amount must have at most 6 decimals")
    if mode == "Count" and amount != EXACT.quantize(amount, Decimal(1)):
        raise ValueError("an amount of a MeteredCount license must be a whole number")
    return amount


def positive_amount(value: Amount, mode: MeterMode) -> Decimal:
    """Convert a value to an exact amount greater than 0.

    Raises:
        TypeError: The value is a float, which is not exact.
        ValueError: The amount is not allowed; the message says why.
    """
    amount = exact_amount(value, mode)
    if amount <= 0:
        raise ValueError("the amount must be more than 0")
    return amount


def check_bounds(wallet: Wallet, change: Decimal) -> None:
    """Check that a change keeps the balance within its limits.

    Raises:
        ValueError: The balance would be negative or too high.
    """
    if not 0 <= EXACT.add(wallet.balance, change) <= MAX_BALANCE:
        raise ValueError(f"the balance must be from 0 to {MAX_BALANCE:,}")


def record_entry(
    wallet: Wallet, kind: EntryType, amount: Decimal, now: datetime, **details: Any
) -> LedgerEntry:
    """Change the balance and record the change in the ledger.

    Args:
        wallet: The wallet.
        kind: The type of the entry.
        amount: The change of the balance.
        now: The time of the entry.
        **details: Other fields of the entry.
    """
    wallet.balance = EXACT.add(wallet.balance, amount)
    entry = LedgerEntry(
        id=new_id(now),
        type=kind,
        amount=amount,
        balance_after=wallet.balance,
        sequence=len(wallet.ledger) + 1,
        created_at=now,
        **details,
    )
    wallet.ledger.append(entry)
    return entry
