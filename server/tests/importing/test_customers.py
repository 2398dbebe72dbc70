"""Imported licenses belong to customers, who are found or created for a whole batch at once."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from importing.test_importing import all_licenses, carry, csv_file
from licenses.factories import make_product
from sqlalchemy import text
from statements import sent_statements
from testkit import Owner
from world import Vendor, World

from licet_server.customers.service import customers as service
from licet_server.importing.service import importing
from licet_server.importing.service.files import Format
from licet_server.kit.platform import Platform

AT_ONCE = 4
PEOPLE = 40


def rows(prefix: str, addresses: list[str]) -> str:
    lines = [
        f"{prefix}-KEY-{number:04},{address},Subscription,2031-01-01"
        for number, address in enumerate(addresses)
    ]
    return "\n".join(["licenseKey,issuedTo,type,expirationDate", *lines, ""])


async def customers_of(owner: Owner) -> dict[str, dict[str, Any]]:
    found = await owner.ok("GET", "/api/customers?pageSize=100")
    return {item["email"]: item for item in found["items"]}


async def test_licenses_belong_to_existing_and_new_customers(world: World, tmp_path: Path) -> None:
    known = await world.issue(issuedTo="Jane@example.com")
    addresses = ["jane@example.com", "roe@example.com", "ROE@example.com", "JANE@EXAMPLE.COM"]
    await carry(
        world.platform, world.product, csv_file(tmp_path, rows("OLD", addresses)), Format.CSV
    )
    licenses = await all_licenses(world)
    of_jane = {licenses[f"OLD-KEY-{number:04}"]["customerId"] for number in (0, 3)}
    of_roe = {licenses[f"OLD-KEY-{number:04}"]["customerId"] for number in (1, 2)}
    assert of_jane == {known["customerId"]}
    assert len(of_roe) == 1
    assert of_roe != of_jane
    customers = await customers_of(world.owner)
    assert sorted(item["licenseCount"] for item in customers.values()) == [2, 3]
    for customer in customers.values():
        kinds = [item["kind"] for item in await world.events_of(customer["id"])]
        assert kinds == ["customer.created"]


async def test_license_without_address_has_no_customer(world: World, tmp_path: Path) -> None:
    file = csv_file(tmp_path, "licenseKey,type\nOLD-KEY-0001,Perpetual\n")
    await carry(world.platform, world.product, file, Format.CSV)
    assert (await all_licenses(world))["OLD-KEY-0001"]["customerId"] is None
    assert await customers_of(world.owner) == {}


async def test_a_batch_costs_the_same_statements_whatever_its_size(
    world: World, tmp_path: Path
) -> None:
    counts = set()
    for name, size in (("FEW", 2), ("MANY", 300)):
        addresses = [f"{name}{number}@example.com" for number in range(size)]
        file = csv_file(tmp_path, rows(name, addresses))
        with sent_statements() as sent:
            report = await carry(world.platform, world.product, file, Format.CSV)
        assert report.licenses == size
        counts.add(len(sent))
    assert counts == {14}


async def import_at_once(
    platform: Platform, vendor: Vendor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[Any]:
    """Imports into several products, for the same people, each in another order and in batches.

    Imports into one product wait for each other.
    """
    monkeypatch.setattr(importing, "BATCH", 15)
    people = [f"p{number}@example.com" for number in range(PEOPLE)]
    runs = []
    for number in range(AT_ONCE):
        (folder / str(number)).mkdir()
        turned = people[number * 7 :] + people[: number * 7]
        ordered = turned[::-1] if number % 2 else turned
        file = csv_file(folder / str(number), rows("OLD", ordered))
        product = await make_product(vendor.owner, name=f"Product {number}")
        runs.append(carry(platform, product, file, Format.CSV))
    return await asyncio.gather(*runs, return_exceptions=True)


async def test_imports_at_once_make_one_customer_of_each_address(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = await import_at_once(world.platform, world, tmp_path, monkeypatch)
    assert [report.licenses for report in reports] == [PEOPLE] * AT_ONCE
    customers = await customers_of(world.owner)
    assert len(customers) == PEOPLE
    assert {item["licenseCount"] for item in customers.values()} == {AT_ONCE}
    async with world.platform.database.reading() as db:
        created = await db.execute(
            text(
                "SELECT count(*), count(DISTINCT subject_id) FROM events "
                "WHERE institution_id = :i AND kind = 'customer.created'"
            ),
            {"i": UUID(world.owner.institution_id)},
        )
        assert tuple(created.one()) == (PEOPLE, PEOPLE)


async def test_control_of_imports_at_once(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks first and inserts then meets those that others have inserted meanwhile."""

    async def look_and_insert(db: Any, institution_id: UUID, drafts: Any, now: Any) -> Any:
        found = await db.execute(
            text("SELECT lower(email), id FROM customers WHERE institution_id = :i"),
            {"i": institution_id},
        )
        known = dict(found.tuples().all())
        await asyncio.sleep(0.1)
        insert = text(
            "INSERT INTO customers (institution_id, id, name, email, created_at, updated_at) "
            "VALUES (:i, :id, :email, :email, :now, :now)"
        )
        new = [item[:2] for item in drafts if item[1].lower() not in known]
        for customer_id, email in sorted(new, key=lambda item: item[1]):
            given = {"i": institution_id, "id": customer_id, "email": email, "now": now}
            await db.execute(insert, given)
        old = [
            (email, known[email.lower()], False) for _, email, _ in drafts if email.lower() in known
        ]
        return [*old, *((email, customer_id, True) for customer_id, email in new)]

    monkeypatch.setattr(service.storage, "ensure_customers", look_and_insert)
    reports = await import_at_once(world.platform, world, tmp_path, monkeypatch)
    assert any("customers_email_key" in str(report) for report in reports)
