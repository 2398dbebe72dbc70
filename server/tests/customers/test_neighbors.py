"""Erasing a person changes nothing of anybody else, whatever the person is called."""

from typing import Any
from uuid import UUID

import pytest
from applications import ApplicationWith, emptied
from catalog.factories import join
from customers.rows import changed, not_about, rows_of
from customers.scene import Scene, make_scene
from customers.test_personal_data import breaches
from portal.people import make_end_user
from testkit import Owner, numbers
from volumes import is_long
from world import Vendor

from licet_server.app import Application
from licet_server.audit.service.verifying import verify
from licet_server.events.rules.chain import text_digest
from licet_server.events.service.sealing import fetch_secret, seal_events
from licet_server.identity.rules.memberships import Role
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED
from licet_server.worker import dispatch_events


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, all of whose rows are compared."""
    return await emptied(await application_with("fresh"))


@pytest.fixture
async def scene(owner: Owner, platform: Platform, fast_passwords: Passwords, client: Any) -> Scene:
    return await make_scene(owner, platform, fast_passwords, client)


async def member_of(owner: Owner, platform: Platform, passwords: Passwords, role: Role) -> Owner:
    member = await make_end_user(platform, owner.client, passwords)
    await join(platform, owner, member, role)
    await member.sign_in()
    return member


async def sell_to(vendor: Vendor, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A customer of this name with a license whose name has it, too."""
    email = f"word{next(numbers):05}@words.example"
    body = {"name": name, "email": email}
    customer = await vendor.owner.ok("POST", "/api/customers", body)
    license_ = await vendor.issue("Concurrent", licenseName=f"One {name}", issuedTo=email)
    return customer, license_


WORDS = (
    "order",
    "Viewer",
    "127.0.0.1",
    "Concurrent",
    "System",
    "license",
    "licenseName",
    "customer.created",
    "Active",
    "null",
    "2026",
    "a.b",
    "%%%",
    "___",
    r"\u0061",
    '"name"',
    ERASED,
)
"""What an audit log is full of."""


async def test_words_of_a_name_are_not_erased_from_others(
    scene: Scene, stranger: Owner, platform: Platform, fast_passwords: Passwords
) -> None:
    """Two customers, two institutions, members: after each erasure, all of theirs is as it was."""
    vendor, owner = scene.vendor, scene.vendor.owner
    admin = await member_of(owner, platform, fast_passwords, Role.ADMIN)
    await make_scene(stranger, platform, fast_passwords, owner.client)
    for_friend = await admin.ok(
        "POST",
        "/api/licenses",
        {
            "productId": vendor.product["id"],
            "type": "Perpetual",
            "licenseName": "for my friend",
            "issuedTo": "friend@words.example",
        },
    )
    view = {"list": "Licenses", "name": "Every order", "shared": True, "filters": {}}
    await owner.ok("POST", "/api/views", view)
    institution = await owner.ok("GET", f"/api/institutions/{owner.institution_id}")
    theirs = (owner.email, admin.email, stranger.email, "for my friend", institution["name"])
    words = (*WORDS, *theirs, scene.name, scene.email, for_friend["licenseKey"])
    for word in words if is_long() else words[::4]:
        customer, license_ = await sell_to(vendor, word)
        await dispatch_events(platform)
        await seal_events(platform)
        before = await rows_of(platform)
        await owner.ok("POST", f"/api/customers/{customer['id']}/erase", {"licenses": "Keep"})
        after = await rows_of(platform)
        assert not_about(before, after, (customer["id"], license_["id"])) == [], word
        for table, was, left in changed(before, after):
            if table == "events" and left:
                kept = ("actor_name", "actor_id", "ip_address", "occurred_at", "seal", "kind")
                assert [left[name] for name in kept] == [was[name] for name in kept], word
        assert customer["email"] not in str([row for place, row in after.items()])
    assert await breaches(platform, owner.institution_id) == []
    assert (await owner.ok("POST", "/api/meter/reconcile", {}))["mismatches"] == []
    assert (await verify(platform, [], lambda *_: None)).erased > len(words) // 4


