"""Wire shapes of imports."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.importing.rules.model import BadExport
from licet_server.importing.rules.tables import licenses_of
from licet_server.importing.service.importing import BATCH, Found, ImportOptions, ImportReport
from licet_server.kit.emails import normal_email, read_email
from licet_server.kit.errors import FieldError, bad_field
from licet_server.kit.web.body import Body

_LINE = re.compile(r"line (\d+)")


class ImportLicensesBody(Body):
    """Rows of a table, each with the cells of these columns, as in a CSV file.

    `firstLine` is the line of the first row in the file; refusals name the lines. `receiver` is the
    address for licenses that name none.
    """

    columns: Annotated[
        list[Annotated[str, Meta(max_length=200)]], Meta(min_length=1, max_length=100)
    ]
    rows: Annotated[list[list[str]], Meta(min_length=1, max_length=BATCH)]
    first_line: Annotated[int, Meta(ge=1, le=100_000_000)] = 2
    receiver: str | None = None
    with_devices: bool = True

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.receiver is not None and read_email(self.receiver) is None:
            yield FieldError("receiver", "must be an email address.")

    def found(self) -> list[Found]:
        """Return the licenses in the rows, and those that cannot be read.

        Raises:
            Refused: `InvalidRequest` if the columns have none of keys, or one twice.
        """
        rows = [(0, self.columns), *enumerate(self.rows, self.first_line)]
        try:
            return list(licenses_of(rows))
        except BadExport as fault:
            raise bad_field("columns", str(fault)) from None

    def options(self, product_id: UUID, *, is_dry_run: bool) -> ImportOptions:
        """Return what a validated body chooses."""
        return ImportOptions(
            product_id=product_id,
            receiver=None if self.receiver is None else normal_email(self.receiver),
            with_devices=self.with_devices,
            is_dry_run=is_dry_run,
        )


class ImportRefusal(Struct, rename="camel"):
    """A row that is not imported, by its line, and why."""

    line: int
    detail: str


class ImportLoss(Struct, rename="camel"):
    """Something that is not imported, and of how many licenses."""

    what: str
    licenses: int


class ImportAnswer(Struct, rename="camel"):
    """What was imported, or would be with `dryRun`, and what was left out.

    `alreadyThere` counts licenses whose key the product has; they stay as they are.
    """

    dry_run: bool
    licenses: int
    devices: int
    already_there: int
    refused: list[ImportRefusal]
    lost: list[ImportLoss]


def import_answer(report: ImportReport, *, dry_run: bool) -> ImportAnswer:
    """Return the report on the wire."""
    return ImportAnswer(
        dry_run=dry_run,
        licenses=report.licenses,
        devices=report.devices,
        already_there=report.already_there,
        refused=[
            ImportRefusal(int(found[1]) if (found := _LINE.fullmatch(place)) else 0, reason)
            for place, reason in report.refused
        ],
        lost=[ImportLoss(what, count) for what, count in report.lost.most_common()],
    )
