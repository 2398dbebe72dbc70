"""An institution sees the licenses that vendors issued to it, and manages their devices."""

from typing import Any

import pytest
from catalog.associations import RECEIVED, associate
from catalog.factories import bad_fields, join, refusal
from devices.books import events_in
from portal.people import NewEndUser, releases_of
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

HIDDEN = (
    "notes",
    "username",
    "softwareReleaseId",
    "entitlementSetId",
    "institutionId",
    "lowBalanceThreshold",
)


@pytest.fixture
async def tied(owner: Owner, stranger: Owner) -> Vendor:
    """A shop of the owner, associated with the stranger's institution."""
    vendor = await open_vendor(owner, name="Tied", accessType="Associated")
    await associate(owner, vendor.product, stranger)
    return vendor


@pytest.fixture
def to_stranger(stranger: Owner) -> dict[str, Any]:
    return {"customerInstitutionId": stranger.institution_id}


async def received_by(user: Owner, **query: Any) -> list[dict[str, Any]]:
    return list((await user.ok("GET", RECEIVED, params=query))["items"])


async def seated(vendor: Vendor, license_: dict[str, Any], machine: str) -> str:
    answer = await vendor.activate(license_, machine)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["activationId"])


@pytest.mark.specification("mission-2")
async def test_the_customer_sees_key_file_devices_sessions_and_balance(
    tied: Vendor, stranger: Owner, owner: Owner, to_stranger: dict[str, Any]
) -> None:
    seats = await tied.issue("Concurrent", **to_stranger, notes="Haggled hard", tags=["Haggled"])
    floating = await tied.issue("Floating", **to_stranger)
    metered = await tied.issue("MeteredToken", **to_stranger)
    await seated(tied, seats, "machine-1")
    await tied.connected(floating, "machine-2")

    shown = await stranger.ok("GET", f"{RECEIVED}/{seats['id']}")
    assert shown["licenseKey"] == seats["licenseKey"]
    assert (shown["seatsUsed"], shown["maxActiveUsersCount"]) == (1, 3)
    assert shown["institutionName"] == f"Institution of {owner.email}"
    assert shown["customerInstitutionId"] == stranger.institution_id
    assert not [name for name in shown if name.startswith(HIDDEN) and name != "institutionName"]
    assert "Haggled" not in str(shown)
    assert await received_by(stranger, search="haggled") == []
    assert owner.institution_id not in str(shown)
    [device] = (await stranger.ok("GET", f"{RECEIVED}/{seats['id']}/activations"))["items"]
    assert device["hardwareId"] == "machine-1"
    [session] = (await stranger.ok("GET", f"{RECEIVED}/{floating['id']}/sessions"))["items"]
    assert (session["hardwareId"], session["status"]) == ("machine-2", "Live")
    ended = {"status": "Ended"}
    past = await stranger.ok("GET", f"{RECEIVED}/{floating['id']}/sessions", params=ended)
    assert past["items"] == []
    balance = await stranger.ok("GET", f"{RECEIVED}/{metered['id']}/balance")
    assert balance["balance"] == 12.5
    answer = await stranger.send("GET", f"{RECEIVED}/{seats['id']}/balance")
    assert refusal(answer) == (400, "NotMeteredLicense")
    file = await stranger.send("GET", f"{RECEIVED}/{metered['id']}/file")
    assert file.headers["content-disposition"] == 'attachment; filename="license.bin"'
    assert file.content.count(b".") == 2


async def test_the_list_keeps_the_conventions(
    tied: Vendor, stranger: Owner, to_stranger: dict[str, Any], clock: FakeClock
) -> None:
    made = []  # No key has a U.
    for number in range(3):
        made.append(await tied.issue("Perpetual", **to_stranger, licenseName=f"Desk U{number}"))
        clock.advance(seconds=1)
    trial = await tied.issue("Trial", **to_stranger, licenseName="Trial")
    await tied.owner.ok("POST", f"/api/licenses/{made[0]['id']}/revoke", {})
    page = await stranger.ok("GET", RECEIVED, params={"pageSize": 2})
    assert (page["totalCount"], len(page["items"])) == (4, 2)
    walked, after = [], "00000000-0000-0000-0000-000000000000"
    while after:
        part = await stranger.ok("GET", RECEIVED, params={"after": after, "pageSize": 3})
        walked += [item["id"] for item in part["items"]]
        after = part["nextAfter"]
    assert walked == [item["id"] for item in [*made, trial]]
    by_name = [item["licenseName"] for item in await received_by(stranger, sort="-licenseName")]
    assert by_name == ["Trial", "Desk U2", "Desk U1", "Desk U0"]
    assert [item["id"] for item in await received_by(stranger, status="Revoked")] == [made[0]["id"]]
    assert [item["id"] for item in await received_by(stranger, type="Trial")] == [trial["id"]]
    assert [item["id"] for item in await received_by(stranger, search="desk u1")] == [made[1]["id"]]
    own = {"institutionId": stranger.institution_id}
    assert len(await received_by(stranger, **own)) == 4
    other = {"institutionId": tied.owner.institution_id}
    answer = await stranger.send("GET", RECEIVED, params=other)
    assert refusal(answer) == (404, "NotFound")
    assert bad_fields(await stranger.send("GET", RECEIVED, params={"sort": "notes"})) == ["sort"]


