"""Saved views: one's own, those of the institution, and who may change which."""

import asyncio
from typing import Any

import pytest
from catalog.factories import bad_fields, join, refusal
from interleaving import lock_nothing, meet_after
from testkit import Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform
from licet_server.saved_views import service
from licet_server.saved_views.rules import OWN_MAX

PATH = "/api/views"
FILTERS = {"status": "Active", "type": ["Trial", "Subscription"]}


async def save(user: Owner, name: str = "Ending soon", **fields: Any) -> dict[str, Any]:
    body = {"list": "Licenses", "name": name, **fields}
    return dict(await user.ok("POST", PATH, body))


async def names(user: Owner, **query: Any) -> list[str]:
    answer = await user.ok("GET", PATH, params={"sort": "name", **query})
    return [item["name"] for item in answer["items"]]


@pytest.fixture
async def viewer(owner: Owner, stranger: Owner, platform: Platform) -> Owner:
    """A Viewer of the owner's institution, who has one of their own as well."""
    await join(platform, owner, stranger, Role.VIEWER)
    return stranger


def in_institution(owner: Owner) -> dict[str, Any]:
    return {"institutionId": owner.institution_id}


@pytest.mark.specification("find.views")
async def test_a_view_is_saved_changed_and_deleted(owner: Owner) -> None:
    made = await save(owner, filters=FILTERS, columns=["licenseName", "status"], sort="-createdAt")
    path = f"{PATH}/{made['id']}"
    assert made == {
        "id": made["id"],
        "institutionId": owner.institution_id,
        "list": "Licenses",
        "name": "Ending soon",
        "shared": False,
        "filters": FILTERS,
        "columns": ["licenseName", "status"],
        "sort": "-createdAt",
        "mayChange": True,
        "createdAt": "2030-01-15T12:00:00Z",
        "updatedAt": "2030-01-15T12:00:00Z",
    }
    assert await owner.ok("GET", path) == made
    changed = await owner.ok("PUT", path, {"name": "Trials", "columns": None, "filters": {}})
    assert changed == {**made, "name": "Trials", "columns": None, "filters": {}}
    await owner.ok("DELETE", path)
    assert refusal(await owner.send("GET", path)) == (404, "NotFound")


async def test_each_list_has_its_own_views(owner: Owner) -> None:
    await save(owner, "Second")
    await save(owner, "First")
    await save(owner, "First", list="Customers")
    assert await names(owner, list="Licenses") == ["First", "Second"]
    assert await names(owner, list="Customers") == ["First"]
    assert len(await names(owner)) == 3
    assert refusal(await owner.send("GET", PATH, params={"list": "Nothing"})) == (
        400,
        "InvalidRequest",
    )


async def test_names_are_unique_among_own_views_and_among_shared_ones(
    owner: Owner, viewer: Owner
) -> None:
    made = await save(owner)
    await save(owner, shared=True)
    await save(viewer, **in_institution(owner))
    for shared in (False, True):
        again = {"list": "Licenses", "name": "ENDING SOON", "shared": shared}
        assert refusal(await owner.send("POST", PATH, again)) == (409, "Conflict")
    other = await save(owner, "Other")
    for body in ({"name": "ending soon"}, {"name": "Ending soon", "shared": True}):
        answer = await owner.send("PUT", f"{PATH}/{other['id']}", body)
        assert refusal(answer) == (409, "Conflict")
    assert (await owner.ok("PUT", f"{PATH}/{made['id']}", {"name": "ENDING SOON"}))["name"]


async def test_names_that_would_look_alike_are_refused(owner: Owner) -> None:
    made = await save(owner, "  Ending soon ")
    assert made["name"] == "Ending soon"
    for name in ("\u200b", "Ending\u200b soon", "Ending\u00a0soon", "Ending\nsoon", "\u2800"):
        for method, path in (("POST", PATH), ("PUT", f"{PATH}/{made['id']}")):
            body = {"name": name} if method == "PUT" else {"list": "Licenses", "name": name}
            assert bad_fields(await owner.send(method, path, body)) == ["name"], repr(name)


@pytest.mark.specification("find.views")
async def test_others_see_shared_views_and_only_admins_change_them(
    owner: Owner, viewer: Owner
) -> None:
    own, shared = await save(owner, "Mine"), await save(owner, "Ours", shared=True)
    assert await names(viewer, **in_institution(owner)) == ["Ours"]
    assert refusal(await viewer.send("GET", f"{PATH}/{own['id']}")) == (404, "NotFound")
    assert (await viewer.ok("GET", f"{PATH}/{shared['id']}"))["mayChange"] is False
    for method, body in (("PUT", {"name": "Theirs"}), ("DELETE", None)):
        hidden = await viewer.send(method, f"{PATH}/{own['id']}", body)
        refused = await viewer.send(method, f"{PATH}/{shared['id']}", body)
        assert refusal(hidden) == (404, "NotFound")
        assert refusal(refused) == (403, "Forbidden")
    draft: dict[str, Any] = {"list": "Licenses", "name": "Theirs", "shared": True}
    draft |= in_institution(owner)
    assert refusal(await viewer.send("POST", PATH, draft)) == (403, "Forbidden")
    theirs = await save(viewer, "Theirs", **in_institution(owner))
    sharing = await viewer.send("PUT", f"{PATH}/{theirs['id']}", {"shared": True})
    assert refusal(sharing) == (403, "Forbidden")
    # In their own institution they are Owner.
    assert (await save(viewer, "Theirs", shared=True, **in_institution(viewer)))["shared"]


