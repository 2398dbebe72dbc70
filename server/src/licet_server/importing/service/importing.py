"""Imports the licenses of an export in batches, each in one transaction."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from uuid import UUID

from msgspec.structs import replace as replace_fields

from licet_server.catalog.rules.model import Product
from licet_server.catalog.service.lookup import fetch_any_product, fetch_product
from licet_server.devices.rules.model import Device
from licet_server.devices.service.admission import ImportedDevice, import_devices
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_batch
from licet_server.importing.rules.model import BadExport, BadRecord, FoundDevice, FoundLicense
from licet_server.importing.rules.terms import ReadyLicense, ready, shortened
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.database import Connection
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.carrying import carry_over, known_keys, release_for

BATCH = 500

Found = FoundLicense | tuple[str, BadRecord]
"""A license of an export, or the position of one that cannot be read, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Choices that the export does not have.

    `source_product` is the product in the export whose licenses are imported; without it, the
    export must have only one product. `receiver` becomes the holder of licenses without an email
    address. Without devices, customers activate again.
    """

    product_id: UUID
    source_product: str | None = None
    receiver: str | None = None
    with_devices: bool = True
    is_dry_run: bool = False


@dataclass(slots=True)
class ImportReport:
    """The result of an import.

    `refused` has the licenses that cannot be imported, each with the reason; `lost` counts licenses
    of which something was not imported, by what it was.
    """

    licenses: int = 0
    devices: int = 0
    already_there: int = 0
    of_other_products: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)


async def import_licenses(
    platform: Platform,
    found: Sequence[Found],
    options: ImportOptions,
    progress: Callable[[int, int], None],
) -> ImportReport:
    """Import licenses into a product. Licenses whose key exists there already are skipped.

    Raises:
        BadExport: the export is of several products, and none was chosen.
        Refused: `NotFound`, `KeysNotGenerated`, `PlanLimitReached`, `Conflict` when somebody has
            just taken one of the keys; the batches before stay.
    """
    report = ImportReport()
    async with platform.database.transaction() as db:
        product = await fetch_any_product(db, options.product_id)
        zone = await _zone(db, product)
    prepared = _prepared(zone, found, options, report)
    for first in range(0, len(prepared), BATCH):
        batch = prepared[first : first + BATCH]
        async with platform.unit_of_work(CONSOLE) as work:
            product = await fetch_any_product(work.db, options.product_id)
            await _import_batch(work, product, batch, report, is_dry_run=options.is_dry_run)
        progress(first + len(batch), len(prepared))
    return report


async def import_rows(
    work: UnitOfWork, operator: Operator, found: Sequence[Found], options: ImportOptions
) -> ImportReport:
    """Import up to `BATCH` licenses for an operator, as `import_licenses` does, all in one batch.

    The product is not locked first: an issue locks it last, after the customers.

    Raises:
        BadExport: they are of several products, and none was chosen.
        Refused: `NotFound`, `Forbidden`, `KeysNotGenerated`, `PlanLimitReached`, `Conflict` when
            somebody has just taken one of the keys.
    """
    report = ImportReport()
    product = await fetch_product(work.db, operator, options.product_id)
    batch = _prepared(await _zone(work.db, product), found, options, report)
    await _import_batch(work, product, batch, report, is_dry_run=options.is_dry_run)
    return report


async def _zone(db: Connection, product: Product) -> tzinfo:
    return (await time_zones(db, [product.institution_id]))[product.institution_id]


def _prepared(
    zone: tzinfo,
    found: Sequence[Found],
    options: ImportOptions,
    report: ImportReport,
) -> list[ReadyLicense]:
    chosen = _of_product(found, options.source_product, report)
    if not options.with_devices:
        chosen = [replace(item, devices=()) for item in chosen]
    return list(_ready(chosen, options.receiver, zone, report))


def _of_product(
    found: Sequence[Found], source_product: str | None, report: ImportReport
) -> list[FoundLicense]:
    """Return the licenses of the chosen product; those that cannot be read are reported."""
    licenses = []
    for item in found:
        if isinstance(item, FoundLicense):
            licenses.append(item)
        else:
            report.refused.append((item[0], str(item[1])))
    products = Counter(item.product for item in licenses)
    if source_product is None:
        if len(products) > 1:
            names = ", ".join(f"{name or '(none)'} ({n:,})" for name, n in products.most_common(5))
            raise BadExport(f"The licenses are of several products: {names}. Choose one.")
        return licenses
    chosen = [item for item in licenses if item.product == source_product]
    report.of_other_products = len(licenses) - len(chosen)
    return chosen


def _ready(
    licenses: Iterable[FoundLicense], receiver: str | None, zone: tzinfo, report: ImportReport
) -> Iterator[ReadyLicense]:
    """Yield the licenses that can be imported, each key once."""
    seen: set[str] = set()
    for item in licenses:
        try:
            prepared = ready(item, receiver=receiver, zone=zone)
        except BadRecord as fault:
            report.refused.append((item.place, str(fault)))
            continue
        if prepared.normal_key in seen:
            report.refused.append((item.place, "the file has the key more than once"))
            continue
        seen.add(prepared.normal_key)
        yield prepared


async def _import_batch(
    work: UnitOfWork,
    product: Product,
    batch: Sequence[ReadyLicense],
    report: ImportReport,
    *,
    is_dry_run: bool,
) -> None:
    known = await known_keys(work.db, product, [item.normal_key for item in batch])
    new = [item for item in batch if item.normal_key not in known]
    report.already_there += len(known)
    if not new:
        return
    release_id = await release_for(work, product, len(new))
    devices = sum(len(item.devices) for item in new)
    if not is_dry_run:
        await _carry_over(work, product, release_id, new)
        await _record(work, product, licenses=len(new), devices=devices)
    report.licenses += len(new)
    report.devices += devices
    for item in new:
        report.lost.update(set(item.lost))


async def _carry_over(
    work: UnitOfWork, product: Product, release_id: UUID, new: Sequence[ReadyLicense]
) -> None:
    # The audit log of the instance has one event of the batch, and none of each license.
    work = replace(work, origin=replace_fields(work.origin, of_instance=False))
    made = await carry_over(work, product, release_id, [item.carried for item in new])
    carried = [
        ImportedDevice(license_, _device(device), device.since)
        for license_, item in zip(made, new, strict=True)
        for device in item.devices
    ]
    await import_devices(work, carried)


async def _record(work: UnitOfWork, product: Product, *, licenses: int, devices: int) -> None:
    event = Event(
        EventKind.PRODUCT_LICENSES_IMPORTED,
        institution_id=product.institution_id,
        subject_id=product.id,
        product_id=product.id,
        data={"id": product.id, "name": product.name, "licenses": licenses, "devices": devices},
    )
    await record_batch(work.db, [(event, work.origin)], work.recorded_at)


def _device(found: FoundDevice) -> Device:
    return Device(
        found.hardware_id,
        name=shortened(found.name),
        os=shortened(found.os),
        app_version=shortened(found.app_version),
    )
