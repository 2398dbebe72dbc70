"""A customer's new address: their licenses move along, and both addresses get an email."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import refusal
from connectors.factories import Stall, open_stall
from locks import until_it_waits
from portal.people import EndUser, emails_to, make_end_user, new_address
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import World

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.customers.service.customers import MOVES_PER_HOUR, ensure_customer
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform


async def held(world: World, former: str, **fields: Any) -> tuple[dict[str, Any], str]:
    """A license, and the path of its customer."""
    license_ = await world.issue(issuedTo=former, **fields)
    return license_, f"/api/customers/{license_['customerId']}"


@pytest.fixture
async def generic(owner: Owner, platform: Platform, clock: FakeClock) -> Stall:
    return await open_stall(owner, platform, clock, ConnectorKind.GENERIC)


async def end_user(world: World, passwords: Passwords, email: str | None = None) -> EndUser:
    return await make_end_user(world.platform, world.owner.client, passwords, email)


async def receivers(owner: Owner) -> list[str]:
    return [item["issuedTo"] for item in (await owner.ok("GET", "/api/licenses"))["items"]]


async def test_the_licenses_move_and_both_addresses_hear_of_it(world: World) -> None:
    former, new = new_address(), new_address()
    license_, path = await held(world, former.upper())
    gone, _ = await held(world, former)
    await world.owner.ok("POST", f"/api/licenses/{gone['id']}/revoke")
    changed = await world.owner.ok("PUT", path, {"email": new})
    assert (changed["email"], changed["name"], changed["licenseCount"]) == (new, new, 2)
    assert await receivers(world.owner) == [new, new]
    event = (await world.events_of(license_["id"]))[-1]
    assert (event["kind"], event["changes"]) == (
        "license.updated",
        {"issuedTo": [former.upper(), new]},
    )
    event = (await world.events_of(license_["customerId"]))[-1]
    assert (event["kind"], event["data"]["licenses"]) == ("customer.updated", 2)
    for address in (former, new):
        [mail] = [
            item
            for written in (address, address.upper())
            for item in await emails_to(world.platform, written)
        ]
        assert new in (mail.text or "")
        assert "2 licenses" in (mail.text or "")


async def test_the_portal_shows_them_to_the_new_address_only(
    world: World, fast_passwords: Passwords
) -> None:
    old, new = [await end_user(world, fast_passwords) for _ in range(2)]
    license_, path = await held(world, old.email)
    await world.owner.ok("PUT", path, {"email": new.email})
    assert (await old.ok("GET", "/api/portal/licenses"))["items"] == []
    [shown] = (await new.ok("GET", "/api/portal/licenses"))["items"]
    assert shown["id"] == license_["id"]
    await old.sign_in()
    assert (await world.owner.send("POST", f"{path}/portal-link")).status_code == 200


async def test_licenses_stay_where_they_are_not_issued_to_the_address(
    world: World, fast_passwords: Passwords
) -> None:
    former, other, new = [new_address() for _ in range(3)]
    user = await end_user(world, fast_passwords, former)
    _, path = await held(world, former)
    await held(world, user.user_id)
    _, duplicate = await held(world, other)
    into = path.rpartition("/")[2]
    await world.owner.ok("POST", f"{duplicate}/merge", {"intoId": into})
    assert (await world.owner.ok("PUT", path, {"email": new}))["licenseCount"] == 3
    assert sorted(await receivers(world.owner)) == sorted([new, other, user.user_id])


async def test_nothing_moves_when_asked_not_to_or_with_the_same_address(world: World) -> None:
    former, new = new_address(), new_address()
    _, path = await held(world, former)
    for body in ({"email": former.upper()}, {"email": new, "moveLicenses": False}):
        assert (await world.owner.ok("PUT", path, body))["email"] == body["email"]
        assert await receivers(world.owner) == [former]
    assert await emails_to(world.platform, former) == []
    assert await emails_to(world.platform, new) == []
    await world.owner.ok("PUT", path, {"email": new_address()})
    assert await receivers(world.owner) == [former]


async def test_the_address_of_another_customer_is_refused(world: World) -> None:
    (_, path), (taken, _) = [await held(world, new_address()) for _ in range(2)]
    before = await receivers(world.owner)
    answer = await world.owner.send("PUT", path, {"email": taken["issuedTo"].upper()})
    assert refusal(answer) == (409, "Conflict")
    assert await receivers(world.owner) == before


async def test_an_address_gets_a_few_such_mails_an_hour(world: World) -> None:
    new = new_address()
    for _ in range(MOVES_PER_HOUR):
        _, path = await held(world, new_address())
        await world.owner.ok("PUT", path, {"email": new})
        await world.owner.ok("PUT", path, {"email": new_address(), "moveLicenses": False})
    _, path = await held(world, new_address())
    assert refusal(await world.owner.send("PUT", path, {"email": new}))[1] == "RateLimited"


_COPY = text(
    "INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,"
    " normal_key, license_name, issued_to, customer_id, activation_mode, created_at, updated_at)"
    " SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'COPY', 'COPY',"
    " 'Copy', issued_to, customer_id, activation_mode, now(), now() FROM licenses WHERE id = :id"
)


async def test_a_move_waits_for_a_license_that_is_being_issued(world: World) -> None:
    former, new = new_address(), new_address()
    license_, path = await held(world, former)
    async with world.platform.unit_of_work(Origin()) as work:
        institution_id = UUID(world.owner.institution_id)
        await ensure_customer(work, institution_id, former)
        moving = asyncio.create_task(world.owner.ok("PUT", path, {"email": new}))
        await until_it_waits(world.platform, moving)
        await work.db.execute(_COPY, {"id": license_["id"]})
    await moving
    assert await receivers(world.owner) == [new, new]


async def test_licenses_issued_meanwhile_belong_to_who_has_their_address(world: World) -> None:
    former, new = new_address(), new_address()
    license_, path = await held(world, former)
    issuing = [world.issue(issuedTo=former) for _ in range(6)]
    await asyncio.gather(*issuing[:3], world.owner.ok("PUT", path, {"email": new}), *issuing[3:])
    for item in (await world.owner.ok("GET", "/api/licenses"))["items"]:
        is_moved = item["customerId"] == license_["customerId"]
        assert item["issuedTo"] == (new if is_moved else former)


async def test_a_shop_that_names_the_former_address_sells_to_the_customer(generic: Stall) -> None:
    shop, owner, new = generic.shop(), generic.owner, new_address()
    shop.buy()
    order = await generic.sell(shop)
    path = f"/api/customers/{order['customerId']}"
    await owner.ok("PUT", path, {"email": new})
    generic.clock.advance(days=30)
    await owner.sign_in()
    shop.renew()
    order = await generic.sell(shop)
    [renewed] = await generic.licenses(order)
    assert (renewed["issuedTo"], order["customerName"]) == (new, "Jane Doe")
    other = generic.shop()
    other.email = shop.email
    other.buy()
    await generic.deliver(*other.sent)
    await generic.work_off()
    orders = await generic.orders()
    assert len(orders) == 2
    assert {item["customerId"] for item in orders} == {order["customerId"]}
    assert await receivers(owner) == [new, new]
    again = await owner.ok("POST", "/api/customers", {"name": "Heir", "email": shop.email})
    await owner.ok("POST", f"{path}/merge", {"intoId": again["id"]})
    assert (await owner.ok("GET", f"/api/customers/{again['id']}"))["licenseCount"] == 2
