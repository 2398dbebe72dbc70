"""Reads the rows of a CSV file."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from licet_server.importing.rules.model import BadExport


def rows_in(file: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows with their line numbers.

    Raises:
        BadExport: the file is not CSV in UTF-8.
        OSError: it cannot be opened.
    """
    with file.open(encoding="utf-8-sig", newline="") as source:
        reader = csv.reader(source)
        try:
            for row in reader:
                yield reader.line_num, row
        except (csv.Error, UnicodeDecodeError):
            message = f"{file}:{reader.line_num + 1}: This is not CSV in UTF-8."
            raise BadExport(message) from None