async def test_nothing_else_of_the_vendor_is_visible(
    tied: Vendor, stranger: Owner, owner: Owner, new_owner: Any, to_stranger: dict[str, Any]
) -> None:
    other = await new_owner()
    await associate(owner, tied.product, other)
    foreign = await tied.issue("Concurrent", customerInstitutionId=other.institution_id)
    activation = await seated(tied, foreign, "machine-1")
    mine = await tied.issue("Concurrent", **to_stranger)
    assert [item["id"] for item in await received_by(stranger)] == [mine["id"]]
    for below in ("", "/activations", "/sessions", "/balance", "/file"):
        answer = await stranger.send("GET", f"{RECEIVED}/{foreign['id']}{below}")
        assert refusal(answer) == (404, "NotFound")
        # The vendor issued it, and has its own routes for it.
        answer = await owner.send("GET", f"{RECEIVED}/{mine['id']}{below}")
        assert refusal(answer) == (404, "NotFound")
    for license_ in (foreign, mine):
        path = f"{RECEIVED}/{license_['id']}/activations/{activation}"
        assert refusal(await stranger.send("DELETE", path)) == (404, "NotFound")
        path = f"/api/licenses/{license_['id']}"
        assert refusal(await stranger.send("GET", path)) == (404, "NotFound")
    assert len(await tied.devices(foreign)) == 1


async def test_owners_admins_and_viewers_see_and_members_do_not(
    tied: Vendor, stranger: Owner, new_owner: Any, platform: Platform, to_stranger: dict[str, Any]
) -> None:
    license_ = await tied.issue("Concurrent", **to_stranger)
    devices = [await seated(tied, license_, f"machine-{n}") for n in range(2)]
    people = {}
    for role in Role:
        people[role] = await new_owner()
        await join(platform, stranger, people[role], role)
    for role, user in people.items():
        sees = role is not Role.MEMBER
        assert len(await received_by(user)) == sees
        answer = await user.send("GET", f"{RECEIVED}/{license_['id']}")
        assert answer.status_code == (200 if sees else 404)
    path = f"{RECEIVED}/{license_['id']}/activations"
    viewer, member = people[Role.VIEWER], people[Role.MEMBER]
    assert refusal(await viewer.send("DELETE", f"{path}/{devices[0]}")) == (403, "Forbidden")
    assert refusal(await member.send("DELETE", f"{path}/{devices[0]}")) == (404, "NotFound")
    for role, device in zip((Role.OWNER, Role.ADMIN), devices, strict=True):
        answer = await people[role].send("DELETE", f"{path}/{device}")
        assert (answer.status_code, answer.content) == (204, b"")
    assert await tied.devices(license_) == []


async def test_the_limit_of_releases_is_shared_with_the_portal(
    tied: Vendor,
    stranger: Owner,
    new_end_user: NewEndUser,
    platform: Platform,
    to_stranger: dict[str, Any],
) -> None:
    """The limit protects the vendor, so it must not double for a customer with two doors."""
    settings = {"settings": {"deviceReleasesPerYear": 2}}
    await tied.owner.ok("PUT", f"/api/products/{tied.product['id']}", settings)
    user = await new_end_user()
    license_ = await tied.issue("Concurrent", **to_stranger, issuedTo=user.email)
    path = f"{RECEIVED}/{license_['id']}"
    dead = await seated(tied, license_, "dead-1")
    assert (await user.release(license_, dead)).status_code == 204
    assert (await stranger.ok("GET", path))["deviceReleasesLeft"] == 1
    dead = await seated(tied, license_, "dead-2")
    assert (await stranger.send("DELETE", f"{path}/activations/{dead}")).status_code == 204
    dead = await seated(tied, license_, "dead-3")
    answer = await stranger.send("DELETE", f"{path}/activations/{dead}")
    assert refusal(answer) == (409, "Conflict")
    assert len(await releases_of(platform, license_)) == 2
    removed = await events_in(platform, tied, "activation.deleted")
    assert [item["data"]["reason"] for item in removed] == ["EndUser", "Customer"]


async def test_a_customer_who_is_removed_still_sees_what_has_ended(
    tied: Vendor, stranger: Owner, to_stranger: dict[str, Any]
) -> None:
    license_ = await tied.issue("Perpetual", **to_stranger)
    await tied.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke", {})
    path = f"/api/products/{tied.product['id']}/associations"
    [association] = (await tied.owner.ok("GET", path))["items"]
    await tied.owner.ok("DELETE", f"{path}/{association['id']}")
    [shown] = await received_by(stranger)
    assert shown["status"] == "Revoked"
