"""The journal of a device: what it spent of its reservation without a network, line by line.

Each line has the hash of the one before, and the first one that of the lease. So a device that was
put back into an older state, or copied, can spend again, but not account for it: its lines no
longer follow from what the service has, and the lease is a fork.
"""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from hashlib import sha256
from itertools import pairwise
from typing import Any
from uuid import UUID

from msgspec import Struct

from licet_server.devices.rules.signed import LAST_SECOND, encoded
from licet_server.metering.rules.holding import OfflineCharge
from licet_server.metering.rules.model import MAX_QUANTITY

LINE_MAX_BYTES = 2_048
LINES_AT_ONCE = 500
_KEY_MAX = 128
_NAME_MAX = 128

_MEMBERS = ("n", "feature", "quantity", "cost", "at", "key", "prev")
_PLAIN = re.compile(r"(?:0|[1-9]\d{0,14})(?:\.\d{0,5}[1-9])?\Z", re.ASCII)


class JournalLine(Struct, frozen=True, kw_only=True):
    """A line as it was read; `hash` is that of its text."""

    n: int
    feature: str
    quantity: int
    cost: Decimal
    key: str
    prev: str
    hash: str


class Account(Struct, frozen=True, kw_only=True):
    """What a device says by its receipt: what it used in all, and how its journal ends."""

    used: Decimal
    lines: int
    head: str


class Settled(Struct, frozen=True, kw_only=True):
    """How far a journal is settled: so many lines, the last of them with this hash.

    `prices` are those that the device was given, by feature; `None` in count mode, where each use
    costs 1. `spent` is the sum of the costs of these lines, and `quantity` what is reserved.
    """

    lines: int
    head: str
    spent: Decimal
    quantity: Decimal
    prices: Mapping[str, str] | None


class Spending(Struct, frozen=True):
    """What is new in a journal: the charges, and how far it is settled then."""

    charges: Sequence[OfflineCharge]
    settled: Settled


class Fork(Enum):
    """The journal does not follow from what is settled."""

    FORK = "Fork"


FORK = Fork.FORK


class JournalFault(Struct, frozen=True):
    """What is wrong with a journal, or with the receipt for it."""

    field: str
    message: str


def hash_of(line: str) -> str:
    """Return the hash of a line, without its newline: SHA-256 in base64url."""
    return encoded(sha256(line.encode()).digest())


def genesis_of(lease_id: UUID) -> str:
    """Return what the first line of a lease follows from."""
    return hash_of(str(lease_id))


def read_plain(text: str) -> Decimal | None:
    """Return an amount that is written in the only way there is; `None` for any other text."""
    return Decimal(text) if _PLAIN.match(text) else None


def read_line(text: str) -> JournalLine | None:
    """Return a line of a journal; `None` for any other text."""
    try:
        raw = text.encode()
        found = json.loads(text, object_pairs_hook=_members, parse_float=_refuse)
    except (ValueError, RecursionError):
        return None
    if len(raw) > LINE_MAX_BYTES or "\n" in text or not isinstance(found, dict):
        return None
    cost = read_plain(found["cost"]) if isinstance(found["cost"], str) else None
    is_line = (
        cost is not None
        and _is_number(found["n"], 1, 2**31 - 1)
        and _is_number(found["quantity"], 1, MAX_QUANTITY)
        and _is_number(found["at"], 0, LAST_SECOND)
        and _is_text(found["feature"], _NAME_MAX)
        and found["feature"].strip()
        and _is_text(found["key"], _KEY_MAX)
        and isinstance(found["prev"], str)
    )
    if not is_line or cost is None:
        return None
    return JournalLine(
        n=found["n"],
        feature=found["feature"],
        quantity=found["quantity"],
        cost=cost,
        key=found["key"],
        prev=found["prev"],
        hash=encoded(sha256(raw).digest()),
    )


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if tuple(name for name, _ in pairs) != _MEMBERS:
        raise ValueError("not the members of a line")
    return dict(pairs)


def _refuse(number: str) -> Any:
    raise ValueError(f"{number} is no whole number")


def _is_number(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: object, most: int) -> bool:
    """Whether a value is a text that can be stored."""
    if not isinstance(value, str) or not 1 <= len(value) <= most or "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def follow(
    settled: Settled, account: Account, journal: Sequence[str]
) -> Spending | Fork | JournalFault:
    """Return what a journal adds to what is settled.

    `journal` has the lines up to the last one of the receipt, from any line that is settled or the
    first one that is not. A journal that is shorter than what is settled, or differs from it, is a
    fork.
    """
    lines: list[JournalLine] = []
    for place, text in enumerate(journal, 1):
        line = read_line(text)
        if line is None:
            return JournalFault(
                "journal", f"has a text that is no line of a journal: item {place}."
            )
        lines.append(line)
    for before, line in pairwise(lines):
        if line.n != before.n + 1 or line.prev != before.hash:
            return JournalFault("journal", f"has a line that does not follow: number {line.n}.")
    if lines and (lines[-1].n, lines[-1].hash) != (account.lines, account.head):
        return JournalFault("journal", "must end with the last line of the receipt.")
    if account.lines < settled.lines:
        return FORK
    found = _hash_at(settled.lines, account, lines)
    if found is None:
        return JournalFault(
            "journal", f"lacks lines: the service has the lines up to number {settled.lines}."
        )
    return _added(settled, account, lines) if found == settled.head else FORK


def _hash_at(number: int, account: Account, lines: Sequence[JournalLine]) -> str | None:
    """Return the hash of a line by its number, as the device has it; `None` if that is missing."""
    if account.lines == number:
        return account.head
    if not lines or lines[0].n > number + 1:
        return None
    return lines[0].prev if lines[0].n == number + 1 else lines[number - lines[0].n].hash


def _added(
    settled: Settled, account: Account, lines: Sequence[JournalLine]
) -> Spending | JournalFault:
    charges: list[OfflineCharge] = []
    prices = None if settled.prices is None else _folded(settled.prices)
    spent = settled.spent
    for line in lines:
        if line.n <= settled.lines:
            continue
        price = None if prices is None else prices.get(line.feature.casefold())
        if prices is not None and price is None:
            return JournalFault("journal", f"has a feature without a price: number {line.n}.")
        charge = OfflineCharge(
            feature_name=line.feature,
            quantity=line.quantity,
            unit_price=price,
            idempotency_key=line.key,
        )
        if charge.cost != line.cost:
            return JournalFault("journal", f"has a wrong cost: number {line.n}.")
        charges.append(charge)
        spent += line.cost
    if spent > settled.quantity:
        return JournalFault("journal", "has spent more than was reserved.")
    if account.used != spent:
        return JournalFault("receipt", "names another sum than the lines of the journal have.")
    after = Settled(
        lines=account.lines,
        head=account.head,
        spent=spent,
        quantity=settled.quantity,
        prices=settled.prices,
    )
    return Spending(charges, after)


def _folded(prices: Mapping[str, str]) -> dict[str, Decimal]:
    return {name.casefold(): Decimal(price) for name, price in prices.items()}
