"""The page of statements fails when a statement has no test."""

from pathlib import Path

import pytest
from specification import table
from specification.table import Unproved, markers_in, page

STATEMENTS = {"Seats": {"seats.cap": "A cap holds.", "seats.free": "A seat comes free."}}


def test_each_statement_has_its_tests() -> None:
    text = page(STATEMENTS, {"seats.cap": ["b::two", "a::one"], "seats.free": ["a::one"]})
    assert "| A cap holds. | `a::one`<br>`b::two` |\n| A seat comes free. | `a::one` |" in text


@pytest.mark.parametrize(
    ("markers", "sentence"),
    [
        ({"seats.cap": ["a::one"]}, "no test is marked 'seats.free'"),
        (
            {"seats.cap": ["a::one"], "seats.free": ["a::one"], "seat": ["a::two"]},
            "a::two is marked 'seat', which is no statement",
        ),
    ],
)
def test_what_is_missing_is_named(markers: dict[str, list[str]], sentence: str) -> None:
    with pytest.raises(Unproved, match=sentence):
        page(STATEMENTS, markers)


def test_markers_are_read_from_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ROOT", tmp_path)
    (tmp_path / "test_seats.py").write_text(
        '@pytest.mark.slow\n@pytest.mark.specification("a", "b")\nasync def test_cap(): ...\n\n'
        '@pytest.mark.specification("a")\ndef test_free(): ...\n\ndef test_none(): ...\n'
    )
    found = markers_in([tmp_path])
    assert found == {
        "a": ["test_seats.py::test_cap", "test_seats.py::test_free"],
        "b": ["test_seats.py::test_cap"],
    }
