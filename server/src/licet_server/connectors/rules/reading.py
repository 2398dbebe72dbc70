"""Reads the JSON of providers, which may have any form, and only the fields that are needed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec.structs import replace

from licet_server.connectors.rules.facts import (
    ERASED_BUYER,
    MAX_LINES,
    MAX_REFERENCE,
    Buyer,
    Fact,
    FactKind,
    Line,
    Money,
    Sold,
    UnreadableEvent,
)
from licet_server.kit.amounts import MAX_AMOUNT, PLACES, plain
from licet_server.kit.dates import BadDate, read_instant
from licet_server.kit.emails import MAX_ADDRESS, read_email
from licet_server.kit.text import ERASED, ERASED_ADDRESS, normal_locale, one_line

Record = Mapping[str, Any]

MAX_NAME = 200
MAX_QUANTITY = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An event of a shop: what it is about, and of which object.

    `previous` is what that had before, as far as it was changed.
    """

    id: str
    type: str
    at: datetime
    item: Record
    is_test: bool
    previous: Record = field(default_factory=dict)

    def fact(self, kind: FactKind, **said: Any) -> Fact:
        """Return what the event says, by the names of `Fact`."""
        return Fact(kind=kind, event_id=self.id, occurred_at=self.at, is_test=self.is_test, **said)


def record_at(source: Record, name: str) -> Record:
    """Return the object in a field.

    Raises:
        UnreadableEvent: there is none.
    """
    found = source.get(name)
    if not isinstance(found, dict):
        raise UnreadableEvent(f"{name} must be an object.")
    return found


def record_if_any(source: Record, name: str) -> Record:
    """Return the object in a field, or an empty one."""
    found = source.get(name)
    return found if isinstance(found, dict) else {}


def records_at(source: Record, name: str, most: int = MAX_LINES) -> list[Record]:
    """Return the objects of the list in a field; none if there is no list.

    Raises:
        UnreadableEvent: there are too many.
    """
    found = source.get(name)
    if not isinstance(found, list):
        return []
    if len(found) > most:
        raise UnreadableEvent(f"{name} must have at most {most:,} items.")
    return [item for item in found if isinstance(item, dict)]


def text_at(source: Record, name: str) -> str:
    """Return an ID, which some providers write as a number.

    Raises:
        UnreadableEvent: there is none.
    """
    found = text_if_any(source, name)
    if found is None:
        raise UnreadableEvent(f"{name} is missing.")
    return found


def text_if_any(source: Record, name: str) -> str | None:
    """Return an ID, or the `id` of an embedded object, or `None`.

    Raises:
        UnreadableEvent: it is too long, or cannot be stored.
    """
    found = source.get(name)
    if isinstance(found, dict):
        found = found.get("id")
    if isinstance(found, int) and not isinstance(found, bool):
        found = str(found)
    if not isinstance(found, str) or not found.strip():
        return None
    if "\0" in found:
        raise UnreadableEvent(f"{name} must not contain NUL.")
    if len(found) > MAX_REFERENCE:
        raise UnreadableEvent(f"{name} must have at most {MAX_REFERENCE} characters.")
    return found.strip()


def references_in(*names: str | None) -> tuple[str, ...]:
    """Return these IDs without duplicates; `None` is omitted."""
    return tuple(dict.fromkeys(name for name in names if name is not None))


def quantity_in(value: Any) -> int:
    """Return a quantity, 1 if none is given.

    Raises:
        UnreadableEvent: it is not a whole number in the allowed range.
    """
    if value is None:
        return 1
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_QUANTITY:
        raise UnreadableEvent(f"A quantity must be a whole number up to {MAX_QUANTITY:,}.")
    return value


def flag_in(source: Record, name: str, *, unless_given: bool = False) -> bool:
    """Return whether a flag is set.

    Raises:
        UnreadableEvent: it is neither true nor false. Test money must not pass for real money.
    """
    value = source.get(name)
    if value is None:
        return unless_given
    if not isinstance(value, bool):
        raise UnreadableEvent(f"{name} must be true or false.")
    return value


