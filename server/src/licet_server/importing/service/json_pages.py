"""Reads the JSON values of a file: one on each line, or each over several lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from licet_server.importing.rules.model import BadPage
from licet_server.importing.rules.pages import EMPTY, Page
from licet_server.importing.service.encodings import encoding_of

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
