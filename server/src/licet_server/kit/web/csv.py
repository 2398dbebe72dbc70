"""Lists as CSV, fetched and sent page by page, so their length does not matter."""

import csv
import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TypeVar
from uuid import UUID

import msgspec

from licet_server.kit.database import Connection
from licet_server.kit.limits import Kind
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.web.admission import take_place
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.responses import TextStream

View = TypeVar("View", bound=msgspec.Struct)

EXPORTS = Kind("exports", per_user=3, per_institution=10, per_process=20, retry_after=10)

_WEIGHT = re.compile(r"[01](?:\.[0-9]{0,3})?")
_PAGE_SIZE = 100
"""Small, since a page is in memory for each slow client, and encoding it blocks the process."""

_START = UUID(int=0)
_FORMULA_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""Signs that begin a formula, and their full-width forms, which some spreadsheets read alike."""

_DROPPED_STARTS = ("\t", "\r", "\n")

_encoder = msgspec.json.Encoder(decimal_format="number")


def prefers_csv(accept: str) -> bool:
    """Return whether a header Accept names CSV, and does not prefer JSON by its weights."""
    weights = {"text/csv": 0.0, "application/json": 0.0}
    for item in accept.lower().replace(" ", "").split(","):
        media_type, *parameters = item.split(";")
        if media_type in weights:
            weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
            weights[media_type] = float(weight) if _WEIGHT.fullmatch(weight) else 0.0
    return 0 < weights["text/csv"] >= weights["application/json"]


async def list_or_csv(
    request: HttpRequest,
    db: Connection,
    platform: Platform,
    paging: Paging,
    user_id: UUID,
    institution_id: UUID | None,
    name: str,
    kind: type[View],
    fetch: Callable[[Connection, Paging], Awaitable[Listing[View]]],
) -> Listing[View]:
    """Return the requested page; with `Accept: text/csv`, stream the whole list as the file `name`.

    Raises:
        Refused: what `fetch` refuses, and `RateLimited` as `csv_stream` does.
    """
    if not prefers_csv(request.headers.get("accept", "")):
        return await fetch(db, paging)

    async def fetch_step(step: Paging) -> Listing[View]:
        async with platform.database.reading() as connection:
            return await fetch(connection, step)

    return await csv_stream(  # type: ignore[return-value]
        request, user_id, institution_id, name, kind, fetch_step
    )


async def csv_stream(
    request: HttpRequest,
    user_id: UUID,
    institution_id: UUID | None,
    name: str,
    kind: type[View],
    fetch: Callable[[Paging], Awaitable[Listing[View]]],
) -> TextStream:
    """Stream the file `name`: a header with the fields of `kind`, then all items in creation order.

    `fetch` returns one page of the list. It should use a connection only for that page, so that a
    slow client does not occupy one.

    Raises:
        Refused: `RateLimited` if the user or the institution has too many exports in progress, and
            what `fetch` refuses.
    """
    await take_place(request, EXPORTS, user_id, institution_id)
    first = await fetch(_step(_START))  # what it refuses cannot be said once a stream has begun
    return TextStream(
        _lines(kind, first, fetch),
        media_type="text/csv",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _step(after: UUID) -> Paging:
    return Paging(page_size=_PAGE_SIZE, after=after)


async def _lines(
    kind: type[View], listing: Listing[View], fetch: Callable[[Paging], Awaitable[Listing[View]]]
) -> AsyncIterator[str]:
    yield csv_text(kind, listing.items)
    while True:
        if not isinstance(listing.next_after, UUID):
            return
        listing = await fetch(_step(listing.next_after))
        yield _rows(kind, listing.items)


def csv_text(kind: type[View], items: Iterable[View]) -> str:
    """Return items as CSV: a header with the fields of `kind`, then a line for each."""
    header = [field.encode_name for field in msgspec.structs.fields(kind)]
    return _text([header]) + _rows(kind, items)


def _rows(kind: type[View], items: Iterable[View]) -> str:
    fields = msgspec.structs.fields(kind)
    return _text([[_cell(getattr(item, field.name)) for field in fields] for item in items])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if _may_be_formula(value) else value
    return _encoder.encode(value).decode().strip('"')


def _may_be_formula(text: str) -> bool:
    """Return whether a spreadsheet may evaluate the text; a leading quote prevents it."""
    return text.startswith(_DROPPED_STARTS) or text.lstrip().startswith(_FORMULA_STARTS)


def _text(rows: Sequence[Sequence[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()
