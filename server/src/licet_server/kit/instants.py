"""Reads every instant and day that the database can hold, also those that `datetime` cannot.

PostgreSQL holds infinities, and years from 4713 BC to 294276. One such value must not make a list
unreadable, so what lies beyond a century from either end of `datetime` is read as that bound: there
is room for every sum and time zone. It stays in its row until an operator changes it.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

EARLIEST = datetime(100, 1, 1, tzinfo=UTC)
LATEST = datetime(9900, 1, 1, tzinfo=UTC)

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_DAY_0 = _EPOCH.toordinal()
_MICROSECOND = timedelta(microseconds=1)
_FIRST, _LAST = ((bound - _EPOCH) // _MICROSECOND for bound in (EARLIEST, LATEST))
_FIRST_DAY, _LAST_DAY = (bound.toordinal() - _DAY_0 for bound in (EARLIEST, LATEST))


async def read_any_instant(connection: Any) -> None:
    """Have a connection read every `timestamptz` and `date`."""
    for kind, encoder, decoder in (
        ("timestamptz", _stored_instant, _instant),
        ("date", _stored_day, _day),
    ):
        await connection.set_type_codec(
            kind, schema="pg_catalog", encoder=encoder, decoder=decoder, format="tuple"
        )


def _instant(stored: tuple[int]) -> datetime:
    return _EPOCH + timedelta(0, 0, min(max(stored[0], _FIRST), _LAST))


def _stored_instant(instant: datetime) -> tuple[int]:
    return ((instant - _EPOCH) // _MICROSECOND,)


def _day(stored: tuple[int]) -> date:
    return date.fromordinal(_DAY_0 + min(max(stored[0], _FIRST_DAY), _LAST_DAY))


def _stored_day(day: date) -> tuple[int]:
    return (day.toordinal() - _DAY_0,)
