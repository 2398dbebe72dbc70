"""What a Member sees: the products assigned to him, and of others the releases, and no more."""

import csv
import io
from typing import Any

import pytest
from catalog.factories import make_product
from institutions.catalogs import (
    World,
    field_of,
    ids,
    open_shelf,
    open_world,
    reads_of,
    reads_of_shelf,
    stock_up,
    writes_of,
    writes_of_shelf,
)
from institutions.members import (
    FORBIDDEN,
    NOT_FOUND,
    NewOwner,
    all_stored,
    enlist,
    member,
    outcome,
    place,
)
from licenses.factories import license_body
from testkit import Owner

from licet_server.kit.platform import Platform

KINDS = ("overview", "licenses", "activations", "sessions", "meter-usage")


@pytest.fixture
async def world(owner: Owner, new_owner: NewOwner) -> World:
    return await open_world(owner, await new_owner("Member"))


async def test_lists_hold_what_is_assigned(world: World) -> None:
    person, whole, part = world.member, world.whole, world.part
    assert await ids(person, "/api/products") == sorted([whole.product, part.product])
    of_whole, of_part = f"/api/products/{whole.product}", f"/api/products/{part.product}"
    assert await ids(person, f"{of_whole}/releases") == sorted(whole.releases)
    assert await ids(person, f"{of_part}/releases") == [part.releases[1]]
    for shelf in (whole, part):
        path = f"/api/products/{shelf.product}"
        assert await ids(person, f"{path}/features") == [shelf.feature]
        assert await ids(person, f"{path}/entitlement-sets") == [shelf.entitlements]
    assert await ids(person, "/api/products", search="hidden") == []
    assert await ids(world.owner, f"{of_part}/releases") == sorted(part.releases)


async def test_lists_of_licenses_count_what_is_seen(world: World) -> None:
    person, seen = world.member, world.seen_licenses()
    assert len(seen) == 8
    assert await ids(person, "/api/licenses") == seen
    for query, expected in (
        ({"productId": world.whole.product}, world.stocks["whole"].licenses.values()),
        ({"productId": world.part.product}, world.stocks["part"].licenses.values()),
        ({"productId": world.hidden.product}, []),
        ({"type": "Floating"}, [stock.licenses["Floating"] for stock in world.seen]),
        ({"status": "Active"}, seen),
        ({"search": "license"}, seen),
        ({"issuedTo": "customer@example.com"}, seen),
    ):
        assert await ids(person, "/api/licenses", **query) == sorted(expected), query
    page = await person.ok("GET", "/api/licenses?pageSize=3&page=3&sort=licenseName")
    assert (len(page["items"]), page["totalCount"]) == (2, 8)
    walked: list[str] = []
    after: str | None = ""
    while after is not None:
        step = await person.ok("GET", f"/api/licenses?pageSize=3&after={after}")
        walked += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert sorted(walked) == seen
    answer = await person.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    assert sorted(row["id"] for row in csv.DictReader(io.StringIO(answer.text))) == seen
    # A key of a license that is not seen finds nothing.
    hidden = await world.owner.ok("GET", f"/api/licenses/{world.unseen[0].licenses['Floating']}")
    assert await ids(person, "/api/licenses", search=hidden["licenseKey"]) == []
    assert await ids(world.owner, "/api/licenses", search=hidden["licenseKey"]) == [hidden["id"]]


async def test_what_is_assigned_can_be_looked_at_and_all_else_does_not_exist(world: World) -> None:
    person = world.member
    for stock in world.seen:
        for method, path in reads_of(stock):
            answer = await person.send(method, path, {} if method == "POST" else None)
            assert answer.status_code == 200, (path, answer.text)
    for stock in world.unseen:
        for method, path in reads_of(stock):
            answer = await person.send(method, path, {} if method == "POST" else None)
            assert outcome(answer) == NOT_FOUND, path
    for shelf in (world.whole, world.part):
        for path in reads_of_shelf(shelf):
            assert (await person.send("GET", path)).status_code == 200, path
    for path in reads_of_shelf(world.hidden):
        assert outcome(await person.send("GET", path)) == NOT_FOUND, path
    for release, seen in (
        *((release, True) for release in world.whole.releases),
        (world.part.releases[1], True),
        (world.part.releases[0], False),
        *((release, False) for release in world.hidden.releases),
    ):
        answer = await person.send("GET", f"/api/releases/{release}")
        assert outcome(answer) == ((200, None) if seen else NOT_FOUND)


