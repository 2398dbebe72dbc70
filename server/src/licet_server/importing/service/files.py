"""Reads an export from a file, and refuses what no export is."""

import csv
import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from licet_server.importing.rules import cryptlex, cryptolens, keygen, tables
from licet_server.importing.rules.model import BadExport, BadRecord, FoundLicense
from licet_server.importing.rules.values import Record, records_of

MAX_BYTES = 2_000_000_000
_LISTS = ("licenseKeys", "LicenseKeys", "licenses", "items", "activations")
"""The fields in which an object of an export holds its list."""


class Format(StrEnum):
    """Kinds of exports."""

    KEYGEN = "keygen"
    CRYPTLEX = "cryptlex"
    CRYPTOLENS = "cryptolens"
    CSV = "csv"


def read_export(
    file: Path, kind: Format, *, term_flag: str | None = None
) -> Iterator[FoundLicense | tuple[str, BadRecord]]:
    """The licenses of a file, and those that cannot be read with their place.

    Raises:
        BadExport: the file is not an export of this kind.
        OSError: it cannot be opened.
    """
    if file.stat().st_size > MAX_BYTES:
        raise BadExport(f"{file} has more than {MAX_BYTES:,} bytes. Import it in parts.")
    match kind:
        case Format.KEYGEN:
            yield from keygen.licenses_of(_documents(file))
        case Format.CRYPTLEX:
            yield from cryptlex.licenses_of(_records(file))
        case Format.CRYPTOLENS:
            yield from cryptolens.licenses_of(_records(file), term_flag=term_flag)
        case Format.CSV:
            yield from tables.licenses_of(_rows(file))


def _documents(file: Path) -> Iterator[Record]:
    """The objects of a JSON file, or of one with a JSON value on each line."""
    for value in _values(file):
        if isinstance(value, dict):
            yield value
        else:
            yield from records_of(value)


def _records(file: Path) -> Iterator[Record]:
    """The objects of the lists of a file, whether or not an object is around a list."""
    for document in _documents(file):
        lists = [document[name] for name in _LISTS if isinstance(document.get(name), list)]
        if lists:
            yield from (item for found in lists for item in records_of(found))
        else:
            yield document


def _values(file: Path) -> Iterator[Any]:
    with file.open("rb") as source:
        first = source.readline()
        try:
            yield msgspec.json.decode(first)
        except msgspec.DecodeError:
            yield _whole(file)
            return
        except (RecursionError, UnicodeDecodeError):
            raise _not_json(file, 1) from None
        for number, line in enumerate(source, start=2):
            if line.strip():
                try:
                    yield msgspec.json.decode(line)
                except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                    raise _not_json(file, number) from None


def _whole(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except json.JSONDecodeError as fault:
        raise _not_json(file, fault.lineno) from None
    except (RecursionError, UnicodeDecodeError):
        raise _not_json(file, 1) from None


def _not_json(file: Path, line: int) -> BadExport:
    return BadExport(f"{file}:{line}: This is neither JSON nor JSON on each line.")


def _rows(file: Path) -> Iterator[tuple[int, Sequence[str]]]:
    with file.open(encoding="utf-8-sig", newline="") as source:
        reader = csv.reader(source)
        try:
            for row in reader:
                yield reader.line_num, row
        except (csv.Error, UnicodeDecodeError):
            message = f"{file}:{reader.line_num + 1}: This is not CSV in UTF-8."
            raise BadExport(message) from None
