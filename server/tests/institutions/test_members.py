"""Members: listed, changed and removed by those who may; the last Owner stays."""

from typing import Any
from uuid import UUID

import pytest
from catalog.factories import make_product
from institutions.members import (
    ACCEPT,
    FORBIDDEN,
    NOT_FOUND,
    NOWHERE,
    UNAUTHORIZED,
    NewOwner,
    add_member,
    all_rows,
    at,
    events_of,
    fields,
    invitations_path,
    invite,
    link_token,
    member,
    member_path,
    members_path,
    outcome,
    profile,
    roles,
)
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.catalog.service.lookup import CatalogAssignables
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.service.members import MemberEdit, change_member
from licet_server.institutions.service.operators import OperatorLookup
from licet_server.kit.batching import Batching
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

ROLES = [role.value for role in Role]


async def releases_of(owner: Owner, product: dict[str, Any]) -> list[str]:
    listed = await owner.ok("GET", f"/api/products/{product['id']}/releases")
    return [item["id"] for item in listed["items"]]


async def test_members_are_listed(owner: Owner, new_owner: NewOwner, clock: FakeClock) -> None:
    product = await make_product(owner)
    clock.advance(minutes=1)
    ada = await add_member(
        owner, await new_owner("Ada Lovelace"), "Member", productIds=[product["id"]]
    )
    bob = await add_member(owner, await new_owner("bob_%"), "Viewer")
    listed = await owner.ok("GET", members_path(owner))
    assert listed["totalCount"] == 3
    assert await member(owner, ada) == {
        "userId": ada.user_id,
        "email": ada.email,
        "fullName": "Ada Lovelace",
        "role": "Member",
        "productIds": [product["id"]],
        "releaseIds": [],
        "totpEnabled": False,
        "hasSecondFactor": False,
        "joinedAt": "2030-01-15T12:01:00Z",
    }
    for query, expected in (
        ("search=ADA%20l", [ada]),
        ("search=lovelace", []),
        (f"search={bob.email[:12].upper()}", [bob]),
        ("search=bob_%25", [bob]),
        ("search=b%25b", []),
        ("search=_", []),
        ("role=Viewer", [bob]),
        ("role=Owner", [owner]),
        ("role=Admin", []),
        ("role=Viewer&search=ada", []),
        ("hasSecondFactor=true", []),
        ("hasSecondFactor=false&role=Viewer", [bob]),
    ):
        found = await owner.ok("GET", f"{members_path(owner)}?{query}")
        assert [item["userId"] for item in found["items"]] == [who.user_id for who in expected]
    names = [
        item["fullName"]
        for item in (await owner.ok("GET", f"{members_path(owner)}?sort=fullName"))["items"]
    ]
    assert names == ["Ada Lovelace", "bob_%", "Owner"]
    walked, after = [], ""
    while after is not None:
        step = await owner.ok("GET", f"{members_path(owner)}?pageSize=1&after={after}")
        walked += [item["userId"] for item in step["items"]]
        after = step["nextAfter"]
    assert sorted(walked) == sorted(who.user_id for who in (owner, ada, bob))
    path = f"{members_path(owner)}?role=Member"
    file = await owner.send("GET", path, headers={"accept": "text/csv"})
    [head, line] = file.text.splitlines()
    assert head.startswith("userId,email,fullName,role,")
    assert line.startswith(f"{ada.user_id},{ada.email},Ada Lovelace,Member,")


async def test_all_members_may_list(owner: Owner, new_owner: NewOwner) -> None:
    for role in ROLES:
        user = await add_member(owner, await new_owner(), role)
        assert (await roles(at(owner, user)))[user.user_id] == role


async def test_a_member_does_not_see_assignments_of_invisible_things(
    owner: Owner, new_owner: NewOwner
) -> None:
    seen, hidden = await make_product(owner), await make_product(owner, name="Hidden")
    [of_seen], [of_hidden] = await releases_of(owner, seen), await releases_of(owner, hidden)
    both: dict[str, Any] = {
        "productIds": [seen["id"], hidden["id"]],
        "releaseIds": [of_seen, of_hidden],
    }
    other = await add_member(owner, await new_owner(), "Member", **both)
    user = await add_member(owner, await new_owner(), "Member", productIds=[seen["id"]])
    viewer = await add_member(owner, await new_owner(), "Viewer")
    assert (await member(at(owner, viewer), other))["productIds"] == sorted(both["productIds"])
    shown = await member(at(owner, user), other)
    assert (shown["productIds"], shown["releaseIds"]) == ([seen["id"]], [of_seen])


