"""Associations: an institution is invited, accepts by itself, and is removed when nothing lives."""

from typing import Any

import httpx
import pytest
from catalog.associations import (
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
    token_of,
)
from catalog.factories import bad_fields, join, refusal
from institutions.members import fresh
from licenses.factories import license_body
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.clock import system_clock
from licet_server.kit.ids import new_id
from licet_server.kit.platform import Platform

INVITED_FIELDS = {
    "id", "productId", "status", "institutionId", "institutionName", "email", "inviteUrl",
    "createdAt", "expiresAt", "acceptedAt",
}  # fmt: skip


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await tied_product(owner)


@pytest.mark.specification("mission-2")
async def test_an_institution_becomes_associated_by_accepting(
    owner: Owner, stranger: Owner, product: dict[str, Any], platform: Platform
) -> None:
    address = fresh("buyer")
    invited = await invite(owner, product, email=address.upper())
    assert set(invited) == INVITED_FIELDS
    assert (invited["status"], invited["email"]) == ("Invited", address)
    assert (invited["institutionId"], invited["institutionName"]) == (None, None)
    shown = await owner.ok("GET", f"/api/products/{product['id']}")
    assert shown["associatedInstitutionIds"] == []
    body = license_body(product, customerInstitutionId=stranger.institution_id)
    assert bad_fields(await owner.send("POST", "/api/licenses", body)) == ["customerInstitutionId"]

    [email] = await emails_to(platform, address)
    assert token_of(invited) in str(email.text)
    answer = await accept(stranger, invited)
    assert answer.status_code == 200, answer.text
    accepted = answer.json()
    assert accepted["status"] == "Associated"
    assert accepted["institutionId"] == stranger.institution_id
    assert accepted["productName"] == product["name"]
    assert accepted["vendorName"] == f"Institution of {owner.email}"
    assert owner.institution_id not in answer.text
    assert accepted["productId"] == product["id"]

    association = await one(owner, product, invited)
    assert association["status"] == "Associated"
    assert association["institutionId"] == stranger.institution_id
    assert association["institutionName"] == f"Institution of {stranger.email}"
    assert (association["inviteUrl"], association["expiresAt"]) == (None, None)
    shown = await owner.ok("GET", f"/api/products/{product['id']}")
    assert shown["associatedInstitutionIds"] == [stranger.institution_id]
    assert (await owner.ok("POST", "/api/licenses", body))["status"] == "Active"
    # The vendor's tenant stays closed.
    assert refusal(await stranger.send("GET", f"/api/products/{product['id']}")) == (
        404, "NotFound",
    )  # fmt: skip


async def test_system_admin_must_also_accept_an_invitation(admin: Owner, stranger: Owner) -> None:
    product = await tied_product(admin, "Not by decree", institutionId=admin.institution_id)
    invited = await invite(admin, product, institutionId=stranger.institution_id)
    assert invited["status"] == "Invited"
    body = license_body(product, customerInstitutionId=stranger.institution_id)
    assert bad_fields(await admin.send("POST", "/api/licenses", body)) == ["customerInstitutionId"]
    path = f"/api/products/{product['id']}"
    change = {"associatedInstitutionIds": [stranger.institution_id]}
    assert bad_fields(await admin.send("PUT", path, change)) == ["associatedInstitutionIds"]


async def test_invitation_by_id_reveals_nothing_and_can_be_accepted(
    owner: Owner, stranger: Owner, product: dict[str, Any], platform: Platform
) -> None:
    nowhere = str(new_id(system_clock()))
    unknown = await invite(owner, product, institutionId=nowhere)
    known = await invite(owner, product, institutionId=stranger.institution_id)
    for invited, named in ((unknown, nowhere), (known, stranger.institution_id)):
        assert invited["institutionId"] == named
        assert (invited["status"], invited["institutionName"]) == ("Invited", None)
        assert invited.keys() == unknown.keys()
        assert invited["inviteUrl"]
    [email] = await emails_to(platform, stranger.email)
    assert token_of(known) in str(email.text)

    [received] = (await stranger.ok("GET", "/api/associations"))["items"]
    assert token_of(received) == token_of(known)
    assert received["status"] == "Invited"
    assert owner.institution_id not in str({**received, "acceptUrl": None})
    assert product["id"] not in str({**received, "acceptUrl": None})
    mine = f"/api/associations?institutionId={stranger.institution_id}"
    assert (await stranger.ok("GET", mine))["items"] == [received]
    others = f"/api/associations?institutionId={owner.institution_id}"
    assert refusal(await stranger.send("GET", others)) == (404, "NotFound")
    assert (await accept(stranger, received)).json()["institutionId"] == stranger.institution_id
    assert (await stranger.ok("GET", "/api/associations"))["items"][0]["acceptUrl"] is None


