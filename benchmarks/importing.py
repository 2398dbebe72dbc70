"""How fast licenses of another product are imported, while the service seals their events."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from uuid import UUID

from benchmarks.report import Report
from benchmarks.server import (
    SERVE,
    Server,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.size import Size
from benchmarks.vendor import create_vendor
from licet_server.app import open_platform
from licet_server.importing.service.files import Format, read_export
from licet_server.importing.service.importing import ImportOptions, import_licenses
from licet_server.kit.settings import Settings

LICENSES = 100_000
TARGET_SECONDS = 120.0
_HEADER = (
    "licenseKey,licenseName,issuedTo,type,expirationDate,maxActiveUsersCount,devices,metadata.order"
)
_TERMS = (
    "Perpetual,,,",
    "Subscription,2041-01-01,,",
    "Concurrent,,3,pc-{0}-1 pc-{0}-2",
    "NodeLocked,,,pc-{0}",
)


def run(report: Report, size: Size) -> None:
    """Print how long it takes to import licenses, each of a new customer, and to do so again."""
    count = size.of(LICENSES)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
    ):
        file = folder / "licenses.csv"
        file.write_text("\n".join(_lines(count)))
        product_id = _create_product(server)
        settings = Settings(data_dir=folder, database_url=cluster.url)
        first = asyncio.run(_import(settings, file, product_id))
        again = asyncio.run(_import(settings, file, product_id))
    report.title("Import of licenses from CSV, while the service seals and dispatches their events")
    report.table(
        ["run", "licenses", "devices", "seconds", "licenses per second", "CPU of the import, s"],
        [_row("new", count, first), _row("again: all are there", count, again)],
    )
    seconds = first[1] * LICENSES / count
    report.figure(
        f"{LICENSES:,} licenses with {LICENSES * 3 // 4:,} devices",
        f"{seconds:.0f} s",
        f"under {TARGET_SECONDS:g} s",
        seconds < TARGET_SECONDS,
    )


def _lines(count: int) -> Iterator[str]:
    yield _HEADER
    for number in range(count):
        terms = _TERMS[number % len(_TERMS)].format(number)
        yield f"OLD-{number:08}-KEY,License {number},c{number}@example.com,{terms},{number}"
    yield ""


def _create_product(server: Server) -> UUID:
    vendor = create_vendor(server)
    with signed_in(server) as client:
        place = f"/api/products/{vendor.product['id']}/keys/generate"
        call_api(client, "POST", place, {"keySize": 2048})
    return UUID(vendor.product["id"])


async def _import(settings: Settings, file: Path, product_id: UUID) -> tuple[int, float, float]:
    """Read and import a file; returns the devices, the seconds and those of this process's CPU."""
    options = ImportOptions(product_id=product_id)
    async with open_platform(settings) as platform:
        began, used = perf_counter(), process_time()
        found = list(read_export(file, Format.CSV))
        report = await import_licenses(platform, found, options, lambda _done, _total: None)
        return report.devices, perf_counter() - began, process_time() - used


def _row(name: str, count: int, run: tuple[int, float, float]) -> list[str]:
    devices, seconds, cpu = run
    rate = f"{count / seconds:,.0f}"
    return [name, f"{count:,}", f"{devices:,}", f"{seconds:.1f}", rate, f"{cpu:.1f}"]