@pytest.mark.specification("institutions.members")
async def test_roles_and_assignments_are_changed(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    first, second = await make_product(owner), await make_product(owner, name="Second")
    [release] = await releases_of(owner, second)
    user = await add_member(owner, await new_owner("Ada"), "Viewer")
    path = member_path(owner, user)
    ids = sorted([first["id"], second["id"]])
    body = {"role": "Member", "productIds": [*ids, ids[0].upper()], "releaseIds": [release]}
    changed = await owner.ok("PUT", path, body)
    assert (changed["role"], changed["productIds"]) == ("Member", ids)
    assert changed["releaseIds"] == [release]
    assert await member(owner, user) == changed
    # Absent fields stay the same; null removes all.
    assert await owner.ok("PUT", path, {}) == changed
    fewer = await owner.ok("PUT", path, {"productIds": [first["id"]]})
    assert (fewer["productIds"], fewer["releaseIds"]) == ([first["id"]], [release])
    none = await owner.ok("PUT", path, {"releaseIds": None})
    assert (none["productIds"], none["releaseIds"]) == ([first["id"]], [])
    # Another role removes them, and they do not come back.
    assert (await owner.ok("PUT", path, {"role": "Admin", "productIds": []}))["productIds"] == []
    assert (await owner.ok("PUT", path, {"role": "Member"}))["productIds"] == []
    kinds = [event["kind"] for event in await events_of(platform, user.user_id)]
    assert kinds == ["member.joined"] + ["member.updated"] * 5
    event = (await events_of(platform, user.user_id))[1]
    assert event["changes"] == {
        "role": ["Viewer", "Member"],
        "productIds": [[], ids],
        "releaseIds": [[], [release]],
    }
    assert (event["actor_kind"], event["actor_id"]) == ("User", owner.user_id)
    assert event["data"]["email"] == user.email


async def test_bad_assignments_are_named_and_change_nothing(
    owner: Owner, stranger: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    mine, foreign = await make_product(owner), await make_product(stranger)
    [release], [alien] = await releases_of(owner, mine), await releases_of(stranger, foreign)
    user = await add_member(owner, await new_owner(), "Member", productIds=[mine["id"]])
    before = await all_rows(platform)
    path = member_path(owner, user)
    for body, named in (
        ({"productIds": [mine["id"], foreign["id"], NOWHERE]}, ["productIds[1]", "productIds[2]"]),
        ({"releaseIds": [alien, release, NOWHERE]}, ["releaseIds[0]", "releaseIds[2]"]),
        ({"productIds": [release]}, ["productIds[0]"]),
        ({"releaseIds": [mine["id"]]}, ["releaseIds[0]"]),
        ({"productIds": [NOWHERE], "releaseIds": [alien]}, ["productIds[0]", "releaseIds[0]"]),
        ({"role": "Viewer", "productIds": [mine["id"]]}, ["productIds"]),
        ({"role": "Owner", "releaseIds": [release]}, ["releaseIds"]),
        ({"productIds": [NOWHERE] * 1_001}, ["productIds"]),
        ({"releaseIds": ["x"]}, ["releaseIds[0]"]),
        ({"releaseIds": "x"}, ["releaseIds"]),
        ({"role": "King"}, ["role"]),
        ({"role": None}, ["role"]),
        ({"email": "a@example.com"}, ["email"]),
    ):
        answer = await owner.send("PUT", path, body)
        assert [name.replace("[]", "[0]") for name in fields(answer)] == named, body
    foreign_one = (await owner.send("PUT", path, {"productIds": [foreign["id"]]})).json()
    unknown_one = (await owner.send("PUT", path, {"productIds": [NOWHERE]})).json()
    assert foreign_one["errors"] == unknown_one["errors"]
    assert await all_rows(platform) == before


async def test_an_admin_cannot_manage_owners(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    admin = await add_member(owner, await new_owner("Admin"), "Admin")
    other = await add_member(owner, await new_owner("Other"), "Owner")
    viewer = await add_member(owner, await new_owner("Viewer"), "Viewer")
    before = await all_rows(platform)
    for target, body in (
        (admin, {"role": "Owner"}),
        (viewer, {"role": "Owner"}),
        (other, {"role": "Admin"}),
        (other, {"role": "Viewer"}),
        (other, {"role": "Owner"}),
        (other, {}),
    ):
        assert outcome(await admin.send("PUT", member_path(owner, target), body)) == FORBIDDEN, body
    for target in (owner, other):
        assert outcome(await admin.send("DELETE", member_path(owner, target))) == FORBIDDEN
    assert await all_rows(platform) == before
    # They manage everybody else, including other Admins, and may step down themselves.
    for role in ("Admin", "Member", "Viewer"):
        assert (await admin.ok("PUT", member_path(owner, viewer), {"role": role}))["role"] == role
    await admin.ok("DELETE", member_path(owner, viewer))
    assert (await admin.ok("PUT", member_path(owner, admin), {"role": "Viewer"}))[
        "role"
    ] == "Viewer"
    assert (
        outcome(await admin.send("PUT", member_path(owner, admin), {"role": "Admin"})) == FORBIDDEN
    )


@pytest.mark.parametrize("role", ["Member", "Viewer"])
async def test_members_and_viewers_cannot_change_members(
    owner: Owner, new_owner: NewOwner, platform: Platform, role: str
) -> None:
    user = await add_member(owner, await new_owner(), role)
    other = await add_member(owner, await new_owner(), "Viewer")
    before = await all_rows(platform)
    bodies: list[dict[str, Any]] = [{"role": "Viewer"}, {"role": "Owner"}, {"productIds": []}, {}]
    for target in (user, other, owner):
        for body in bodies:
            assert outcome(await user.send("PUT", member_path(owner, target), body)) == FORBIDDEN
    for target in (other, owner):
        assert outcome(await user.send("DELETE", member_path(owner, target))) == FORBIDDEN
    assert outcome(await user.send("DELETE", f"{members_path(owner)}/{NOWHERE}")) == FORBIDDEN
    assert await all_rows(platform) == before


async def test_members_of_other_institutions_do_not_exist(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    before = await all_rows(platform)
    path = member_path(owner, stranger)
    assert outcome(await owner.send("PUT", path, {"role": "Viewer"})) == NOT_FOUND
    assert outcome(await owner.send("DELETE", path)) == NOT_FOUND
    assert await all_rows(platform) == before


async def test_a_role_lost_in_the_meantime_changes_nothing(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    """The request was admitted before the role changed, and is carried out after."""
    admin = await add_member(owner, await new_owner(), "Admin")
    viewer = await add_member(owner, await new_owner(), "Viewer")
    operators = OperatorLookup(platform.database, platform.keyring, platform.clock, Batching())
    operator = await operators.find(admin.token, "203.0.113.9", Role.ADMIN)
    await operators.aclose()
    for change, code in (
        (("PUT", {"role": "Viewer"}), ErrorCode.FORBIDDEN),
        (("DELETE", None), ErrorCode.NOT_FOUND),
    ):
        await owner.ok(change[0], member_path(owner, admin), change[1])
        with pytest.raises(Refused) as caught:
            async with platform.unit_of_work(Origin()) as work:
                await change_member(
                    work,
                    operator,
                    CatalogAssignables(),
                    institution_id=UUID(owner.institution_id),
                    user_id=UUID(viewer.user_id),
                    edit=MemberEdit(role=Role.ADMIN),
                )
        assert caught.value.code is code
    assert (await roles(owner))[viewer.user_id] == "Viewer"


async def test_member_can_be_removed_or_leave(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}"
    for role in ROLES:
        for leaves in (False, True):
            user = await add_member(owner, await new_owner(), role)
            await (user if leaves else owner).ok("DELETE", member_path(owner, user))
            assert outcome(await user.send("GET", path)) == NOT_FOUND
            assert outcome(await user.send("GET", members_path(owner))) == NOT_FOUND
            assert outcome(await user.send("DELETE", member_path(owner, user))) == NOT_FOUND
            event = (await events_of(platform, user.user_id))[-1]
            assert event["kind"] == "member.removed"
            assert event["data"]["reason"] == ("Left" if leaves else "Removed")
            assert event["changes"]["role"] == [role, None]
            assert event["actor_id"] == (user if leaves else owner).user_id
            me = await user.ok("GET", "/api/auth/me")
            assert [held["institutionId"] for held in me["memberships"]] == [user.institution_id]
    assert await roles(owner) == {owner.user_id: "Owner"}


async def test_api_keys_end_with_the_membership(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    product = await make_product(owner)
    user = await add_member(owner, await new_owner(), "Admin")
    keys = {}
    for institution_id in (owner.institution_id, user.institution_id):
        body = {"name": "CI", "scopes": ["Products.Read"], "institutionId": institution_id}
        keys[institution_id] = await user.ok("POST", "/api/api-keys", body)

    async def use(institution_id: str) -> int:
        headers = {"authorization": f"Bearer {keys[institution_id]['secret']}"}
        return (await owner.client.get("/api/products", headers=headers)).status_code

    assert await use(owner.institution_id) == 200
    await owner.ok("PUT", member_path(owner, user), {"role": "Viewer"})
    assert await use(owner.institution_id) == 200
    await owner.ok("DELETE", member_path(owner, user))
    assert await use(owner.institution_id) == 401
    # They do not come back with the user.
    await add_member(owner, user, "Admin")
    assert await use(owner.institution_id) == 401
    assert await use(user.institution_id) == 200
    key_id = keys[owner.institution_id]["id"]
    assert [event["kind"] for event in await events_of(platform, key_id)] == [
        "api_key.created",
        "api_key.revoked",
    ]
    assert (await user.ok("GET", f"/api/products/{product['id']}"))["name"] == "Aurora"


ALL = frozenset(ROLES)


@pytest.mark.parametrize(
    ("role", "step", "ended"),
    [
        ("Owner", {"role": "Admin"}, {"Owner"}),
        ("Owner", {"role": "Member"}, ALL),
        ("Owner", None, ALL),
        ("Admin", {"role": "Viewer"}, ALL - {"Owner"}),
        ("Admin", None, ALL - {"Owner"}),
        ("Member", None, set()),
    ],
)
async def test_links_that_an_admin_could_read_end_with_their_role(
    owner: Owner, new_owner: NewOwner, role: str, step: Any, ended: set[str]
) -> None:
    """Otherwise a removed Admin could come back with another address."""
    user = await add_member(owner, await new_owner(), role)
    invited = {role: await new_owner() for role in ROLES}
    made = {role: await invite(owner, who.email, role) for role, who in invited.items()}
    await owner.ok("DELETE" if step is None else "PUT", member_path(owner, user), step)
    listed = {
        item["id"]: item for item in (await owner.ok("GET", invitations_path(owner)))["items"]
    }
    for role, who in invited.items():
        shown = listed[made[role]["id"]]
        assert (shown["status"], shown["acceptUrl"] is None) == ("Pending", role in ended)
        answer = await who.send("POST", ACCEPT, {"token": link_token(made[role])})
        assert outcome(answer) == (UNAUTHORIZED if role in ended else (200, None)), role
        if role in ended:
            again = await owner.ok("POST", f"{invitations_path(owner)}/{made[role]['id']}/resend")
            await who.ok("POST", ACCEPT, {"token": link_token(again)})


async def test_deleting_an_institution_deletes_its_members(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    user = await add_member(owner, await new_owner(), "Member")
    token = link_token(await invite(owner, "late@example.com"))
    await owner.ok("DELETE", f"/api/institutions/{owner.institution_id}")
    assert outcome(await user.send("GET", members_path(owner))) == NOT_FOUND
    answer = await owner.client.post(ACCEPT, json=profile(token))
    assert outcome(answer) == UNAUTHORIZED
    async with platform.database.reading() as db:
        for table in ("memberships", "invitations"):
            count = text(f"SELECT count(*) FROM {table} WHERE institution_id = :id")
            assert (await db.execute(count, {"id": owner.institution_id})).scalar_one() == 0
