"""Licenses that are carried over, and found there by applications."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import make_product as make_product_without_keys
from importing.exports import (
    CRYPTLEX_ACTIVATIONS,
    CRYPTLEX_LICENSES,
    CSV,
    KEYGEN_LICENSES,
    KEYGEN_MACHINES,
    KEYGEN_USERS,
    write,
)
from testkit import Owner
from world import Vendor, World

from licet_server.events.rules.model import INSTANCE
from licet_server.importing.rules.model import BadExport
from licet_server.importing.service.files import Format, read_export
from licet_server.importing.service.importing import ImportOptions, ImportReport, import_licenses
from licet_server.kit.errors import Refused
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events


async def carry(
    platform: Platform, product: Any, file: Path, kind: Format, **options: Any
) -> ImportReport:
    chosen = ImportOptions(product_id=UUID(product["id"]), **options)
    found = list(read_export(file, kind))
    return await import_licenses(platform, found, chosen, lambda _done, _total: None)


def csv_file(folder: Path, text: str = CSV) -> Path:
    file = folder / "licenses.csv"
    file.write_text(text)
    return file


async def all_licenses(vendor: Vendor) -> dict[str, Any]:
    found = await vendor.owner.ok("GET", "/api/licenses?pageSize=100")
    return {item["licenseKey"]: item for item in found["items"]}


async def test_licenses_keep_keys_terms_seats_devices_and_metadata(
    world: World, tmp_path: Path
) -> None:
    report = await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    assert (report.licenses, report.devices, report.refused) == (3, 2, [])
    found = await all_licenses(world)
    first = found["OLD-KEY-0001"]
    assert (first["type"], first["status"], first["seatsUsed"]) == ("Concurrent", "Active", 2)
    assert first["metadata"] == {"order": "1001"}
    assert found["OLD-KEY-0002"]["status"] == "Suspended"
    assert found["OLD-KEY-0003"]["status"] == "Expired"
    assert {item["hardwareId"] for item in await world.devices(first)} == {"pc-1", "pc-2"}
    product = await world.owner.ok("GET", f"/api/products/{world.product['id']}")
    assert product["licenseCount"] == 3


async def test_applications_go_on_with_their_keys_and_devices(world: World, tmp_path: Path) -> None:
    await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    license_ = (await all_licenses(world))["OLD-KEY-0001"]
    assert (await world.validate(license_, "pc-1"))["status"] == "Valid"
    assert (await world.validate(license_, "pc-9"))["status"] == "ActivationRequired"
    assert (await world.activate(license_, "pc-1")).status_code == 200
    assert (await world.activate(license_, "pc-3")).status_code == 201
    assert (await world.activate(license_, "pc-4")).status_code == 409


async def test_customers_activate_again_without_devices(world: World, tmp_path: Path) -> None:
    file = csv_file(tmp_path)
    report = await carry(world.platform, world.product, file, Format.CSV, with_devices=False)
    assert (report.licenses, report.devices) == (3, 0)
    license_ = (await all_licenses(world))["OLD-KEY-0001"]
    assert (await world.activate(license_, "pc-9")).status_code == 201


async def test_a_node_locked_license_is_bound(world: World, tmp_path: Path) -> None:
    text = "licenseKey,issuedTo,type,devices\nOLD-KEY-0001,a@example.com,NodeLocked,pc-1\n"
    await carry(world.platform, world.product, csv_file(tmp_path, text), Format.CSV)
    license_ = (await all_licenses(world))["OLD-KEY-0001"]
    assert (await world.validate(license_, "pc-1"))["status"] == "Valid"
    assert (await world.validate(license_, "pc-2"))["status"] == "HardwareMismatch"


@pytest.mark.parametrize(
    ("kind", "values", "options", "licenses"),
    [
        (
            Format.KEYGEN,
            (KEYGEN_LICENSES, KEYGEN_MACHINES, KEYGEN_USERS),
            {"receiver": "x@example.com"},
            2,
        ),
        (
            Format.CRYPTLEX,
            (CRYPTLEX_LICENSES, CRYPTLEX_ACTIVATIONS),
            {"receiver": "x@example.com"},
            2,
        ),
    ],
)
async def test_run_twice_changes_nothing(
    world: World, tmp_path: Path, kind: Format, values: Any, options: Any, licenses: int
) -> None:
    file = write(tmp_path / "export", *values)
    first = await carry(world.platform, world.product, file, kind, **options)
    assert (first.licenses, first.devices, first.refused) == (licenses, 1, [])
    before = await all_licenses(world)
    second = await carry(world.platform, world.product, file, kind, **options)
    assert (second.licenses, second.devices, second.already_there) == (0, 0, licenses)
    assert await all_licenses(world) == before


async def test_a_dry_run_says_the_same_and_changes_nothing(world: World, tmp_path: Path) -> None:
    file = csv_file(tmp_path)
    told = await carry(world.platform, world.product, file, Format.CSV, is_dry_run=True)
    assert await all_licenses(world) == {}
    assert await carry(world.platform, world.product, file, Format.CSV) == told


async def test_existing_key_is_skipped(world: World, tmp_path: Path) -> None:
    kept = await world.issue(licenseKey="OLD-KEY-0001")
    report = await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    assert (report.licenses, report.already_there) == (2, 1)
    assert (await all_licenses(world))["OLD-KEY-0001"] == await world.owner.ok(
        "GET", f"/api/licenses/{kept['id']}"
    )


async def test_licenses_that_cannot_be_imported_are_reported(world: World, tmp_path: Path) -> None:
    text = CSV + "short,,,,,,,,\nOLD-KEY-0001,,,,,,,,\nOLD-KEY-0004,,,Floating,,2,,,\n"
    report = await carry(world.platform, world.product, csv_file(tmp_path, text), Format.CSV)
    assert report.licenses == 3
    assert len(report.refused) == 3
    assert [place for place, _ in report.refused] == ["line 5", "line 6", "line 7"]
    assert report.refused[1][1] == "the file has the key more than once"


async def test_an_export_of_several_products(world: World, tmp_path: Path) -> None:
    text = "licenseKey,product\nOLD-KEY-0001,a\nOLD-KEY-0002,b\nOLD-KEY-0003,b\n"
    file = csv_file(tmp_path, text)
    with pytest.raises(BadExport, match=r"b \(2\), a \(1\)"):
        await carry(world.platform, world.product, file, Format.CSV)
    report = await carry(world.platform, world.product, file, Format.CSV, source_product="b")
    assert (report.licenses, report.of_other_products) == (2, 1)


async def test_each_license_has_its_event(world: World, tmp_path: Path) -> None:
    await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    license_ = (await all_licenses(world))["OLD-KEY-0001"]
    [own] = await world.events_of(license_["id"])
    assert (own["kind"], own["data"]["status"]) == ("license.created", "Active")
    assert (own["actor_kind"], own["data"]["customerId"]) == ("Console", license_["customerId"])
    assert "OLD-KEY-0001" not in str(own)
    [device, _] = await world.devices(license_)
    [activated] = await world.events_of(device["id"])
    assert activated["kind"] == "activation.created"


async def test_nobody_is_notified_of_imported_devices(world: World, tmp_path: Path) -> None:
    await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    license_ = (await all_licenses(world))["OLD-KEY-0001"]
    assert (await world.activate(license_, "pc-3", deviceName="New one")).status_code == 201
    await dispatch_events(world.platform)
    told = (await world.owner.ok("GET", "/api/notifications"))["items"]
    devices = [item["body"] for item in told if item["kind"] == "DeviceActivated"]
    assert len(devices) == 1
    assert "New one" in devices[0]


async def test_instance_records_each_batch_as_one_event_of_the_console(
    world: World, tmp_path: Path
) -> None:
    file = csv_file(tmp_path)
    for _ in range(2):
        await carry(world.platform, world.product, file, Format.CSV)
    told = [
        item
        for item in await world.events_of(world.product["id"])
        if item["kind"] == "product.licenses_imported"
    ]
    assert [item["institution_id"] for item in told] == [
        UUID(world.owner.institution_id),
        INSTANCE,
    ]
    assert (told[1]["data"]["licenses"], told[1]["data"]["devices"]) == (3, 2)


async def test_a_product_without_signing_keys(
    platform: Platform, owner: Owner, tmp_path: Path
) -> None:
    product = await make_product_without_keys(owner)
    with pytest.raises(Refused, match="KeysNotGenerated"):
        await carry(platform, product, csv_file(tmp_path), Format.CSV, is_dry_run=True)


async def test_an_unknown_product(platform: Platform, tmp_path: Path) -> None:
    nowhere = {"id": "01900000-0000-7000-8000-000000000000"}
    with pytest.raises(Refused, match="NotFound"):
        await carry(platform, nowhere, csv_file(tmp_path), Format.CSV)


async def test_a_day_ends_in_the_time_zone_of_the_institution(world: World, tmp_path: Path) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/settings"
    await world.owner.ok("PUT", path, {"timeZone": "Europe/Berlin"})
    await carry(world.platform, world.product, csv_file(tmp_path), Format.CSV)
    first = (await all_licenses(world))["OLD-KEY-0001"]
    assert first["expirationDate"] == "2031-01-01T22:59:59.999999Z"
