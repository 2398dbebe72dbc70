"""Days and months are added by the calendar of a time zone."""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.kit.dates import LATEST, Period, end_after, end_of_day

ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu")]
INSTANTS = st.integers(0, 130 * 365 * 86_400).map(lambda at: datetime.fromtimestamp(at, UTC))


def naive(day: date, months: int) -> date:
    """Step by month, then back from the wanted day until the month has it."""
    year, month = day.year, day.month
    for _ in range(months):
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    for back in count():
        try:
            return date(year, month, day.day - back)
        except ValueError:
            continue
    raise AssertionError


@given(INSTANTS, st.integers(1, 240), st.sampled_from(ZONES))
def test_months_end_where_a_naive_count_ends(begin: datetime, months: int, zone: ZoneInfo) -> None:
    end = end_after(begin, Period(months=months), zone).end
    local = begin.astimezone(zone)
    day = naive(local.date(), months)
    wanted = datetime.combine(day, local.timetz()).astimezone(UTC)
    assert end == wanted
    assert end > begin


@given(st.dates(date(1971, 1, 1), date(2100, 1, 1)), st.integers(1, 240), st.sampled_from(ZONES))
def test_last_instant_of_a_day_becomes_that_of_another(
    day: date, months: int, zone: ZoneInfo
) -> None:
    begin = end_of_day(day, zone)
    end = end_after(begin, Period(months=months), zone).end
    assert end == end_of_day(naive(day, months), zone)
    later = end_after(begin, Period(days=months), zone)
    assert later == (end_of_day(day + timedelta(days=months), zone), None)


@given(INSTANTS, st.lists(st.integers(1, 24), min_size=1, max_size=30))
def test_renewals_do_not_drift(begin: datetime, steps: list[int]) -> None:
    end, anchor_day = begin, None
    for months in steps:
        end, anchor_day = end_after(end, Period(months=months), ZONES[0], anchor_day)
    assert end == end_after(begin, Period(months=sum(steps)), ZONES[0]).end


@pytest.mark.parametrize(
    ("begin", "months", "end"),
    [
        ("2031-01-31", 1, "2031-02-28"),
        ("2032-01-31", 1, "2032-02-29"),
        ("2032-02-29", 12, "2033-02-28"),
        ("2032-02-29", 48, "2036-02-29"),
        ("2031-11-30", 3, "2032-02-29"),
        ("2031-12-31", 1, "2032-01-31"),
        ("2031-02-28", 1, "2031-03-28"),
        ("2031-01-31", 1_200, "2131-01-31"),
    ],
)
def test_months_of_different_lengths(begin: str, months: int, end: str) -> None:
    at = datetime.fromisoformat(f"{begin}T09:30:00Z")
    found = end_after(at, Period(months=months), ZONES[0]).end
    assert found == datetime.fromisoformat(f"{end}T09:30:00Z")


def test_day_is_that_of_the_zone() -> None:
    """Late on the 30th in UTC is the 31st in Berlin."""
    begin = datetime(2031, 1, 30, 23, 30, tzinfo=UTC)
    assert end_after(begin, Period(months=1), ZONES[0]).end.day == 28
    found = end_after(begin, Period(months=1), ZONES[1])
    assert found == (datetime(2031, 2, 27, 23, 30, tzinfo=UTC), 31)


def test_time_of_day_stays_when_clocks_change() -> None:
    """30 days in Berlin last 24 hours each but one, which lasts 25 in autumn and 23 in spring."""
    for month, hours in ((10, 30 * 24 + 1), (3, 30 * 24 - 1), (6, 30 * 24)):
        noon = datetime(2031, month, 15, 12, tzinfo=ZONES[1])
        end = end_after(noon.astimezone(UTC), Period(days=30), ZONES[1]).end
        assert end == noon + timedelta(days=30), "by the wall clock"
        assert end - noon.astimezone(UTC) == timedelta(hours=hours)
    begin = datetime(2031, 3, 1, 8, tzinfo=UTC)
    assert end_after(begin, Period(months=1), ZONES[1]).end == datetime(2031, 4, 1, 7, tzinfo=UTC)
    assert end_after(begin, Period(days=31), ZONES[1]).end == datetime(2031, 4, 1, 7, tzinfo=UTC)


def test_end_of_the_calendar() -> None:
    for period in (Period(months=1_200), Period(days=36_500)):
        assert end_after(LATEST, period, ZONES[1]) == (LATEST, None)
        assert end_after(datetime(9_850, 1, 31, tzinfo=UTC), period, ZONES[1]) == (LATEST, None)
