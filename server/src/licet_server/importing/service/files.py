"""Reads an export from a file, and rejects other files."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from licet_server.importing.rules import cryptlex, cryptolens, keygen, tables
from licet_server.importing.rules.model import BadExport, BadPage, BadRecord, FoundLicense
from licet_server.importing.service.json_pages import pages_in
from licet_server.importing.service.table_rows import rows_in

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
