"""`import keygen`, `import cryptlex`, `import cryptolens` and `import csv`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from cyclopts import Parameter

from licet_server.cli.options import DataDir, counting, on_platform, settings_with
from licet_server.importing.service.files import Format, read_export
from licet_server.importing.service.importing import (
    Found,
    ImportOptions,
    ImportReport,
    import_licenses,
)
from licet_server.kit.platform import Platform
from licet_server.kit.text import one_line

_REFUSED_SHOWN = 50

TermFlag = Literal["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Common:
    """Options of all kinds of imports.

    Parameters
    ----------
    product_id
        The product that gets the licenses.
    source_product
        Take the licenses of this product of the export only, by its ID.
    receiver
        The email address for licenses that name none.
    without_devices
        Leave devices out; customers activate again.
    dry_run
        Tell what would happen, and change nothing.
    """

    product_id: UUID
    source_product: str | None = None
    receiver: str | None = None
    without_devices: Annotated[bool, Parameter(negative=())] = False
    dry_run: Annotated[bool, Parameter(negative=())] = False
    data_dir: DataDir = None

    @property
    def options(self) -> ImportOptions:
        """What the import takes."""
        return ImportOptions(
            product_id=self.product_id,
            source_product=self.source_product,
            receiver=self.receiver,
            with_devices=not self.without_devices,
            is_dry_run=self.dry_run,
        )


def import_keygen(file: Path, *, common: Common) -> None:
    """Import from Keygen: responses of its API with licenses, and with machines and users."""
    _import(list(read_export(file, Format.KEYGEN)), common)


def import_cryptlex(file: Path, *, common: Common) -> None:
    """Import from Cryptlex: responses of its API with licenses, and with activations."""
    _import(list(read_export(file, Format.CRYPTLEX)), common)


def import_cryptolens(file: Path, *, term_flag: TermFlag | None = None, common: Common) -> None:
    """Import from Cryptolens: responses of its API with the licenses of a product.

    Parameters
    ----------
    term_flag
        The feature of licenses that end. Without it, all end on their date.
    """
    _import(list(read_export(file, Format.CRYPTOLENS, term_flag=term_flag)), common)


def import_csv(file: Path, *, common: Common) -> None:
    """Import from a CSV file whose first line names the columns, one of them licenseKey."""
    _import(list(read_export(file, Format.CSV)), common)


def _import(found: list[Found], common: Common) -> None:
    report = on_platform(
        settings_with(data_dir=common.data_dir),
        lambda platform: _run(platform, found, common.options),
    )
    _show(report, "Would import" if common.dry_run else "Imported")
    if report.refused:
        sys.exit(1)


async def _run(platform: Platform, found: list[Found], options: ImportOptions) -> ImportReport:
    with counting("Licenses") as progress:
        return await import_licenses(platform, found, options, progress)


def _show(report: ImportReport, verb: str) -> None:
    print(f"{verb} {report.licenses:,} licenses with {report.devices:,} devices")
    if report.already_there:
        print(f"Already there, and left as they are: {report.already_there:,}")
    if report.of_other_products:
        print(f"Of other products: {report.of_other_products:,}")
    for what, count in report.lost.most_common():
        print(f"Not carried over, {count:,} licenses: {one_line(what)}")
    if report.refused:
        print(f"Refused: {len(report.refused):,}")
    for place, reason in report.refused[:_REFUSED_SHOWN]:
        print(f"    {one_line(place)}: {one_line(reason)}")
