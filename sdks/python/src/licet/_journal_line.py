"""The lines of a journal: each is one charge, and names the line before by its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from licet._amounts import plain, read_plain
from licet._device_key import base64url
from licet._error_codes import optional_int

MAX_LINE_BYTES = 2048
MAX_QUANTITY = 1_000_000_000
MAX_KEY_LENGTH = 128
_DECODER = json.JSONDecoder()  # made once, since journals get long
_MEMBERS = ["n", "feature", "quantity", "cost", "at", "key", "prev"]


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A charge of reserved credits.

    Attributes:
        number: Counts from 1.
        cost: Of the whole quantity.
        at: When it was made, in seconds since 1970.
        key: The idempotency key.
        before: The hash of the line before.
    """

    number: int
    feature: str
    quantity: int
    cost: Decimal
    at: int
    key: str
    before: str


@dataclass(frozen=True, slots=True)
class Spent:
    """How far a journal has got.

    Attributes:
        lines: How many charges it has.
        head: The hash of the last one.
        used: What they cost in all.
    """

    lines: int
    head: str
    used: Decimal

    @property
    def claims(self) -> dict[str, object]:
        """The claims of a receipt about it."""
        return {"used": plain(self.used), "lines": self.lines, "head": self.head}

    @classmethod
    def of_claims(cls, claims: Mapping[str, Any]) -> Self:
        """Read the claims of a receipt.

        Raises:
            ValueError: They say nothing of a journal.
        """
        lines, head = optional_int(claims.get("lines")), claims.get("head")
        if lines is None or lines < 0 or not isinstance(head, str):
            raise ValueError("the receipt does not say how far the journal got")
        return cls(lines, head, read_plain(claims.get("used")))


def line_hash(line: bytes) -> str:
    """The hash of a line, without its newline."""
    return base64url(hashlib.sha256(line).digest())


def genesis(lease_id: str) -> str:
    """What the first line of a lease names in place of a line before."""
    return line_hash(lease_id.encode())


def write_line(line: JournalLine) -> bytes:
    """Write a line, without its newline.

    Raises:
        ValueError: A text of it cannot be written as UTF-8.
    """
    members = (
        line.number,
        line.feature,
        line.quantity,
        plain(line.cost),
        line.at,
        line.key,
        line.before,
    )
    content = dict(zip(_MEMBERS, members, strict=True))
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def read_line(raw: bytes) -> JournalLine:
    """Read a line. Whether it belongs to a chain is not checked.

    Raises:
        ValueError: It is not of the form that :func:`write_line` has.
    """
    if len(raw) > MAX_LINE_BYTES:
        raise ValueError(f"a line is longer than {MAX_LINE_BYTES} bytes")
    try:
        given = _DECODER.decode(raw.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError("a line is not JSON") from error
    if not isinstance(given, dict) or list(given) != _MEMBERS:
        raise ValueError("a line has other members")
    number, quantity, at = (optional_int(given[name]) for name in ("n", "quantity", "at"))
    texts = [given[name] for name in ("feature", "key", "prev")]
    if number is None or quantity is None or at is None or not all(map(_is_text, texts)):
        raise ValueError("a line has members of other types")
    if number < 1 or not 1 <= quantity <= MAX_QUANTITY:
        raise ValueError("a line has numbers that are out of range")
    feature, key, before = texts
    return JournalLine(number, feature, quantity, read_plain(given["cost"]), at, key, before)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= MAX_KEY_LENGTH
