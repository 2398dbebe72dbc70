"""Which of JSON and CSV a list is, by the header Accept."""

import pytest

from licet_server.kit.web.csv import prefers_csv


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("text/csv", True),
        ("TEXT/CSV; charset=utf-8", True),
        ("application/json, text/csv", True),
        ("text/csv, */*;q=0.1", True),
        ("application/json;q=0.5, text/csv;q=0.9", True),
        ("text/csv;q=0.5, application/json", False),
        ("text/csv;q=0", False),
        ("text/csv;q=much", False),
        ("text/csvx", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_csv_is_sent_to_who_prefers_it(accept: str, expected: bool) -> None:
    assert prefers_csv(accept) is expected
