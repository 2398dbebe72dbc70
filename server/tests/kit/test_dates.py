"""The one rule for dates that others send."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from licet_server.kit.dates import BadDate, end_of_day, read_instant, stands_for_no_end

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    "value",
    [
        "0000-00-00",
        "0000-00-00 00:00:00",
        "0001-01-01",
        "0001-01-01T00:00:00",
        "0001-01-01T00:00:00Z",
        "1900-01-01 00:00:00",
        "1970-01-01T00:00:00.000Z",
        "1969-12-31T19:00:00-05:00",
        "1970-01-01 05:30:00+0530",
        "1970-01-01",
        "9000-01-01",
        "9999-12-31",
        "9999-12-31T23:59:59.9999999",
        "9999-12-31T23:59:59-14:00",
        "never",
        "Lifetime",
        " UNLIMITED ",
        "infinity",
        "+Infinity",
        "none",
        "0",
        0,
        -62_135_596_800,
        221_845_392_000,
        253_402_300_799,
    ],
)
def test_ways_to_write_that_there_is_no_end(value: object) -> None:
    assert stands_for_no_end(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        False,
        "soon",
        "-infinity",
        "2031-01-01",
        "1969-12-31",
        "1970-01-01T00:00:01Z",
        "1970-01-01T00:00:00-05:00",
        "1969-12-31T19:00:00",
        "8999-12-31",
        "9999",
        "9999-99",
        1_924_992_000,
        221_845_391_999,
        253_402_300_800,
        1,
    ],
)
def test_other_values_do_not_stand_for_no_end(value: object) -> None:
    assert not stands_for_no_end(value)


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        ("2031-01-31T09:30:00Z", datetime(2031, 1, 31, 9, 30, tzinfo=UTC)),
        ("2031-01-31 09:30:00+02:00", datetime(2031, 1, 31, 7, 30, tzinfo=UTC)),
        ("2031-01-31T09:30:00.1234567Z", datetime(2031, 1, 31, 9, 30, 0, 123456, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("2017-01-01T05:29:60.5+05:30", datetime(2016, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        (1_924_992_000, datetime(2031, 1, 1, tzinfo=UTC)),
        ("2031-01-31", datetime(2031, 1, 31, 22, 59, 59, 999999, tzinfo=UTC)),
        ("2031-07-31", datetime(2031, 7, 31, 21, 59, 59, 999999, tzinfo=UTC)),
        ("8999-12-31", datetime(8999, 12, 31, 22, 59, 59, 999999, tzinfo=UTC)),
    ],
)
def test_an_instant_or_the_end_of_a_day(value: object, instant: datetime) -> None:
    assert read_instant(value, BERLIN) == instant


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("2031-01-31T09:30:00", "has no time zone. Write a day such as"),
        ("2031-01-31 09:30", "has no time zone"),
        ("1969-12-31", "is before the year 1970"),
        (-1, "is before the year 1970"),
        ("0100-01-01T00:00:00Z", "is before the year 1970"),
        ("9999-12-31", "is in the year 9000 or later"),
        (1_924_992_000_000, "write milliseconds as seconds"),
        (10**400, "write milliseconds as seconds"),
        (-(10**400), "is not a date"),
        ("2031-02-30", "is not a date"),
        ("31.01.2031", "is not a date"),
        ("20310131", "is not a date"),
        ("2031-W05-5", "is not a date"),
        ("2031-01-31T25:00:00Z", "is not a date"),
        ("2031-01-31T10:15:60Z", "is not a date"),
        ("2031-01-31T23:59:61Z", "is not a date"),
        (253_402_300_799, "is in the year 9000 or later"),
        ("2031-01-31T09:30:00+99:99", "is not a date"),
        ("\u0662\u0660\u0663\u0661-01-31", "is not a date"),
        ("9" * 5000, "is not a date"),
        (True, "is not a date"),
        ([], "is not a date"),
        (1e400, "is not a date"),
    ],
)
def test_what_is_no_date(value: object, reason: str) -> None:
    with pytest.raises(BadDate, match=reason):
        read_instant(value, UTC)


def test_the_last_instant_of_a_day_on_which_the_clocks_change() -> None:
    assert end_of_day(date(2030, 3, 31), BERLIN) == datetime(
        2030, 3, 31, 21, 59, 59, 999999, tzinfo=UTC
    )
    # Midnight does not exist there on this day: the clocks went from 0:00 to 1:00.
    sao_paulo = ZoneInfo("America/Sao_Paulo")
    assert end_of_day(date(2018, 11, 3), sao_paulo) == datetime(
        2018, 11, 4, 2, 59, 59, 999999, tzinfo=UTC
    )
