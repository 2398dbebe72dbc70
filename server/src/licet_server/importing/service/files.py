"""Reads the files of exports: their encoding, lines of JSON, and rows of CSV."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from licet_server.importing.rules import cryptlex, cryptolens, keygen, tables
from licet_server.importing.rules.model import BadExport, BadPage, BadRecord, FoundLicense
from licet_server.importing.rules.pages import EMPTY, Page
from licet_server.importing.rules.tables import is_header

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(file: Path) -> str:
    """Return the encoding by the byte order mark of a file, or by its first characters.

    Raises:
        OSError: it cannot be opened.
    """
    with file.open("rb") as source:
        start = source.read(4)
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    # An export begins with an ASCII character, which has a NUL beside it in UTF-16.
    if start[1:2] == b"\0" and start[:1] != b"\0":
        return "utf-16-le"
    return "utf-16-be" if start[:1] == b"\0" and start[1:2] != b"\0" else "utf-8"


_decode = msgspec.json.Decoder().decode
_FAULTS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
_STARTS, _ENDS = (b"{", b"["), (b"}", b"]")


def pages_in(file: Path) -> Iterator[Page]:
    """Yield the values of a file with their lines; other text is a `BadPage`.

    Raises:
        OSError: the file cannot be opened.
    """
    parts = _Parts()
    number = 0
    for number, line in enumerate(_lines(file), start=1):
        if parts.lines:
            yield from parts.go_on(number, line)
        elif not line.strip():
            yield Page(number, EMPTY)
        else:
            try:
                yield Page(number, _decode(line))
            except _FAULTS:
                if number == 1 and (whole := _whole(file)) is not None:
                    yield whole
                    return
                parts.begin(number, line)
    yield from parts.end()


class _Parts:
    """The lines of a value that may span several of them."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._first = 0

    def begin(self, number: int, line: bytes) -> None:
        self.lines, self._first = [line], number

    def go_on(self, number: int, line: bytes) -> Iterator[Page]:
        """Add a line; yield the value that it completes, or the incomplete one before it."""
        if line.startswith(_STARTS):
            yield from self.end()
            try:
                yield Page(number, _decode(line))
            except _FAULTS:
                self.begin(number, line)
            return
        self.lines.append(line)
        if line.startswith(_ENDS) and (value := self._value()) is not None:
            self.lines = []
            yield Page(self._first, value)

    def end(self) -> Iterator[Page]:
        """Yield the value of the lines after the last one."""
        if self.lines:
            value = self._value()
            yield Page(self._first, _fault(self.lines) if value is None else value)
            self.lines = []

    def _value(self) -> Any:
        try:
            return _decode(b"".join(self.lines))
        except _FAULTS:
            return None


def _whole(file: Path) -> Page | None:
    """Return the file as one value in any layout; `None` if it is not one."""
    try:
        return Page(1, _decode(b"".join(_lines(file))))
    except _FAULTS:
        return None


def _fault(lines: list[bytes]) -> BadPage:
    text = b"".join(lines).strip()
    if text.startswith(b"<"):
        return BadPage("is a web page, and no answer of the API; fetch it again")
    try:
        _decode(text)
    except msgspec.ValidationError:
        return BadPage("has a number that is too large")
    except UnicodeDecodeError:
        return BadPage("is not in UTF-8")
    except msgspec.DecodeError as fault:
        if "truncated" in str(fault):
            return BadPage("is JSON that breaks off; fetch it again")
    except RecursionError:
        return BadPage("is nested too deeply")
    return BadPage("is not JSON")


def _lines(file: Path) -> Iterator[bytes]:
    encoding = encoding_of(file)
    if encoding in {"utf-8", "utf-8-sig"}:
        with file.open("rb") as source:
            source.seek(3 if encoding == "utf-8-sig" else 0)
            yield from source
    else:
        with file.open(encoding=encoding, errors="replace", newline="") as text:
            yield from (line.encode() for line in text)


_DELIMITERS = ",;\t|"
_BLANK = f" \r\n{_DELIMITERS}"
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
    while first and not first.strip(_BLANK):
        first, before = next(source, ""), before + 1
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
    found = {delimiter: _names_in(header, delimiter) for delimiter in _DELIMITERS}
    usable = [delimiter for delimiter, names in found.items() if is_header(names)]
    return max(usable, key=lambda delimiter: len(found[delimiter]), default=",")


def _names_in(header: str, delimiter: str) -> Sequence[str]:
    try:
        return next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return []  # too long a cell, so that this is not the delimiter


def _undecodable_line(file: Path, encoding: str) -> int:
    with file.open("rb") as source:
        for number, line in enumerate(source, start=1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return number
    return 1


MAX_BYTES = 2_000_000_000


class Format(StrEnum):
    """Kinds of exports."""

    KEYGEN = "keygen"
    CRYPTLEX = "cryptlex"
    CRYPTOLENS = "cryptolens"
    CSV = "csv"


def read_export(
    file: Path, kind: Format, *, term_flag: str | None = None
) -> Iterator[FoundLicense | tuple[str, BadRecord]]:
    """Yield the licenses of a file, and an error with its position for each unreadable one.

    Raises:
        BadExport: nothing in the file is an export of this kind.
        OSError: it cannot be opened.
    """
    if file.stat().st_size > MAX_BYTES:
        raise BadExport(f"{file} has more than {MAX_BYTES:,} bytes. Import it in parts.")
    bad_pages: list[tuple[str, BadRecord]] = []
    is_export = False
    for item in _found(file, kind, term_flag):
        if not is_export and isinstance(item, tuple) and isinstance(item[1], BadPage):
            bad_pages.append(item)
            continue
        is_export = True
        yield item
    if bad_pages and not is_export:
        place, fault = bad_pages[0]
        raise BadExport(f"{file}, {place}: {fault}. Nothing else in the file is an export.")
    yield from bad_pages


def _found(
    file: Path, kind: Format, term_flag: str | None
) -> Iterator[FoundLicense | tuple[str, BadRecord]]:
    match kind:
        case Format.KEYGEN:
            return keygen.licenses_of(pages_in(file))
        case Format.CRYPTLEX:
            return cryptlex.licenses_of(pages_in(file))
        case Format.CRYPTOLENS:
            return cryptolens.licenses_of(pages_in(file), term_flag=term_flag)
        case Format.CSV:
            return tables.licenses_of(rows_in(file))