async def test_nothing_is_changed_by_a_member(world: World, platform: Platform) -> None:
    person = world.member
    before = await all_stored(platform)
    for stocks, refusal in ((world.seen, FORBIDDEN), (world.unseen, NOT_FOUND)):
        for stock in stocks:
            for method, path, body in writes_of(stock):
                assert outcome(await person.send(method, path, body)) == refusal, (method, path)
    for shelf, refusal in (
        (world.whole, FORBIDDEN),
        (world.part, FORBIDDEN),
        (world.hidden, NOT_FOUND),
    ):
        for method, path, body in writes_of_shelf(shelf):
            assert outcome(await person.send(method, path, body)) == refusal, (method, path)
    for release, refusal in (
        (world.whole.releases[1], FORBIDDEN),
        (world.part.releases[1], FORBIDDEN),
        (world.part.releases[0], NOT_FOUND),
        (world.hidden.releases[1], NOT_FOUND),
    ):
        path = f"/api/releases/{release}"
        assert outcome(await person.send("PUT", path, {"notes": "Mine"})) == refusal
        assert outcome(await person.send("DELETE", path)) == refusal
    assert await all_stored(platform) == before


async def test_nothing_is_made_by_a_member(world: World, platform: Platform) -> None:
    person = world.member
    before = await all_stored(platform)
    for shelf in (world.whole, world.part):
        answer = await person.send("POST", "/api/licenses", license_body(shelf.shop.product))
        assert outcome(answer) == FORBIDDEN
    # What a body refers to is named, and not told from what does not exist.
    answer = await person.send("POST", "/api/licenses", license_body(world.hidden.shop.product))
    assert (outcome(answer), field_of(answer)) == ((400, "InvalidRequest"), "productId")
    institution = {"institutionId": world.owner.institution_id}
    for path, body in (
        ("/api/products", {"name": "Mine", "initialVersion": "1", **institution}),
        ("/api/api-keys", {"name": "Mine", "scopes": ["Licenses.Read"], **institution}),
    ):
        assert outcome(await person.send("POST", path, body)) == FORBIDDEN
    of_institution = f"/api/institutions/{world.owner.institution_id}"
    for method, path, body in (
        ("PUT", of_institution, {"name": "Mine"}),
        ("DELETE", of_institution, None),
        ("GET", f"{of_institution}/audit", None),
    ):
        assert outcome(await person.send(method, path, body)) == FORBIDDEN, path
    assert await all_stored(platform) == before


async def test_how_many_licenses_a_product_has_is_told_of_whole_ones(world: World) -> None:
    async def counts(person: Owner, **query: str) -> dict[str, Any]:
        listed = await person.ok("GET", "/api/products", params=query)
        return {item["name"]: item["licenseCount"] for item in listed["items"]}

    assert await counts(world.owner) == {"Whole": 4, "Part": 8, "Hidden": 4}
    assert await counts(world.member) == {"Whole": 4, "Part": None}
    shown = await world.member.ok("GET", f"/api/products/{world.part.product}")
    assert shown["licenseCount"] is None
    # Nor is it told by the order.
    orders = []
    for _ in range(2):
        orders.append(list(await counts(world.member, sort="licenseCount")))
        for _ in range(5):
            await world.whole.shop.issue("Perpetual")
    assert orders[0] == orders[1]


async def test_statistics_are_of_whole_products(world: World) -> None:
    person, part = world.member, {"productId": world.part.product}
    for kind in KINDS:
        path = f"/api/statistics/{kind}"
        own = await person.ok("GET", path, params={"institutionId": world.owner.institution_id})
        named = await person.ok("GET", path, params={"productId": world.whole.product})
        theirs = await world.owner.ok("GET", path, params={"productId": world.whole.product})
        assert own == named == theirs, kind
        for stock in (world.stocks["part"], *world.unseen):
            for license_id in stock.licenses.values():
                assert license_id not in str(own)
        assert outcome(await person.send("GET", path, params=part)) == FORBIDDEN
        hidden = {"productId": world.hidden.product}
        assert outcome(await person.send("GET", path, params=hidden)) == NOT_FOUND
    figures = await person.ok("GET", "/api/statistics/overview")
    assert (figures["products"], figures["licenses"]) == (1, 4)
    assert (figures["activations"], figures["liveSessions"]) == (1, 1)
    usage = await person.ok("GET", "/api/statistics/meter-usage")
    assert (usage["meteredCountLicenseCount"], usage["totalBalance"]) == (1, 100)


