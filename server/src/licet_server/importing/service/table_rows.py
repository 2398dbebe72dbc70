"""Reads the rows of a CSV file in the dialects of spreadsheets and databases."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from licet_server.importing.rules.model import BadExport, BadPage, BadRecord
from licet_server.importing.rules.tables import is_header
from licet_server.importing.service.encodings import encoding_of

_DELIMITERS = ",;\t|"
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE | re.DOTALL)
_TOO_LONG = "field larger than"
_OPEN_QUOTE = "unexpected end of data"
_WORKBOOK = b"PK\x03\x04"

Cells = Sequence[str] | BadRecord


def rows_in(file: Path) -> Iterator[tuple[int, Cells]]:
    """Yield the rows with their line numbers; one that is not CSV is a `BadRecord`.

    Raises:
        BadExport: the rest of the file is not CSV.
        OSError: it cannot be opened.
    """
    with file.open("rb") as start:
        if start.read(len(_WORKBOOK)) == _WORKBOOK:
            raise BadExport(f"{file} is a workbook. Save it as CSV in UTF-8.")
    encoding = encoding_of(file)
    try:
        with file.open(encoding=encoding, newline="") as source:
            yield from _rows(file, source)
    except UnicodeDecodeError:
        line = _undecodable_line(file, encoding)
        raise BadExport(
            f"{file}:{line}: This is not UTF-8. Save the file as CSV in UTF-8."
        ) from None


def _rows(file: Path, source: Iterator[str]) -> Iterator[tuple[int, Cells]]:
    first, before = next(source, ""), 0
    named = _SEPARATOR_LINE.fullmatch(first)
    if named is not None:
        first, before = next(source, ""), 1
    delimiter = _delimiter_of(first) if named is None else named[1]
    reader = csv.reader(chain([first], source), delimiter=delimiter, strict=True)
    while True:
        line = before + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as fault:
            if _TOO_LONG in str(fault):
                reason = "A cell has more than 131,072 characters; a quote may not be closed."
                raise BadExport(f"{file}:{line}: {reason}") from None
            yield line, _bad_row(str(fault))
            continue
        if row is None:
            return
        yield before + reader.line_num, row


def _bad_row(fault: str) -> BadRecord:
    if _OPEN_QUOTE in fault:
        return BadPage(
            "begins a quote that is not closed, so that the rest of the file is one cell"
        )
    return BadRecord(f"is not CSV: {fault}")


def _delimiter_of(header: str) -> str:
    """Return the delimiter that yields the most columns in the header."""
    found = {
        delimiter: next(csv.reader([header], delimiter=delimiter), []) for delimiter in _DELIMITERS
    }
    usable = [delimiter for delimiter, names in found.items() if is_header(names)]
    return max(usable, key=lambda delimiter: len(found[delimiter]), default=",")


def _undecodable_line(file: Path, encoding: str) -> int:
    with file.open("rb") as source:
        for number, line in enumerate(source, start=1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return number
    return 1
