"""Exact amounts, and what moves a balance."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from licet.testing._state import EntryType, LedgerEntry, MeterMode, Wallet, new_id

Amount = Decimal | int | str

METER_MODES: Mapping[str, MeterMode] = {"MeteredCount": "Count", "MeteredToken": "Token"}
MAX_BALANCE = Decimal(10) ** 15
MAX_PRICE = Decimal(10) ** 8
SMALLEST_UNIT = Decimal("0.000001")
DECIMAL_CONTEXT = Context(prec=60)
"""Whatever precision the application works with, nothing is rounded here."""


def exact_amount(value: Amount, mode: MeterMode) -> Decimal:
    """An amount as a meter of this mode takes it.

    Raises:
        TypeError: It is a float, which seldom is the number that was written.
        ValueError: It is no such amount; the message says why.
    """
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError("give an amount as a Decimal, an int or a text; a float is not exact")
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is no amount") from error
    if not amount.is_finite() or amount.copy_abs() > MAX_BALANCE:
        raise ValueError(f"an amount is at most {MAX_BALANCE:,}")
    if amount != DECIMAL_CONTEXT.quantize(amount, SMALLEST_UNIT):
        raise ValueError("an amount has at most 6 decimals")
    if mode == "Count" and amount != DECIMAL_CONTEXT.quantize(amount, Decimal(1)):
        raise ValueError("a MeteredCount license counts whole uses")
    return amount


def positive_amount(value: Amount, mode: MeterMode) -> Decimal:
    """The same, greater than 0.

    Raises:
        ValueError: It is no such amount; the message says why.
    """
    amount = exact_amount(value, mode)
    if amount <= 0:
        raise ValueError("the amount is more than 0")
    return amount


def check_bounds(wallet: Wallet, change: Decimal) -> None:
    """Refuse a change that the vendor cannot make.

    Raises:
        ValueError: The balance would be below 0 or beyond what a meter holds.
    """
    if not 0 <= DECIMAL_CONTEXT.add(wallet.balance, change) <= MAX_BALANCE:
        raise ValueError(f"the balance is at least 0 and at most {MAX_BALANCE:,}")


def record_entry(
    wallet: Wallet, kind: EntryType, amount: Decimal, now: datetime, **details: Any
) -> LedgerEntry:
    """Move the balance and put it into the ledger.

    Args:
        wallet: Whose balance.
        kind: What moves it.
        amount: What is added to it.
        now: When.
        facts: Other fields of the entry.
    """
    wallet.balance = DECIMAL_CONTEXT.add(wallet.balance, amount)
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
