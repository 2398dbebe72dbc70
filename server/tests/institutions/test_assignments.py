"""What a Member sees: the products and releases that are assigned to them, and nothing else."""

import csv
import io
from typing import Any

import pytest
from catalog.factories import make_product
from institutions.catalogs import (
    Team,
    catalog_reads,
    catalog_writes,
    create_catalog,
    create_team,
    field_of,
    ids,
    issue_licenses,
    reads_of,
    writes_of,
)
from institutions.members import (
    FORBIDDEN,
    NOT_FOUND,
    NewOwner,
    add_member,
    all_rows,
    member,
    member_path,
    outcome,
)
from licenses.factories import license_body
from testkit import Owner

from licet_server.kit.platform import Platform

KINDS = ("overview", "licenses", "activations", "sessions", "meter-usage")


@pytest.fixture
async def team(owner: Owner, new_owner: NewOwner) -> Team:
    return await create_team(owner, await new_owner("Member"))


async def test_lists_show_what_is_assigned(team: Team) -> None:
    user, whole, part = team.member, team.whole, team.part
    assert await ids(user, "/api/products") == sorted([whole.product, part.product])
    of_whole, of_part = f"/api/products/{whole.product}", f"/api/products/{part.product}"
    assert await ids(user, f"{of_whole}/releases") == sorted(whole.releases)
    assert await ids(user, f"{of_part}/releases") == [part.releases[1]]
    for catalog in (whole, part):
        path = f"/api/products/{catalog.product}"
        assert await ids(user, f"{path}/features") == [catalog.feature]
        assert await ids(user, f"{path}/entitlement-sets") == [catalog.entitlements]
    assert await ids(user, "/api/products", search="hidden") == []
    assert await ids(team.owner, f"{of_part}/releases") == sorted(part.releases)


async def test_lists_of_licenses_count_what_is_visible(team: Team) -> None:
    user, seen = team.member, team.seen_licenses()
    assert len(seen) == 8
    assert await ids(user, "/api/licenses") == seen
    for query, expected in (
        ({"productId": team.whole.product}, team.licenses_of["whole"].licenses.values()),
        ({"productId": team.part.product}, team.licenses_of["part"].licenses.values()),
        ({"productId": team.hidden.product}, []),
        ({"type": "Floating"}, [licensed.licenses["Floating"] for licensed in team.seen]),
        ({"status": "Active"}, seen),
        ({"search": "license"}, seen),
        ({"issuedTo": "customer@example.com"}, seen),
    ):
        assert await ids(user, "/api/licenses", **query) == sorted(expected), query
    page = await user.ok("GET", "/api/licenses?pageSize=3&page=3&sort=licenseName")
    assert (len(page["items"]), page["totalCount"]) == (2, 8)
    walked: list[str] = []
    after: str | None = ""
    while after is not None:
        step = await user.ok("GET", f"/api/licenses?pageSize=3&after={after}")
        walked += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert sorted(walked) == seen
    answer = await user.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    assert sorted(row["id"] for row in csv.DictReader(io.StringIO(answer.text))) == seen
    # The key of a license that is not visible finds nothing.
    hidden = await team.owner.ok("GET", f"/api/licenses/{team.unseen[0].licenses['Floating']}")
    assert await ids(user, "/api/licenses", search=hidden["licenseKey"]) == []
    assert await ids(team.owner, "/api/licenses", search=hidden["licenseKey"]) == [hidden["id"]]


@pytest.mark.specification("roles.member")
async def test_member_sees_only_assigned_products_and_releases(team: Team) -> None:
    user = team.member
    for licensed in team.seen:
        for method, path in reads_of(licensed):
            answer = await user.send(method, path, {} if method == "POST" else None)
            assert answer.status_code == 200, (path, answer.text)
    for licensed in team.unseen:
        for method, path in reads_of(licensed):
            answer = await user.send(method, path, {} if method == "POST" else None)
            assert outcome(answer) == NOT_FOUND, path
    for catalog in (team.whole, team.part):
        for path in catalog_reads(catalog):
            assert (await user.send("GET", path)).status_code == 200, path
    for path in catalog_reads(team.hidden):
        assert outcome(await user.send("GET", path)) == NOT_FOUND, path
    for release, seen in (
        *((release, True) for release in team.whole.releases),
        (team.part.releases[1], True),
        (team.part.releases[0], False),
        *((release, False) for release in team.hidden.releases),
    ):
        answer = await user.send("GET", f"/api/releases/{release}")
        assert outcome(answer) == ((200, None) if seen else NOT_FOUND)