async def test_an_address_that_belongs_to_a_member_is_refused(
    scene: Scene, platform: Platform, fast_passwords: Passwords
) -> None:
    """The present address, and a former one."""
    owner = scene.vendor.owner
    admin = await member_of(owner, platform, fast_passwords, Role.ADMIN)
    customer, _ = await sell_to(scene.vendor, "A name")
    path = f"/api/customers/{customer['id']}"
    await owner.ok("PUT", path, {"email": admin.email.upper()})
    body = {"licenses": "Keep"}
    assert (await owner.send("POST", f"{path}/erase", body)).status_code == 409
    await owner.ok("PUT", path, {"email": customer["email"]})
    before = await rows_of(platform)
    assert (await owner.send("POST", f"{path}/erase", body)).status_code == 409
    assert list(changed(before, await rows_of(platform))) == []


async def test_an_address_that_another_customer_has_now_stays_theirs(
    scene: Scene, platform: Platform
) -> None:
    owner = scene.vendor.owner
    first, license_ = await sell_to(scene.vendor, "First")
    change = {"email": "moved@words.example", "moveLicenses": False}
    await owner.ok("PUT", f"/api/customers/{first['id']}", change)
    other = await owner.ok("POST", "/api/customers", {"name": "Next", "email": first["email"]})
    theirs = await scene.vendor.issue("Concurrent", issuedTo=first["email"])
    await owner.ok("POST", f"/api/licenses/{theirs['id']}/send", {})
    await seal_events(platform)
    before = await rows_of(platform)
    await owner.ok("POST", f"/api/customers/{first['id']}/erase", {"licenses": "Keep"})
    after = await rows_of(platform)
    assert not_about(before, after, (first["id"], license_["id"])) == []
    for _, was, left in changed(before, after):
        assert other["id"] not in str(was), (was, left)


async def test_a_dry_run_counts_what_the_erasure_replaces_and_replaces_nothing(
    scene: Scene, platform: Platform
) -> None:
    owner = scene.vendor.owner
    await seal_events(platform)
    # What was requested is stored now, and not between the two.
    await owner.ok("GET", f"/api/licenses/{scene.licenses['Concurrent']['id']}/requests")
    before = await rows_of(platform)
    body = {"licenses": "Keep", "dryRun": True}
    preview = await owner.ok("POST", f"{scene.path}/erase", body)
    assert await rows_of(platform) == before
    assert (preview["name"], preview["dryRun"]) == (scene.name, True)
    assert not {"users", "signIns"} & preview["rows"].keys()
    done = await owner.ok("POST", f"{scene.path}/erase", {**body, "dryRun": False})
    assert (done["name"], done["dryRun"]) == (ERASED, False)
    counted = ("rows", "texts", "textCount")
    assert [done[name] for name in counted] == [preview[name] for name in counted]
    assert {item["text"] for item in done["texts"]} >= {scene.name, scene.email}
    [event] = await recorded(platform, owner, "customer.erased")
    assert (event["actor_name"], event["data"]["rows"]) == (owner.email, done["rows"])
    assert [item["count"] for item in event["data"]["texts"]] == [
        item["count"] for item in done["texts"]
    ]
    secret = await secret_of(platform, owner)
    digests = [item["digest"] for item in event["data"]["texts"]]
    assert digests == [text_digest(secret, item["text"]) for item in done["texts"]]
    assert scene.email not in str(event)


async def recorded(platform: Platform, owner: Owner, kind: str) -> list[dict[str, Any]]:
    return [
        row
        for (table, _), row in (await rows_of(platform)).items()
        if table == "events"
        and (row["kind"], row["institution_id"]) == (kind, owner.institution_id)
    ]


async def secret_of(platform: Platform, owner: Owner) -> bytes:
    async with platform.database.reading() as db:
        found = await fetch_secret(db, platform.keyring, UUID(owner.institution_id))
    assert found
    return found


async def test_only_owners_erase_and_no_key_does(
    scene: Scene, platform: Platform, fast_passwords: Passwords
) -> None:
    owner = scene.vendor.owner
    admin = await member_of(owner, platform, fast_passwords, Role.ADMIN)
    path, body = f"{scene.path}/erase", {"licenses": "Keep"}
    assert (await admin.send("POST", path, body)).status_code == 403
    scopes = ["Customers.Write", "Licenses.Write"]
    key = await owner.ok("POST", "/api/api-keys", {"name": "CRM", "scopes": scopes})
    headers = {"authorization": f"Bearer {key['secret']}"}
    refused = await owner.client.post(path, json=body, headers=headers)
    assert refused.status_code == 403
