"""Associations: who may invite, what is refused, and what an association holds."""

from typing import Any

import pytest
from catalog.associations import (
    ACCEPT,
    PREVIEW,
    accept,
    associate,
    emails_to,
    invite,
    listed,
    one,
    path_of,
    remove,
    tied_product,
)
from catalog.factories import bad_fields, events_of, join, make_product, refusal
from institutions.members import fresh
from licenses.factories import FUTURE, issue
from testkit import FakeClock, Owner

from licet_server.catalog.service.associations import INVITATIONS_PER_HOUR
from licet_server.identity.rules.memberships import Role
from licet_server.kit.clock import system_clock
from licet_server.kit.ids import new_id
from licet_server.kit.platform import Platform


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await tied_product(owner)


@pytest.mark.specification("mission-2")
async def test_an_association_stays_while_its_licenses_live(
    owner: Owner, stranger: Owner, new_owner: Any, product: dict[str, Any], clock: FakeClock
) -> None:
    association = await associate(owner, product, stranger)
    other = await new_owner()
    await associate(owner, product, other)
    customer = {"customerInstitutionId": stranger.institution_id}
    kept = await issue(owner, product, **customer)
    await owner.ok("POST", f"/api/licenses/{kept['id']}/suspend", {})
    revoked = await issue(owner, product, **customer)
    await owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke", {})
    await issue(owner, product, "Trial", **{**customer, "expirationDate": "2030-02-01T00:00:00Z"})
    await issue(owner, product, customerInstitutionId=other.institution_id)

    refused = await remove(owner, product, association)
    assert refusal(refused) == (409, "Conflict")
    assert refused.json()["licenseCount"] == 2
    assert "2 licenses" in refused.json()["detail"]
    clock.advance(days=30)
    await owner.sign_in()
    refused = await remove(owner, product, association)
    assert refused.json()["licenseCount"] == 1
    await owner.ok("POST", f"/api/licenses/{kept['id']}/revoke", {})
    assert (await remove(owner, product, association)).status_code == 204
    shown = await owner.ok("GET", f"/api/products/{product['id']}")
    assert shown["associatedInstitutionIds"] == [other.institution_id]


async def test_license_is_not_revived_without_its_association(
    owner: Owner, stranger: Owner, product: dict[str, Any], clock: FakeClock
) -> None:
    association = await associate(owner, product, stranger)
    customer = {"customerInstitutionId": stranger.institution_id}
    soon = {**customer, "expirationDate": "2030-01-16T00:00:00Z"}
    trial = await issue(owner, product, "Trial", **soon)
    revoked = await issue(owner, product, **customer)
    await owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke", {})
    clock.advance(days=2)
    await owner.sign_in()
    assert (await remove(owner, product, association)).status_code == 204

    path = f"/api/licenses/{trial['id']}"
    extended = await owner.send("PUT", path, {"expirationDate": FUTURE})
    assert bad_fields(extended) == ["customerInstitutionId"]
    converted = await owner.send("POST", f"{path}/convert", {"type": "Perpetual"})
    assert bad_fields(converted) == ["customerInstitutionId"]
    bulk = {"ids": [trial["id"]], "action": "extend", "expirationDate": FUTURE}
    for query in ("", "?dryRun=true"):
        outcome = await owner.ok("POST", f"/api/licenses/bulk{query}", bulk)
        assert [outcome["done"], *(item["errorCode"] for item in outcome["refused"])] == [
            0, "InvalidRequest",
        ]  # fmt: skip
    assert (await owner.ok("GET", path))["status"] == "Expired"
    # What stays expired or revoked can still be annotated.
    assert (await owner.ok("PUT", path, {"notes": "Gone"}))["notes"] == "Gone"
    noted = await owner.ok("PUT", f"/api/licenses/{revoked['id']}", {"notes": "Gone"})
    assert noted["notes"] == "Gone"
    await stranger.sign_in()
    await associate(owner, product, stranger)
    renewed = await owner.ok("PUT", path, {"expirationDate": FUTURE})
    assert renewed["status"] == "Active"


