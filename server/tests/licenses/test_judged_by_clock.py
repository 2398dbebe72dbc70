"""What lists, portals and releases say of a Test product follows its clock, not the present."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from catalog.associations import associate, remove, tied_product
from catalog.factories import refusal
from licenses.clocks import Clocked
from portal.people import EndUser, make_end_user
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried
from world import World

from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.sessions.service.reading import keep_peaks


@pytest.fixture
async def clocked(owner: Owner, platform: Platform, clock: FakeClock) -> Clocked:
    return await Clocked.of(owner, platform, clock)


@pytest.fixture
async def user(platform: Platform, owner: Owner, fast_passwords: Passwords) -> EndUser:
    return await make_end_user(platform, owner.client, fast_passwords)


async def test_lists_of_several_products_go_by_the_clock_of_each(
    clocked: Clocked, user: EndUser, platform: Platform
) -> None:
    """A released device whose file has ended by one of two clocks is gone from all lists."""
    live = await World.of(clocked.owner, platform, clocked.real)
    licenses = []
    for number, vendor in enumerate((clocked, live)):
        made = await vendor.issue(
            "Concurrent", activationMode="Offline", maxActiveUsersCount=1, issuedTo=user.email
        )
        await vendor.file(made, f"shared-{number}")
        [device] = await user.devices(made)
        assert (await user.release(made, device["id"])).status_code == 204
        licenses.append(made)
    of_tests, sold = licenses
    customer = f"/api/customers/{of_tests['customerId']}/activations"

    async def seen() -> list[list[str]]:
        listed = (await clocked.owner.ok("GET", customer))["items"]
        found = await clocked.owner.ok("GET", "/api/search", params={"q": "shared-"})
        devices = [item["detail"] for group in found["groups"] for item in group["items"]]
        return [sorted(item["hardwareId"] for item in listed), sorted(devices)]

    async def own() -> list[tuple[int, int]]:
        found = {item["id"]: item for item in await user.licenses()}
        return [
            (found[item["id"]]["seatsUsed"], found[item["id"]]["deviceReleasesLeft"])
            for item in licenses
        ]

    assert await seen() == [["shared-0", "shared-1"]] * 2
    [(used, left), other] = await own()
    assert (used, left) == other
    assert used == 1
    await clocked.advance(days=31)
    assert await seen() == [["shared-1"]] * 2
    assert await own() == [(0, left), (1, left)]
    await clocked.advance(days=365)
    assert await own() == [(0, left + 1), (1, left)]
    clocked.real.advance(days=40)
    await clocked.owner.sign_in()
    assert await seen() == [[]] * 2
    assert sold["id"] != of_tests["id"]


async def test_a_clock_that_is_behind_keeps_what_it_has(clocked: Clocked) -> None:
    made = await clocked.issue(
        "Concurrent", activationMode="Offline", issuedTo="ada@customers.example.com"
    )
    await clocked.file(made, "machine-1")
    [device] = await clocked.devices(made)
    await clocked.operate(device, "deactivate")
    clocked.real.advance(days=90)
    await clocked.owner.sign_in()
    listed = await clocked.owner.ok("GET", f"/api/customers/{made['customerId']}/activations")
    assert [item["hardwareId"] for item in listed["items"]] == ["machine-1"]


async def test_an_explanation_and_a_release_go_by_the_clock(clocked: Clocked) -> None:
    made = await clocked.issue("Perpetual", updatesUntil="2030-06-01T00:00:00Z")
    trial = await clocked.issue("Trial", expirationDate="2030-02-01T00:00:00Z")
    await clocked.advance(to="2030-07-01T12:00:00Z")
    explained = await clocked.owner.ok("POST", f"/api/licenses/{trial['id']}/explain", {})
    assert explained["status"] == "Expired"
    body = {"version": "1.1.0", "status": "Published"}
    path = f"/api/products/{clocked.product['id']}/releases"
    release = await clocked.owner.ok("POST", path, body)
    assert release["firstPublishedAt"] == "2030-07-01T12:00:00Z"
    verdict = await clocked.validate(made, appVersion="1.1.0")
    assert verdict["status"] == "ReleaseNotAllowed", "maintenance ended before it was published"
    assert ("2030-07-01T12:00:00Z", "release.published") in await clocked.told()


async def test_sessions_of_a_clock_raise_no_peak_of_the_present(
    clocked: Clocked, platform: Platform
) -> None:
    made = await clocked.issue("Floating", maxActiveUsersCount=2)
    await clocked.advance(days=100)
    await clocked.connected(made)
    await keep_peaks(platform)
    async with unhurried(platform) as db:
        found = await db.execute(
            text("SELECT day FROM session_peaks WHERE license_id = :id"), {"id": made["id"]}
        )
    assert set(found.scalars()) == {date(2030, 4, 25)}


async def test_an_association_ends_when_its_licenses_have_ended_by_the_clock(
    owner: Owner, platform: Platform, clock: FakeClock, new_owner: Callable[..., Any]
) -> None:
    product = await tied_product(owner, mode="Test")
    customer = await new_owner()
    tie = await associate(owner, product, customer)
    made = await owner.ok("POST", "/api/test-clocks", {"productId": product["id"]})
    clocked = Clocked(owner, product, {}, platform, clock, made["id"])
    await clocked.issue(
        "Trial",
        expirationDate="2030-02-01T00:00:00Z",
        customerInstitutionId=customer.institution_id,
    )
    assert refusal(await remove(owner, product, tie)) == (409, "Conflict")
    await clocked.advance(to="2030-02-01T00:00:00Z")
    assert (await remove(owner, product, tie)).status_code == 204