async def test_unshared_view_belongs_to_the_admin_who_unshared_it(
    owner: Owner, viewer: Owner
) -> None:
    shared = await save(owner, shared=True)
    path = f"{PATH}/{shared['id']}"
    assert (await owner.ok("PUT", path, {"shared": False}))["shared"] is False
    assert refusal(await viewer.send("GET", path)) == (404, "NotFound")
    assert (await owner.ok("PUT", path, {"shared": True}))["shared"] is True
    assert (await viewer.ok("GET", path))["name"] == "Ending soon"


async def test_returning_member_finds_their_own_views_again(
    owner: Owner, viewer: Owner, platform: Platform
) -> None:
    own = await save(viewer, "Own", **in_institution(owner))
    members = f"/api/institutions/{owner.institution_id}/members/{viewer.user_id}"
    await owner.ok("PUT", members, {"role": "Admin"})
    shared = await save(viewer, "Shared", shared=True, **in_institution(owner))
    await owner.ok("DELETE", members)
    assert await names(owner) == ["Shared"]
    for view in (own, shared):
        assert refusal(await viewer.send("GET", f"{PATH}/{view['id']}")) == (404, "NotFound")
    await join(platform, owner, viewer, Role.ADMIN)
    assert (await viewer.ok("GET", f"{PATH}/{own['id']}"))["name"] == "Own"
    assert (await viewer.ok("GET", f"{PATH}/{shared['id']}"))["mayChange"]


async def test_a_system_admin_has_views_of_every_institution(owner: Owner, admin: Owner) -> None:
    own = await save(admin, "Mine", **in_institution(owner))
    assert await names(admin, **in_institution(owner)) == ["Mine"]
    assert refusal(await owner.send("GET", f"{PATH}/{own['id']}")) == (404, "NotFound")
    assert (await save(admin, "Ours", shared=True, **in_institution(owner)))["mayChange"]
    assert await names(owner) == ["Ours"]


async def test_invalid_views_are_rejected(owner: Owner) -> None:
    long = "x" * 65
    for body, field in (
        ({"list": "Nothing", "name": "A"}, "list"),
        ({"list": "Licenses", "name": "  "}, "name"),
        ({"list": "Licenses", "name": "A", "filters": {"status": 1}}, "filters"),
        ({"list": "Licenses", "name": "A", "filters": {"status": "x" * 501}}, "filters"),
        ({"list": "Licenses", "name": "A", "filters": {"a": ["b"] * 51}}, "filters.a"),
        ({"list": "Licenses", "name": "A", "columns": [long]}, "columns[0]"),
        ({"list": "Licenses", "name": "A", "columns": ["a"] * 51}, "columns"),
        ({"list": "Licenses", "name": "A", "sort": long}, "sort"),
        (
            {"list": "Licenses", "name": "A", "filters": {str(n): "" for n in range(31)}},
            "filters",
        ),
    ):
        assert bad_fields(await owner.send("POST", PATH, body)) == [field], body
    elsewhere = {"list": "Licenses", "name": "A", "institutionId": owner.user_id}
    assert bad_fields(await owner.send("POST", PATH, elsewhere)) == ["institutionId"]


async def test_number_of_views_is_limited_under_a_race(owner: Owner) -> None:
    for number in range(OWN_MAX - 3):
        await save(owner, f"View {number}")
    answers = await asyncio.gather(
        *(
            owner.send("POST", PATH, {"list": "Licenses", "name": f"Race {number}"})
            for number in range(8)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5
    assert (await owner.ok("GET", PATH))["totalCount"] == OWN_MAX
    await save(owner, "Elsewhere", list="Customers")
    await save(owner, "Shared", shared=True)


async def test_without_the_lock_a_race_would_exceed_the_limit(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(OWN_MAX - 1):
        await save(owner, f"View {number}")
    monkeypatch.setattr(service, "lock_institution", lock_nothing)
    meet_after(monkeypatch, service.storage, "count_like", asyncio.Barrier(4))
    answers = await asyncio.gather(
        *(
            owner.send("POST", PATH, {"list": "Licenses", "name": f"Race {number}"})
            for number in range(4)
        )
    )
    assert [answer.status_code for answer in answers] == [201] * 4


async def test_views_that_search_for_an_erased_customer_are_deleted(owner: Owner) -> None:
    body = {"name": "Ada Lovelace", "email": "ada@studio.example"}
    customer = await owner.ok("POST", "/api/customers", body)
    await save(owner, "By address", filters={"issuedTo": "ADA@studio.example"})
    sought = {"filters": {"customerId": customer["id"]}, "shared": True}
    await save(owner, "Licenses of Ada Lovelace", **sought)
    await save(owner, "Lovelace", shared=True)
    await save(owner, "Others", filters={"issuedTo": "bob@studio.example"})
    body = {"licenses": "Keep"}
    await owner.ok("POST", f"/api/customers/{customer['id']}/erase", body)
    assert sorted(await names(owner)) == ["Lovelace", "Others"], "a name may be anybody's"