async def test_only_associated_products_take_associations(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    opened = await make_product(owner, "Opened one")
    refused = await owner.send("POST", path_of(opened), {"email": fresh()})
    assert refusal(refused) == (409, "Conflict")
    association = await associate(owner, product, stranger)
    path = f"/api/products/{product['id']}"
    refused = await owner.send("PUT", path, {"accessType": "Opened"})
    assert refusal(refused) == (409, "Conflict")
    assert (await remove(owner, product, association)).status_code == 204
    assert (await owner.ok("PUT", path, {"accessType": "Opened"}))["accessType"] == "Opened"


async def test_a_product_invites_institutions_as_it_is_created(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    ids = [stranger.institution_id, str(new_id(system_clock())), stranger.institution_id]
    product = await tied_product(owner, associatedInstitutionIds=ids)
    assert product["associatedInstitutionIds"] == []
    invited = await listed(owner, product)
    assert {item["institutionId"] for item in invited.values()} == set(ids)
    assert {item["status"] for item in invited.values()} == {"Invited"}
    assert len(await emails_to(platform, stranger.email)) == 1
    [pending] = (await stranger.ok("GET", "/api/associations"))["items"]
    assert (await accept(stranger, pending)).status_code == 200
    own = {"name": "Own", "initialVersion": "1", "accessType": "Associated"}
    for bad in ([owner.institution_id], [str(new_id(system_clock()))] * 21):
        body = {**own, "associatedInstitutionIds": bad}
        refused = await owner.send("POST", "/api/products", body)
        assert refusal(refused) == (400, "InvalidRequest")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["email"]),
        ({"email": None, "institutionId": None}, ["email"]),
        ({"email": "nobody"}, ["email"]),
        ({"email": "a@b.c\x00"}, ["email"]),
        ({"email": "x" * 300 + "@example.com"}, ["email"]),
        ({"email": 5}, ["email"]),
        ({"institutionId": "no"}, ["institutionId"]),
        ({"institutionId": -1}, ["institutionId"]),
        (
            {"email": "a@example.com", "institutionId": str(new_id(system_clock()))},
            ["institutionId"],
        ),
        ({"email": "a@example.com", "role": "Owner"}, ["role"]),
    ],
)
async def test_bad_invitations_name_their_fields(
    owner: Owner, product: dict[str, Any], body: Any, fields: list[str]
) -> None:
    assert bad_fields(await owner.send("POST", path_of(product), body)) == fields
    assert await listed(owner, product) == {}


@pytest.mark.parametrize("token", ["", "x", "x" * 64, "x" * 5_000, 5, None, "nul\x00", [], {}])
async def test_bad_tokens_are_refused(stranger: Owner, token: Any) -> None:
    for path in (ACCEPT, PREVIEW):
        answer = await stranger.send("POST", path, {"token": token})
        assert answer.status_code in {400, 401}, answer.text


async def test_roles_that_may_invite_and_read(
    owner: Owner, new_owner: Any, platform: Platform, product: dict[str, Any]
) -> None:
    invited = await invite(owner, product, email=fresh())
    people = {}
    for role in (Role.ADMIN, Role.MEMBER, Role.VIEWER):
        people[role] = await new_owner()
        await join(platform, owner, people[role], role)
    admin = people.pop(Role.ADMIN)
    assert (await one(admin, product, invited))["inviteUrl"] == invited["inviteUrl"]
    await invite(admin, product, email=fresh())
    for user in people.values():
        assert (await one(user, product, invited))["inviteUrl"] is None
        body = {"email": fresh()}
        assert refusal(await user.send("POST", path_of(product), body)) == (403, "Forbidden")
        assert refusal(await remove(user, product, invited)) == (403, "Forbidden")


async def test_invitations_are_limited(owner: Owner, product: dict[str, Any]) -> None:
    for _ in range(INVITATIONS_PER_HOUR):
        await owner.send("POST", path_of(product), {"institutionId": owner.institution_id})
    refused = await owner.send("POST", path_of(product), {"email": fresh()})
    assert refusal(refused) == (429, "RateLimited")


async def test_both_sides_record_events_with_only_the_name_of_the_other(
    owner: Owner, stranger: Owner, product: dict[str, Any], platform: Platform
) -> None:
    invited = await invite(owner, product, institutionId=stranger.institution_id)
    await owner.ok("POST", f"{path_of(product)}/{invited['id']}/resend")
    pending = (await stranger.ok("GET", "/api/associations"))["items"][0]
    assert (await accept(stranger, pending)).status_code == 200
    assert (await remove(owner, product, invited)).status_code == 204
    recorded = await events_of(platform, invited["id"])
    of_vendor = [item for item in recorded if str(item["institution_id"]) == owner.institution_id]
    of_customer = [item for item in recorded if item not in of_vendor]
    kinds = ["association.invited", "association.accepted", "association.removed"]
    assert [item["kind"] for item in of_customer] == kinds
    assert [item["kind"] for item in of_vendor] == [
        kinds[0], "association.resent", *kinds[1:],
    ]  # fmt: skip
    for item in of_vendor:
        assert stranger.email not in (item["actor_name"], str(item["data"]))
        assert stranger.user_id != str(item["actor_id"])
    for item in of_customer:
        assert str(item["institution_id"]) == stranger.institution_id
        assert owner.institution_id not in str(item["data"])
        assert item["data"]["vendorName"] == f"Institution of {owner.email}"
        assert owner.user_id != str(item["actor_id"])
        by_customer = item["kind"] == "association.accepted"
        assert (item["ip_address"] is not None) == by_customer
    accepted = of_vendor[2]
    assert accepted["data"]["institutionName"] == f"Institution of {stranger.email}"
    assert (accepted["ip_address"], accepted["actor_id"]) == (None, None)


async def test_a_deleted_customer_leaves_no_association(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    await associate(owner, product, stranger)
    await stranger.ok("DELETE", f"/api/institutions/{stranger.institution_id}")
    assert await listed(owner, product) == {}