async def test_the_view_follows_at_the_next_request(world: World) -> None:
    owner, person = world.owner, world.member
    path = place(owner, person)
    await owner.ok("PUT", path, {"productIds": [world.hidden.product]})
    expected = sorted([world.part.product, world.hidden.product])
    assert await ids(person, "/api/products") == expected
    await owner.ok("PUT", path, {"releaseIds": []})
    assert await ids(person, "/api/products") == [world.hidden.product]
    await owner.ok("PUT", path, {"productIds": []})
    assert await ids(person, "/api/products") == []
    assert await ids(person, "/api/licenses") == []
    await owner.ok("PUT", path, {"role": "Viewer"})
    assert len(await ids(person, "/api/products")) == 3
    assert len(await ids(person, "/api/licenses")) == 16
    await owner.ok("PUT", path, {"role": "Member"})
    assert await ids(person, "/api/products") == []


async def test_to_whom_nothing_is_assigned_sees_nothing(world: World, new_owner: NewOwner) -> None:
    person = await enlist(world.owner, await new_owner(), "Member")
    for path in ("/api/products", "/api/licenses"):
        assert await ids(person, path) == []
    for kind in KINDS:
        figures = await person.ok("GET", f"/api/statistics/{kind}")
        assert not any(value for value in figures.values() if isinstance(value, int)), kind
    for shelf in (world.whole, world.part, world.hidden):
        for path in reads_of_shelf(shelf):
            assert outcome(await person.send("GET", path)) == NOT_FOUND


async def test_what_is_deleted_is_assigned_no_more(owner: Owner, new_owner: NewOwner) -> None:
    kept, gone = await make_product(owner), await make_product(owner, name="Gone")
    path = f"/api/products/{kept['id']}/releases"
    beta = await owner.ok("POST", path, {"version": "2", "status": "Draft"})
    person = await enlist(
        owner,
        await new_owner(),
        "Member",
        productIds=[gone["id"]],
        releaseIds=[beta["id"]],
    )
    assert await ids(person, "/api/products") == sorted([kept["id"], gone["id"]])
    await owner.ok("DELETE", f"/api/products/{gone['id']}")
    assert await ids(person, "/api/products") == [kept["id"]]
    await owner.ok("DELETE", f"/api/releases/{beta['id']}")
    assert await ids(person, "/api/products") == []
    shown = await member(owner, person)
    assert (shown["role"], shown["productIds"], shown["releaseIds"]) == ("Member", [], [])


async def test_a_key_sees_what_its_maker_sees(world: World, new_owner: NewOwner) -> None:
    owner = world.owner
    person = await enlist(owner, await new_owner(), "Admin")
    scopes = ["Licenses.Write", "Products.Write", "Releases.Write", "Activations.Write"]
    body = {"name": "CI", "scopes": scopes, "institutionId": owner.institution_id}
    secret = (await person.ok("POST", "/api/api-keys", body))["secret"]
    key = Owner(person.client, secret, owner.institution_id, person.user_id, person.email)
    assert len(await ids(key, "/api/licenses")) == 16
    assigned = {"productIds": [world.whole.product], "releaseIds": [world.part.releases[1]]}
    await owner.ok("PUT", place(owner, person), {"role": "Member", **assigned})
    assert await ids(key, "/api/licenses") == world.seen_licenses()
    assert await ids(key, "/api/products") == sorted([world.whole.product, world.part.product])
    for stocks, reading, writing in (
        (world.seen, (200, None), FORBIDDEN),
        (world.unseen, NOT_FOUND, NOT_FOUND),
    ):
        for stock in stocks:
            path = f"/api/licenses/{stock.licenses['Perpetual']}"
            assert outcome(await key.send("GET", path)) == reading
            assert outcome(await key.send("POST", f"{path}/suspend", {})) == writing


async def test_what_he_owns_elsewhere_he_sees_whole(world: World) -> None:
    person = world.member
    own = await open_shelf(person, "His own")
    await stock_up(own, own.releases[0])
    assert len(await ids(person, "/api/products")) == 3
    assert len(await ids(person, "/api/licenses")) == 12
    products = (await person.ok("GET", "/api/products"))["items"]
    assert {item["name"]: item["licenseCount"] for item in products} == {
        "Whole": 4,
        "Part": None,
        "His own": 4,
    }
    figures = await person.ok("GET", "/api/statistics/overview")
    assert (figures["products"], figures["licenses"]) == (2, 8)
    here = {"institutionId": world.owner.institution_id}
    figures = await person.ok("GET", "/api/statistics/overview", params=here)
    assert (figures["products"], figures["licenses"]) == (1, 4)
    await person.ok("PUT", f"/api/products/{own.product}", {"name": "Changed"})