@pytest.mark.specification("roles.member")
async def test_member_cannot_change_anything(team: Team, platform: Platform) -> None:
    user = team.member
    before = await all_rows(platform)
    for licenses_of, refusal in ((team.seen, FORBIDDEN), (team.unseen, NOT_FOUND)):
        for licensed in licenses_of:
            for method, path, body in writes_of(licensed):
                assert outcome(await user.send(method, path, body)) == refusal, (method, path)
    for catalog, refusal in (
        (team.whole, FORBIDDEN),
        (team.part, FORBIDDEN),
        (team.hidden, NOT_FOUND),
    ):
        for method, path, body in catalog_writes(catalog):
            assert outcome(await user.send(method, path, body)) == refusal, (method, path)
    for release, refusal in (
        (team.whole.releases[1], FORBIDDEN),
        (team.part.releases[1], FORBIDDEN),
        (team.part.releases[0], NOT_FOUND),
        (team.hidden.releases[1], NOT_FOUND),
    ):
        path = f"/api/releases/{release}"
        assert outcome(await user.send("PUT", path, {"notes": "Mine"})) == refusal
        assert outcome(await user.send("DELETE", path)) == refusal
    assert await all_rows(platform) == before


async def test_a_member_creates_nothing(team: Team, platform: Platform) -> None:
    user = team.member
    before = await all_rows(platform)
    for catalog in (team.whole, team.part):
        answer = await user.send("POST", "/api/licenses", license_body(catalog.vendor.product))
        assert outcome(answer) == FORBIDDEN
    # Invisible and unknown things in a body are refused alike.
    answer = await user.send("POST", "/api/licenses", license_body(team.hidden.vendor.product))
    assert (outcome(answer), field_of(answer)) == ((400, "InvalidRequest"), "productId")
    institution = {"institutionId": team.owner.institution_id}
    for path, body in (
        ("/api/products", {"name": "Mine", "initialVersion": "1", **institution}),
        ("/api/api-keys", {"name": "Mine", "scopes": ["Licenses.Read"], **institution}),
    ):
        assert outcome(await user.send("POST", path, body)) == FORBIDDEN
    of_institution = f"/api/institutions/{team.owner.institution_id}"
    for method, path, payload in (
        ("PUT", of_institution, {"name": "Mine"}),
        ("DELETE", of_institution, None),
        ("GET", f"{of_institution}/audit", None),
    ):
        assert outcome(await user.send(method, path, payload)) == FORBIDDEN, path
    assert await all_rows(platform) == before


async def test_license_counts_are_shown_for_whole_products_only(team: Team) -> None:
    async def counts(user: Owner, **query: str) -> dict[str, Any]:
        listed = await user.ok("GET", "/api/products", params=query)
        return {item["name"]: item["licenseCount"] for item in listed["items"]}

    assert await counts(team.owner) == {"Whole": 4, "Part": 8, "Hidden": 4}
    assert await counts(team.member) == {"Whole": 4, "Part": None}
    shown = await team.member.ok("GET", f"/api/products/{team.part.product}")
    assert shown["licenseCount"] is None
    # Sorting does not reveal it either.
    orders = []
    for _ in range(2):
        orders.append(list(await counts(team.member, sort="licenseCount")))
        for _ in range(5):
            await team.whole.vendor.issue("Perpetual")
    assert orders[0] == orders[1]


async def test_statistics_cover_whole_products_only(team: Team) -> None:
    user, part = team.member, {"productId": team.part.product}
    for kind in KINDS:
        path = f"/api/statistics/{kind}"
        own = await user.ok("GET", path, params={"institutionId": team.owner.institution_id})
        named = await user.ok("GET", path, params={"productId": team.whole.product})
        theirs = await team.owner.ok("GET", path, params={"productId": team.whole.product})
        assert own == named == theirs, kind
        for licensed in (team.licenses_of["part"], *team.unseen):
            for license_id in licensed.licenses.values():
                assert license_id not in str(own)
        assert outcome(await user.send("GET", path, params=part)) == FORBIDDEN
        hidden = {"productId": team.hidden.product}
        assert outcome(await user.send("GET", path, params=hidden)) == NOT_FOUND
    figures = await user.ok("GET", "/api/statistics/overview")
    assert (figures["products"], figures["licenses"]) == (1, 4)
    assert (figures["activations"], figures["liveSessions"]) == (1, 1)
    usage = await user.ok("GET", "/api/statistics/meter-usage")
    assert (usage["meteredCountLicenseCount"], usage["totalBalance"]) == (1, 100)