def number_in(value: Any) -> int:
    """Return an amount in the smallest unit of its currency, 0 if none is given.

    Raises:
        UnreadableEvent: it is no number.
    """
    if value is None:
        return 0
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableEvent("An amount must be a number.") from None


def totals(lines: Iterable[Line]) -> list[Line]:
    """Return the last term of each price; its parts, such as tiers of a price, are summed up."""
    found: dict[Sold, Line] = {}
    for line in lines:
        before = found.get(line.sold)
        if before is not None and before.paid_until == line.paid_until:
            found[line.sold] = replace(before, quantity=before.quantity + line.quantity)
        elif before is None or _ends(line) > _ends(before):
            found[line.sold] = line
    return list(found.values())


def _ends(line: Line) -> float:
    return line.paid_until.timestamp() if line.paid_until else 0.0


_WHOLE = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"
_THOUSANDTHS = "BHD JOD KWD OMR TND"
_PLACES_OF = dict.fromkeys(_WHOLE.split(), 0) | dict.fromkeys(_THOUSANDTHS.split(), 3)
"""The decimal places of currencies that do not have two, as shops count their smallest units."""


def money_in(amount: Any, currency: Any) -> Money | None:
    """Return an amount in the unit of its currency, or `None` if there is none that can be read.

    No sale waits because of an amount.
    """
    code = currency.strip().upper() if isinstance(currency, str) else ""
    if len(code) != 3 or not (code.isascii() and code.isalpha()):
        return None
    if isinstance(amount, bool) or not isinstance(amount, int | float | str):
        return None
    try:
        found = Decimal(str(amount).strip())
    except InvalidOperation:
        return None
    if not found.is_finite() or not 0 <= found <= MAX_AMOUNT or found != round(found, PLACES):
        return None
    return Money(f"{plain(abs(found)):f}", code)


def smallest_units_in(amount: Any, currency: Any) -> Money | None:
    """Return an amount that is given in the smallest unit of its currency, if it can be read."""
    found = money_in(amount, currency)
    if found is None:
        return None
    whole = Decimal(found.amount)
    if whole != whole.to_integral_value():
        return None
    places = _PLACES_OF.get(found.currency, 2)
    return Money(f"{plain(whole.scaleb(-places)):f}", found.currency)


def seconds_in(value: Any) -> datetime | None:
    """Return an instant that is given in seconds since 1970.

    Raises:
        UnreadableEvent: it is none.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise UnreadableEvent("A time must be a number of seconds.")
    return _instant(value, UTC)


def instant_in(value: Any, zone: tzinfo = UTC) -> datetime | None:
    """Return an instant in RFC 3339; of a day, the last one in a time zone.

    Raises:
        UnreadableEvent: it is none, or has no zone.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise UnreadableEvent("A time must be in RFC 3339.")
    return _instant(value, zone)


def required(instant: datetime | None, name: str) -> datetime:
    """Return an instant that an event must have.

    Raises:
        UnreadableEvent: it has none.
    """
    if instant is None:
        raise UnreadableEvent(f"{name} is missing.")
    return instant


def _instant(value: Any, zone: tzinfo) -> datetime:
    try:
        return read_instant(value, zone)
    except BadDate as fault:
        raise UnreadableEvent(f"A time {fault}.") from None


def buyer_in(reference: str | None, email: Any, name: Any, locale: Any = None) -> Buyer | None:
    """Return a buyer, as far as there is one.

    What is no language is left out, and an address that cannot be used is kept as it is. One who
    was erased has no name any more.
    """
    written = one_line(email)[:MAX_ADDRESS] if isinstance(email, str) else ""
    address = read_email(email) if isinstance(email, str) else None
    called = one_line(name)[:MAX_NAME] or None if isinstance(name, str) else None
    unusable = (written or None) if address is None else None
    if reference is None and address is None and unusable is None:
        return None
    if reference == ERASED or address == ERASED_ADDRESS:
        return ERASED_BUYER
    language = normal_locale(locale) if isinstance(locale, str) else None
    return Buyer(reference, address, called, language, unusable)
