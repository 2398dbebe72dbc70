"""Customers: created, found, changed, merged and deleted, by operators and by sales."""

import asyncio
import csv
import io
from typing import Any

import pytest
from licenses.factories import issue, license_body, make_product, product_key
from sqlalchemy import text
from testkit import Owner, numbers
from world import Vendor, World

from licet_server.customers import storage
from licet_server.customers.rules.model import Customer
from licet_server.customers.service import customers as service
from licet_server.kit.platform import Platform
from licet_server.portal.service.access import mail_access

JANE = {"name": "Jane Doe", "email": "jane@example.com"}
AT_ONCE = 30


async def create(owner: Owner, **fields: Any) -> dict[str, Any]:
    return await owner.ok("POST", "/api/customers", {**JANE, **fields})


async def listed(owner: Owner, query: str = "") -> list[str]:
    found = await owner.ok("GET", f"/api/customers?{query}")
    return [item["email"] for item in found["items"]]


async def events_of(platform: Platform, customer: dict[str, Any]) -> list[str]:
    async with platform.database.reading() as db:
        found = await db.execute(
            text("SELECT kind FROM events WHERE subject_id = :id ORDER BY id"),
            {"id": customer["id"]},
        )
        return list(found.scalars())


async def test_a_customer_is_created_changed_and_deleted(owner: Owner, platform: Platform) -> None:
    details = {
        "externalReference": "cus_1",
        "company": "Doe Ltd",
        "notes": "Pays by invoice.",
        "metadata": {"segment": "studio"},
    }
    customer = await create(owner, **details)
    assert {name: customer[name] for name in details} == details
    assert customer["licenseCount"] == 0
    path = f"/api/customers/{customer['id']}"
    assert await owner.ok("GET", path) == customer
    changed = await owner.ok("PUT", path, {"name": "Jane Roe", "company": None})
    assert changed == {**customer, "name": "Jane Roe", "company": None}
    await owner.ok("DELETE", path)
    assert (await owner.send("GET", path)).status_code == 404
    kinds = ["customer.created", "customer.updated", "customer.deleted"]
    assert await events_of(platform, customer) == kinds


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"name": "  "}, "name"),
        ({"metadata": {"": "x"}}, "metadata"),
        ({"nickname": "J"}, "nickname"),
    ],
)
async def test_bad_fields_are_named(owner: Owner, fields: dict[str, Any], field: str) -> None:
    answer = await owner.send("POST", "/api/customers", {**JANE, **fields})
    assert answer.status_code == 400
    assert [item["field"] for item in answer.json()["errors"]] == [field]


async def test_one_of_many_concurrent_requests_creates_the_customer(owner: Owner) -> None:
    answers = await asyncio.gather(
        *(owner.send("POST", "/api/customers", JANE) for _ in range(AT_ONCE))
    )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [201] + [409] * (AT_ONCE - 1)
    assert len(await listed(owner)) == 1


async def test_customers_are_searched_sorted_and_paged(owner: Owner) -> None:
    for number in range(3):
        await create(owner, name=f"Person {number}", email=f"p{number}@example.com")
    await create(owner, name="Zoë Ärger", email="zoe@example.com", externalReference="cus_77")
    assert await listed(owner, "sort=email&pageSize=2") == ["p0@example.com", "p1@example.com"]
    assert await listed(owner, "sort=-email&pageSize=1") == ["zoe@example.com"]
    assert await listed(owner, "search=pers&sort=email&pageSize=1&page=3") == ["p2@example.com"]
    assert await listed(owner, "search=cus_77") == ["zoe@example.com"]
    assert await listed(owner, "search=äRG") == ["zoe@example.com"]
    assert await listed(owner, "search=---") == []


