"""CSV with a header: one license in each row.

Columns have the names of fields of a license; `metadata.NAME` is a metadata entry, `devices`
has hardware IDs separated by spaces, and `tags` has tags separated by commas, or as a JSON list, as
exports have them. Other columns are reported and not imported.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from licet_server.importing.rules.model import (
    BadExport,
    BadRecord,
    FoundDevice,
    FoundLicense,
    end_of,
    whole_of,
)
from licet_server.kit.tags import MAX_TAGS, TAG_MAX, Tags, normal_tag, normal_tags

COLUMNS = (
    "licenseKey",
    "licenseName",
    "issuedTo",
    "type",
    "status",
    "expirationDate",
    "updatesUntil",
    "maxActiveUsersCount",
    "product",
    "notes",
    "tags",
    "devices",
)
_KEY = "licenseKey"
_METADATA = "metadata."
_BY_PLAIN_NAME = {name.lower(): name for name in COLUMNS}
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_NAMES_SHOWN, _NAME_SHOWN = 5, 40
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CELL_MAX = 20_480
_TEXT_FORMULA = re.compile(r'="([^"]*)"')
"""Has a spreadsheet show a text as it is, such as the zeros at the beginning of a number."""
_SHORTENED = re.compile(r"\d+E\d{1,3}", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_NO_NAME = "a column without a name"


def licenses_of(
    rows: Iterable[tuple[int, Sequence[str] | BadRecord]],
) -> Iterator[FoundLicense | tuple[str, BadRecord]]:
    """Yield the licenses of rows with their line numbers; the first row is the header.

    Raises:
        BadExport: the header is missing, or has no column of keys.
    """
    numbered = iter(rows)
    _, header = next(numbered, (0, ()))
    if isinstance(header, BadRecord):
        raise BadExport(f"The first line {header}.")
    names = [_column(name) for name in header]
    if _KEY not in names:
        shown = ", ".join(name[:_NAME_SHOWN] for name in names[:_NAMES_SHOWN] if name)
        but = f" It names {shown}." if shown else ""
        raise BadExport(f"The first line must name the columns, one of them {_KEY}.{but}")
    named, unnamed = list(filter(None, names)), [n for n, name in enumerate(names) if not name]
    known = [name for name in named if name in COLUMNS or name.startswith(_METADATA)]
    for name, count in Counter(known).items():
        if count > 1:
            raise BadExport(f"The first line names the column {name[:_NAME_SHOWN]} twice.")
    lost = [f"the column {name}" for name in dict.fromkeys(named) if name not in known]
    for line, cells in numbered:
        place = f"line {line}"
        if isinstance(cells, BadRecord):
            yield place, cells
            continue
        if not any(cells):
            continue
        try:
            others = [_NO_NAME] if any(cells[n] for n in unnamed if n < len(cells)) else []
            yield _license(place, _row(names, cells), lost + others)
        except BadRecord as fault:
            yield place, fault


def is_header(cells: Sequence[str]) -> bool:
    """Check whether these are names of columns, including that of the keys."""
    return any(_column(cell) == _KEY for cell in cells)


def _column(name: str) -> str:
    """Return the column of a name, ignoring case, spaces and dashes."""
    plain = _INVISIBLE.sub("", name).strip()
    if plain.lower().startswith(_METADATA):
        return _METADATA + plain[len(_METADATA) :]
    return _BY_PLAIN_NAME.get(_BETWEEN_WORDS.sub("", plain).lower(), plain)


def _row(names: Sequence[str], cells: Sequence[str]) -> Mapping[str, str]:
    """Return the cells by column. Spreadsheets omit or add empty cells at the end."""
    if any(cells[len(names) :]):
        raise BadRecord(f"has {len(cells)} cells, and the first line {len(names)}")
    row = {name: plain_cell(cell) for name, cell in zip(names, cells, strict=False)}
    if _is_shortened(cell := "".join(cells[names.index(_KEY) :][:1]).strip()):
        raise BadRecord(
            f"the key {cell} reads as a number that a spreadsheet has shortened; export the keys "
            f'as text, or write ="{cell}" if it is one'
        )
    return row if len(row) == len(names) else {**dict.fromkeys(names, ""), **row}


def _is_shortened(cell: str) -> bool:
    """Return whether a cell may be a number with an exponent that a spreadsheet can hold.

    What a cell shows as text is the key: a spreadsheet has not read it as a number.
    """
    return _SHORTENED.fullmatch(cell) is not None and math.isfinite(float(cell))


def plain_cell(cell: str) -> str:
    """Return a cell without what is there for spreadsheets only.

    That is a quote before a formula that must not run, and the formula of a plain text.

    Raises:
        BadRecord: it is too long.
    """
    if len(cell) > _CELL_MAX:
        raise BadRecord(f"has a cell of more than {_CELL_MAX:,} characters")
    text = cell.replace("\0", "")
    if (shown := _TEXT_FORMULA.fullmatch(text)) is not None:
        return shown[1].strip()
    is_guarded = text.startswith("'") and text[1:].lstrip(" ").startswith(_FORMULA_STARTS)
    return (text[1:] if is_guarded else text).strip()


def _license(place: str, row: Mapping[str, str], columns_lost: Sequence[str]) -> FoundLicense:
    key = row["licenseKey"]
    if not key:
        raise BadRecord("licenseKey is missing")
    status = row.get("status", "").lower()
    if status not in {"", "active", "expired", "suspended", "revoked"}:
        raise BadRecord("status is not Active, Expired, Suspended or Revoked")
    lost = list(columns_lost)
    ends_at = end_of(row, "expirationDate", lost)
    if status == "expired" and ends_at is None:
        raise BadRecord("status is Expired, and expirationDate is missing or stands for no end")
    return FoundLicense(
        place=place,
        product=row.get("product", ""),
        key=key,
        name=row.get("licenseName") or None,
        receiver=row.get("issuedTo") or None,
        model=row.get("type") or None,
        ends_at=ends_at,
        updates_until=end_of(row, "updatesUntil", lost),
        seats=whole_of(row, "maxActiveUsersCount"),
        is_suspended=status == "suspended",
        is_revoked=status == "revoked",
        notes=row.get("notes") or None,
        tags=_tags(row.get("tags", ""), lost),
        metadata={
            name.removeprefix(_METADATA): cell
            for name, cell in row.items()
            if name.startswith(_METADATA) and cell
        },
        devices=[FoundDevice(hardware_id=device) for device in row.get("devices", "").split()],
        lost=lost,
    )


def _tags(cell: str, lost: list[str]) -> Tags:
    texts = _listed(cell)
    tags = normal_tags(texts)
    if len(tags) > MAX_TAGS or not all(map(normal_tag, texts)):
        lost.append(f"tags beyond {MAX_TAGS}, and of more than {TAG_MAX} characters")
    return tags[:MAX_TAGS]


def _listed(cell: str) -> Sequence[str]:
    try:
        return msgspec.json.decode(cell, type=list[str])
    except msgspec.DecodeError:
        return [text for item in cell.split(",") if (text := item.strip())]