async def test_only_the_invited_institution_accepts_by_its_owner(
    owner: Owner, stranger: Owner, new_owner: Any, platform: Platform, product: dict[str, Any]
) -> None:
    other = await new_owner()
    invited = await invite(owner, product, institutionId=stranger.institution_id)
    assert refusal(await accept(other, invited)) == (403, "Forbidden")
    fields = {"institutionId": other.institution_id}
    assert refusal(await accept(other, invited, **fields)) == (403, "Forbidden")
    fields = {"institutionId": stranger.institution_id}
    assert refusal(await accept(other, invited, **fields)) == (404, "NotFound")
    colleague = await new_owner()
    await join(platform, stranger, colleague, Role.ADMIN)
    assert refusal(await accept(colleague, invited, **fields)) == (403, "Forbidden")
    listing = (await colleague.ok("GET", "/api/associations"))["items"]
    assert [item["acceptUrl"] for item in listing] == [None]
    assert (await accept(stranger, invited)).status_code == 200


async def test_the_oldest_institution_of_the_caller_accepts_by_default(
    owner: Owner, stranger: Owner, product: dict[str, Any], clock: FakeClock
) -> None:
    clock.advance(seconds=1)
    second = (await stranger.ok("POST", "/api/institutions", {"name": "Second"}))["id"]
    invited = await invite(owner, product, email=stranger.email)
    assert (await accept(stranger, invited)).json()["institutionId"] == stranger.institution_id
    invited = await invite(owner, product, email=stranger.email)
    answer = await accept(stranger, invited, institutionId=second)
    assert (answer.json()["institutionId"], answer.json()["institutionName"]) == (second, "Second")


async def test_the_vendors_own_institution_is_refused(
    owner: Owner, product: dict[str, Any]
) -> None:
    own = {"institutionId": owner.institution_id}
    assert bad_fields(await owner.send("POST", path_of(product), own)) == ["institutionId"]
    invited = await invite(owner, product, email=fresh())
    assert bad_fields(await accept(owner, invited)) == ["institutionId"]
    assert bad_fields(await accept(owner, invited, **own)) == ["institutionId"]
    assert (await one(owner, product, invited))["status"] == "Invited"


async def test_institution_cannot_be_associated_twice(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    by_id = {"institutionId": stranger.institution_id}
    pending = await invite(owner, product, **by_id)
    assert refusal(await owner.send("POST", path_of(product), by_id)) == (409, "Conflict")
    association = await associate(owner, product, stranger)
    # The other invitation of the same institution is gone with it.
    assert list(await listed(owner, product)) == [association["id"]]
    assert refusal(await accept(stranger, pending)) == (401, "Unauthorized")
    assert refusal(await owner.send("POST", path_of(product), by_id)) == (409, "Conflict")
    again = await invite(owner, product, email=stranger.email)
    assert refusal(await accept(stranger, again)) == (409, "Conflict")
    assert (await one(owner, product, again))["status"] == "Invited"


async def test_a_link_works_once_and_for_seven_days(
    owner: Owner,
    stranger: Owner,
    client: httpx.AsyncClient,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
) -> None:
    invited = await invite(owner, product, email=stranger.email)
    preview = await client.post(PREVIEW, json={"token": token_of(invited)})
    assert preview.json() == {
        "vendorName": f"Institution of {owner.email}",
        "productName": product["name"],
        "expiresAt": invited["expiresAt"],
        "institutionId": None,
    }
    async with platform.database.reading() as db:
        rows = await db.execute(text("SELECT to_jsonb(a)::text FROM associations a"))
        assert token_of(invited) not in "".join(rows.scalars())
    clock.advance(days=7)
    await owner.sign_in()
    await stranger.sign_in()
    assert refusal(await accept(stranger, invited)) == (401, "Unauthorized")
    expired = await one(owner, product, invited)
    assert (expired["status"], expired["inviteUrl"]) == ("Invited", None)

    resent = await owner.ok("POST", f"{path_of(product)}/{invited['id']}/resend")
    assert resent["id"] == invited["id"]
    assert token_of(resent) != token_of(invited)
    assert len(await emails_to(platform, stranger.email)) == 2
    assert refusal(await accept(stranger, invited)) == (401, "Unauthorized")
    assert (await accept(stranger, resent)).status_code == 200
    assert refusal(await accept(stranger, resent)) == (401, "Unauthorized")
    again = await owner.send("POST", f"{path_of(product)}/{invited['id']}/resend")
    assert refusal(again) == (409, "Conflict")


async def test_expired_invitation_is_replaced_by_a_new_one(
    owner: Owner, product: dict[str, Any], clock: FakeClock
) -> None:
    address = fresh()
    first = await invite(owner, product, email=address)
    again = {"email": address}
    assert refusal(await owner.send("POST", path_of(product), again)) == (409, "Conflict")
    clock.advance(days=7)
    await owner.sign_in()
    second = await invite(owner, product, email=address)
    assert first["id"] != second["id"]
    assert list(await listed(owner, product)) == [second["id"]]


async def test_a_withdrawn_invitation_cannot_be_accepted(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    invited = await invite(owner, product, email=stranger.email)
    assert (await remove(owner, product, invited)).status_code == 204
    assert refusal(await remove(owner, product, invited)) == (404, "NotFound")
    assert refusal(await accept(stranger, invited)) == (401, "Unauthorized")
    assert await listed(owner, product) == {}
