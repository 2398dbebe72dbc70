"""The list of licenses as CSV, walked in steps so that its length does not matter."""

import csv
import io
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from licet_server.accounts.rules import Operator
from licet_server.kit.database import Database
from licet_server.kit.paging import Paging
from licet_server.licenses.http.views import views_of
from licet_server.licenses.rules.model import LicenseFilter
from licet_server.licenses.schemas import LicenseView
from licet_server.licenses.service import reading
from licet_server.licenses.service.reading import UseReader

_encoder = msgspec.json.Encoder(decimal_format="number")
_STEP = 100
_START = UUID(int=0)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


async def csv_lines(
    database: Database,
    read_use: UseReader,
    operator: Operator,
    chosen: LicenseFilter,
    now: datetime,
) -> AsyncIterator[str]:
    """Header and rows, in creation order; the columns are the fields of a license.

    No connection is held between the steps, so that a slow reader takes none from others.
    """
    fields = msgspec.structs.fields(LicenseView)
    yield _line([field.encode_name for field in fields])
    after: UUID | None = _START
    while isinstance(after, UUID):
        paging = Paging(page_size=_STEP, after=after)
        async with database.reading() as db:
            listing = await reading.list_licenses(db, operator, chosen, paging, now)
            views = await views_of(db, read_use, listing.items, now)
        for view in views:
            yield _line([_cell(getattr(view, field.name)) for field in fields])
        after = listing.next_after or None


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        # A spreadsheet runs what begins like a formula; a quote in front makes it text.
        return f"'{value}" if value.startswith(_FORMULA_STARTS) else value
    return _encoder.encode(value).decode().strip('"')


def _line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()