async def test_named_customers_are_listed_to_those_who_see_them(owner: Owner) -> None:
    ids = [(await create(owner, email=f"p{number}@example.com"))["id"] for number in range(3)]
    stranger = "01a22c04-b042-754a-8d04-dac87ae9b15f"
    asked = f"sort=email&id={ids[0]}&id={ids[2]}&id={stranger}"
    assert await listed(owner, asked) == ["p0@example.com", "p2@example.com"]
    assert await listed(owner, f"{asked}&search=p2") == ["p2@example.com"]


async def test_the_list_is_walked_by_key_and_sent_as_csv(owner: Owner) -> None:
    for number in range(3):
        await create(owner, name=f"=SUM({number})", email=f"p{number}@example.com")
    after, found = "00000000-0000-0000-0000-000000000000", []
    while after is not None:
        step = await owner.ok("GET", f"/api/customers?pageSize=2&after={after}")
        found += [item["email"] for item in step["items"]]
        after = step["nextAfter"]
    assert found == [f"p{number}@example.com" for number in range(3)]
    answer = await owner.send("GET", "/api/customers", headers={"accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["email"] for row in rows] == found
    assert rows[0]["name"] == "'=SUM(0)"


async def test_a_license_belongs_to_the_customer_of_its_address(world: World) -> None:
    jane = await create(world.owner)
    first = await world.issue(issuedTo="JANE@example.com")
    second = await world.issue(issuedTo="new@example.com")
    assert first["customerId"] == jane["id"]
    new = await world.owner.ok("GET", f"/api/customers/{second['customerId']}")
    assert (new["name"], new["email"], new["licenseCount"]) == ("new@example.com",) * 2 + (1,)
    assert await events_of(world.platform, new) == ["customer.created"]
    of_jane = await world.owner.ok("GET", f"/api/licenses?customerId={jane['id']}")
    assert [item["id"] for item in of_jane["items"]] == [first["id"]]
    assert (await world.issue(issuedTo=None))["customerId"] is None


async def test_a_license_issued_to_a_user_belongs_to_the_customer_of_their_address(
    owner: Owner,
) -> None:
    license_ = await issue(owner, await make_product(owner), issuedTo=owner.user_id)
    customer = await owner.ok("GET", f"/api/customers/{license_['customerId']}")
    assert customer["email"] == owner.email


async def test_a_license_that_is_issued_to_another_address_changes_its_customer(
    owner: Owner,
) -> None:
    license_ = await issue(owner, await make_product(owner), issuedTo="jane@example.com")
    path = f"/api/licenses/{license_['id']}"
    same = await owner.ok("PUT", path, {"issuedTo": "Jane@Example.com"})
    assert same["customerId"] == license_["customerId"]
    other = await owner.ok("PUT", path, {"issuedTo": "roe@example.com"})
    assert other["customerId"] not in {None, license_["customerId"]}
    nobody = await owner.ok("PUT", path, {"issuedTo": None})
    assert nobody["customerId"] is None


async def test_two_sales_at_once_make_one_customer(world: World) -> None:
    bodies = [
        license_body(world.product, issuedTo=f"{'Jane' if n % 2 else 'jane'}@example.com")
        for n in range(AT_ONCE)
    ]
    sold = await asyncio.gather(*(world.owner.ok("POST", "/api/licenses", body) for body in bodies))
    assert len({item["customerId"] for item in sold}) == 1
    [customer] = (await world.owner.ok("GET", "/api/customers"))["items"]
    assert customer["licenseCount"] == AT_ONCE


async def test_the_test_of_sales_at_once_can_fail(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks first and inserts then gets refusals."""

    async def look_and_insert(db: Any, institution_id: Any, drafts: Any, now: Any) -> Any:
        [(customer_id, email, _)] = drafts
        found = await db.execute(
            text("SELECT id FROM customers WHERE institution_id = :of AND lower(email) = :email"),
            {"of": institution_id, "email": email.lower()},
        )
        if (known := found.scalar_one_or_none()) is not None:
            return [(email, known, False)]
        await asyncio.sleep(0.2)  # few licenses are issued at a time: let the next one look, too
        customer = Customer(
            institution_id=institution_id,
            id=customer_id,
            name=email,
            email=email,
            created_at=now,
            updated_at=now,
        )
        await storage.CUSTOMERS.insert(db, customer)
        return [(email, customer_id, True)]

    monkeypatch.setattr(service.storage, "ensure_customers", look_and_insert)
    body = license_body(await make_product(owner), issuedTo="jane@example.com")
    answers = await asyncio.gather(
        *(owner.send("POST", "/api/licenses", body) for _ in range(AT_ONCE))
    )
    assert {answer.status_code for answer in answers} == {201, 409}


async def test_a_customer_with_licenses_is_not_deleted(owner: Owner) -> None:
    license_ = await issue(owner, await make_product(owner))
    path = f"/api/customers/{license_['customerId']}"
    refused = await owner.send("DELETE", path)
    assert refused.status_code == 409
    assert "1 license." in refused.json()["detail"]
    await owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    await owner.ok("DELETE", path)


async def test_a_customer_is_deleted_or_sold_to_but_not_both(world: World) -> None:
    for number in range(8):
        email = f"p{number}@example.com"
        customer = await create(world.owner, email=email)
        sold, _ = await asyncio.gather(
            world.owner.ok("POST", "/api/licenses", license_body(world.product, issuedTo=email)),
            world.owner.send("DELETE", f"/api/customers/{customer['id']}"),
        )
        await world.owner.ok("GET", f"/api/customers/{sold['customerId']}")


async def test_duplicates_are_merged(world: World) -> None:
    sold = await world.issue(issuedTo="jane.doe@example.org")
    kept = await create(world.owner, name="jane@example.com", metadata={"a": "kept"})
    double = f"/api/customers/{sold['customerId']}"
    details = {"name": "Jane Doe", "company": "Doe Ltd", "metadata": {"a": "double", "b": "2"}}
    await world.owner.ok("PUT", double, details)
    merged = await world.owner.ok("POST", f"{double}/merge", {"intoId": kept["id"]})
    assert (merged["id"], merged["email"], merged["licenseCount"]) == (kept["id"], JANE["email"], 1)
    assert (merged["name"], merged["company"]) == ("Jane Doe", "Doe Ltd")
    assert merged["metadata"] == {"a": "kept", "b": "2"}
    assert (await world.owner.send("GET", double)).status_code == 404
    moved = await world.owner.ok("GET", f"/api/licenses/{sold['id']}")
    assert (moved["customerId"], moved["issuedTo"]) == (kept["id"], "jane.doe@example.org")
    assert await events_of(world.platform, kept) == ["customer.created", "customer.merged"]


async def test_a_note_is_an_event_with_its_author_and_changes_nothing(world: World) -> None:
    jane = await create(world.owner, notes="Pays late.")
    path = f"/api/customers/{jane['id']}"
    world.clock.advance(minutes=1)
    await world.owner.ok("POST", f"{path}/notes", {"note": "Jane called.\nShe waits."})
    [noted, _] = (await world.owner.ok("GET", f"{path}/events"))["items"]
    assert (noted["type"], noted["actorName"]) == ("customer.noted", world.owner.email)
    assert noted["data"]["note"] == "Jane called.\nShe waits."
    assert await world.owner.ok("GET", path) == jane
    refused = await world.owner.send("POST", f"{path}/notes", {"note": " \n "})
    assert [item["field"] for item in refused.json()["errors"]] == ["note"]


async def test_a_sale_during_a_merge_ends_at_a_customer_that_exists(world: World) -> None:
    kept = await create(world.owner)
    for number in range(6):
        email = f"double{number}@example.com"
        double = await create(world.owner, email=email)
        sell = [
            world.owner.ok("POST", "/api/licenses", license_body(world.product, issuedTo=email))
            for _ in range(4)
        ]
        merge = world.owner.ok(
            "POST", f"/api/customers/{double['id']}/merge", {"intoId": kept["id"]}
        )
        *sold, _ = await asyncio.gather(*sell, merge)
        for item in sold:
            now = await world.owner.ok("GET", f"/api/licenses/{item['id']}")
            await world.owner.ok("GET", f"/api/customers/{now['customerId']}")
            assert now["customerId"] != double["id"]


async def test_the_devices_and_events_of_all_licenses_of_a_customer_are_listed(
    world: World,
) -> None:
    vendor = Vendor(
        world.owner, world.product, {"X-API-KEY": await product_key(world.owner, world.product)}
    )
    licenses = [await vendor.issue("Concurrent"), await vendor.issue("NodeLocked")]
    await vendor.activate(licenses[0], "machine-1")
    await vendor.activate(licenses[1], "machine-2")
    await world.issue(issuedTo="other@example.com")
    path = f"/api/customers/{licenses[0]['customerId']}"
    devices = (await world.owner.ok("GET", f"{path}/activations"))["items"]
    assert [item["hardwareId"] for item in devices] == ["machine-2", "machine-1"]
    events = (await world.owner.ok("GET", f"{path}/events"))["items"]
    kinds = ["activation.created"] * 2 + ["license.created"] * 2 + ["customer.created"]
    assert sorted(item["type"] for item in events) == kinds[:2] + kinds[4:] + kinds[2:4]


async def test_the_portal_link_is_mailed(owner: Owner, platform: Platform) -> None:
    customer = await create(owner, email=f"jane{next(numbers)}@example.com")
    path = f"/api/customers/{customer['id']}/portal-link"
    refused = await owner.send("POST", path)
    assert refused.status_code == 409
    await issue(owner, await make_product(owner), issuedTo=customer["email"].upper())
    for _ in range(5):
        assert (await owner.ok("POST", path))["licenseCount"] == 1
    assert (await owner.send("POST", path)).status_code == 429
    await mail_access(platform)
    async with platform.database.reading() as db:
        found = await db.execute(
            text("SELECT count(*) FROM mails WHERE recipient = :email"),
            {"email": customer["email"]},
        )
        assert found.scalar_one() == 1
    kinds = ["customer.created"] + ["customer.portal_link_sent"] * 5
    assert await events_of(platform, customer) == kinds


async def test_api_keys_need_a_customer_scope(owner: Owner) -> None:
    await create(owner)
    for scope, status in (("Customers.Read", 200), ("Licenses.Write", 403)):
        body = {"name": scope, "scopes": [scope]}
        key = await owner.ok("POST", "/api/api-keys", body)
        headers = {"authorization": f"Bearer {key['secret']}"}
        answer = await owner.client.get("/api/customers", headers=headers)
        assert answer.status_code == status


async def test_customers_are_found_by_their_tags(owner: Owner, platform: Platform) -> None:
    jane = await create(owner, tags=["VIP", "vip", "Beta"])
    await create(owner, email="kim@example.com", tags=["vip"])
    assert jane["tags"] == ["VIP", "Beta"]
    assert await listed(owner, "tag=vip&sort=email") == [JANE["email"], "kim@example.com"]
    assert await listed(owner, "tag=vip&tag=BETA") == await listed(owner, "search=beta")
    assert await owner.ok("GET", "/api/customers/tags") == {"tags": ["Beta", "VIP"]}
    path = f"/api/customers/{jane['id']}"
    assert (await owner.ok("PUT", path, {"tags": ["Late"]}))["tags"] == ["Late"]
    async with platform.database.reading() as db:
        statement = text("SELECT changes FROM events WHERE subject_id = :id ORDER BY id DESC")
        changes = (await db.execute(statement, {"id": jane["id"]})).scalars().first()
    assert changes == {"tags": [["VIP", "Beta"], ["Late"]]}
    assert await listed(owner, "tag=beta") == []
    assert (await owner.ok("PUT", path, {"tags": None}))["tags"] == []