async def test_a_new_assignment_takes_effect_at_the_next_request(team: Team) -> None:
    owner, user = team.owner, team.member
    path = member_path(owner, user)
    await owner.ok("PUT", path, {"productIds": [team.hidden.product]})
    expected = sorted([team.part.product, team.hidden.product])
    assert await ids(user, "/api/products") == expected
    await owner.ok("PUT", path, {"releaseIds": []})
    assert await ids(user, "/api/products") == [team.hidden.product]
    await owner.ok("PUT", path, {"productIds": []})
    assert await ids(user, "/api/products") == []
    assert await ids(user, "/api/licenses") == []
    await owner.ok("PUT", path, {"role": "Viewer"})
    assert len(await ids(user, "/api/products")) == 3
    assert len(await ids(user, "/api/licenses")) == 16
    await owner.ok("PUT", path, {"role": "Member"})
    assert await ids(user, "/api/products") == []


async def test_a_member_without_assignments_sees_nothing(team: Team, new_owner: NewOwner) -> None:
    user = await add_member(team.owner, await new_owner(), "Member")
    for path in ("/api/products", "/api/licenses"):
        assert await ids(user, path) == []
    for kind in KINDS:
        figures = await user.ok("GET", f"/api/statistics/{kind}")
        assert not any(value for value in figures.values() if isinstance(value, int)), kind
    for catalog in (team.whole, team.part, team.hidden):
        for path in catalog_reads(catalog):
            assert outcome(await user.send("GET", path)) == NOT_FOUND


async def test_deleted_things_are_no_longer_assigned(owner: Owner, new_owner: NewOwner) -> None:
    kept, gone = await make_product(owner), await make_product(owner, name="Gone")
    path = f"/api/products/{kept['id']}/releases"
    beta = await owner.ok("POST", path, {"version": "2", "status": "Draft"})
    user = await add_member(
        owner,
        await new_owner(),
        "Member",
        productIds=[gone["id"]],
        releaseIds=[beta["id"]],
    )
    assert await ids(user, "/api/products") == sorted([kept["id"], gone["id"]])
    await owner.ok("DELETE", f"/api/products/{gone['id']}")
    assert await ids(user, "/api/products") == [kept["id"]]
    await owner.ok("DELETE", f"/api/releases/{beta['id']}")
    assert await ids(user, "/api/products") == []
    shown = await member(owner, user)
    assert (shown["role"], shown["productIds"], shown["releaseIds"]) == ("Member", [], [])


async def test_a_key_sees_what_its_creator_sees(team: Team, new_owner: NewOwner) -> None:
    owner = team.owner
    user = await add_member(owner, await new_owner(), "Admin")
    scopes = ["Licenses.Write", "Products.Write", "Releases.Write", "Activations.Write"]
    body = {"name": "CI", "scopes": scopes, "institutionId": owner.institution_id}
    secret = (await user.ok("POST", "/api/api-keys", body))["secret"]
    key = Owner(user.client, secret, owner.institution_id, user.user_id, user.email)
    assert len(await ids(key, "/api/licenses")) == 16
    assigned = {"productIds": [team.whole.product], "releaseIds": [team.part.releases[1]]}
    await owner.ok("PUT", member_path(owner, user), {"role": "Member", **assigned})
    assert await ids(key, "/api/licenses") == team.seen_licenses()
    assert await ids(key, "/api/products") == sorted([team.whole.product, team.part.product])
    for licenses_of, reading in ((team.seen, (200, None)), (team.unseen, NOT_FOUND)):
        for licensed in licenses_of:
            path = f"/api/licenses/{licensed.licenses['Perpetual']}"
            assert outcome(await key.send("GET", path)) == reading
            assert outcome(await key.send("POST", f"{path}/suspend", {})) == FORBIDDEN


async def test_a_member_sees_everything_in_their_own_institution(team: Team) -> None:
    user = team.member
    own = await create_catalog(user, "Their own")
    await issue_licenses(own, own.releases[0])
    assert len(await ids(user, "/api/products")) == 3
    assert len(await ids(user, "/api/licenses")) == 12
    products = (await user.ok("GET", "/api/products"))["items"]
    assert {item["name"]: item["licenseCount"] for item in products} == {
        "Whole": 4,
        "Part": None,
        "Their own": 4,
    }
    figures = await user.ok("GET", "/api/statistics/overview")
    assert (figures["products"], figures["licenses"]) == (2, 8)
    here = {"institutionId": team.owner.institution_id}
    figures = await user.ok("GET", "/api/statistics/overview", params=here)
    assert (figures["products"], figures["licenses"]) == (1, 4)
    await user.ok("PUT", f"/api/products/{own.product}", {"name": "Changed"})
