"""Dates in the events of shops follow the rule that the API and imports have."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from licet_server.connectors.rules.facts import Fact, UnreadableEvent
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.providers import fact_of


def read(period_end: Any, timestamp: Any = "2030-01-15T12:00:00Z") -> Fact:
    lines = [{"product": "brush-pack", "periodEnd": period_end}]
    data = {"id": "1", "customer": {"email": "ada@example.com"}, "lines": lines}
    body = msgspec.json.encode({"type": "order.paid", "timestamp": timestamp, "data": data})
    fact = fact_of(ConnectorKind.GENERIC, "msg_1", body, ZoneInfo("Europe/Berlin"))
    assert fact is not None
    return fact


def test_a_day_lasts_until_its_end_in_the_time_zone_of_the_institution() -> None:
    [line] = read("2031-01-31").lines
    assert line.paid_until == datetime(2031, 1, 31, 22, 59, 59, 999999, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("2031-01-31T09:30:00", "has no time zone. Write a day"),
        ("1969-12-31", "is before the year 1970"),
        ("9999-12-31", "is in the year 9000 or later"),
        ("soon", "is not a date"),
        (1_924_992_000, "must be in RFC 3339"),
    ],
)
def test_invalid_date_is_rejected(value: Any, reason: str) -> None:
    with pytest.raises(UnreadableEvent, match=reason):
        read(value)
    with pytest.raises(UnreadableEvent, match=reason):
        read("2031-01-31", timestamp=value)
