"""The lines of a journal: each is one charge, and names the line before by its hash."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal

from licet._amounts import plain, read_plain
from licet._device_key import base64url
from licet._error_codes import optional_int
from licet._jose import RejectedTokenError, read_object

MAX_LINE_BYTES = 2048
MAX_QUANTITY = 1_000_000_000
MAX_KEY_LENGTH = 128
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
        given = read_object(raw)
    except RejectedTokenError as error:
        raise ValueError("a line is not JSON") from error
    if list(given) != _MEMBERS:
        raise ValueError(f"a line has other members: {', '.join(given)}")
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
