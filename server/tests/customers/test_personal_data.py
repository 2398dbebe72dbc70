"""A person is exported, and erased: their name and address are nowhere in a dump afterwards."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from applications import ApplicationWith, emptied
from catalog.factories import join
from customers.dump import dump_of, lines_with
from customers.scene import Scene, make_scene
from identity.test_step_up import grow_old
from licenses.factories import issue, make_product
from locks import until_it_waits
from sqlalchemy import text
from testkit import FakeClock, Owner, numbers

from licet_server.app import Application
from licet_server.audit.service.verifying import verify
from licet_server.customers.storage import lock_for_removal
from licet_server.events.service.sealing import seal_events
from licet_server.identity.rules.memberships import Role
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED, ERASED_ADDRESS


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, which is dumped."""
    return await emptied(await application_with("fresh"))


@pytest.fixture
async def scene(owner: Owner, platform: Platform, fast_passwords: Passwords, client: Any) -> Scene:
    return await make_scene(owner, platform, fast_passwords, client)


async def breaches(platform: Platform, institution_id: str) -> list[Any]:
    await seal_events(platform)
    found = await verify(platform, [], lambda *_: None)
    return [item for item in found.breaches if str(item.institution_id) == institution_id]


async def test_an_export_has_everything(scene: Scene) -> None:
    for item in scene.licenses.values():
        await scene.vendor.owner.ok("GET", f"/api/licenses/{item['id']}/requests")  # stores them
    export = await scene.vendor.owner.ok("GET", f"{scene.path}/export")
    assert export["customer"]["name"] == scene.name
    records = export["records"]
    assert {item["id"] for item in records["licenses"]} == {
        item["id"] for item in scene.licenses.values()
    }
    named = {name for name, rows in records.items() if scene.name in str(rows)}
    assert named == {
        "licenses",
        "activations",
        "licenseRequests",
        "offlineRequests",
        "sessions",
        "meterEntries",
        "events",
    }
    assert len(records["accessAttempts"]) == 1
    assert records["telemetryEvents"][0]["properties"] == {"by": scene.email}
    assert not {"signIns", "passkeys"} & records.keys()
    assert "hash" not in str(export).lower()


async def test_an_export_has_the_devices_that_used_a_trial(scene: Scene) -> None:
    owner, product = scene.vendor.owner, scene.vendor.product
    settings = {"settings": {"trialOncePerDevice": True}}
    await owner.ok("PUT", f"/api/products/{product['id']}", settings)
    trial = await scene.vendor.issue("Trial", issuedTo=scene.email)
    assert (await scene.vendor.activate(trial, "m1")).is_success
    [used] = (await owner.ok("GET", f"{scene.path}/export"))["records"]["trialDevices"]
    assert (used["licenseId"], used["hardwareId"]) == (trial["id"], "m1")
    await scene.erase("Keep")
    again = await scene.vendor.issue("Trial")
    assert (await scene.vendor.activate(again, "m1")).status_code == 403


async def test_requests_that_waited_while_a_customer_was_erased_do_not_name_them(
    scene: Scene, platform: Platform
) -> None:
    await scene.erase("Keep")
    license_ = scene.licenses["NodeLocked"]
    await scene.vendor.validate(license_, "m1", deviceName=f"{scene.name}'s laptop")
    path = f"/api/licenses/{license_['id']}/requests"
    rows = (await scene.vendor.owner.ok("GET", path))["items"]
    assert len(rows) == 2
    assert {item["deviceName"] for item in rows} == {None}


@pytest.fixture
def requests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests wait until somebody asks for them, however long a test takes."""
    monkeypatch.setattr("licet_server.devices.service.requests._FLUSH_SECONDS", 600.0)


@pytest.mark.usefixtures("requests_wait")
async def test_requests_are_stored_after_an_erasure_that_has_begun(
    scene: Scene, platform: Platform
) -> None:
    path = f"/api/licenses/{scene.licenses['NodeLocked']['id']}/requests"
    async with platform.database.transaction() as db:
        statement = "UPDATE customers SET email = :email WHERE id = :id"
        await lock_for_removal(
            db, UUID(scene.vendor.owner.institution_id), [UUID(scene.customer["id"])]
        )
        given = {
            "id": UUID(scene.customer["id"]),
            "email": f"{scene.customer['id']}@erased.invalid",
        }
        await db.execute(text(statement), given)
        storing = asyncio.create_task(scene.vendor.owner.ok("GET", path))
        await until_it_waits(platform, storing)
    assert {item["deviceName"] for item in (await storing)["items"]} == {None}


async def test_a_dump_has_nothing_of_an_erased_customer(scene: Scene, platform: Platform) -> None:
    owner, texts = scene.vendor.owner, (scene.name, scene.email)
    assert len(lines_with(dump_of(platform), *texts)) > 20
    balance = scene.licenses["MeteredToken"]["meterBalance"] + 5
    left = await scene.erase("Keep")
    assert (left["name"], left["email"]) == (ERASED, f"{left['id']}@erased.invalid")
    assert left["licenseCount"] == 5
    assert lines_with(dump_of(platform), *texts) == []
    assert await breaches(platform, owner.institution_id) == []
    assert (await owner.ok("POST", "/api/meter/reconcile", {}))["mismatches"] == []
    metered = await scene.vendor.read(scene.licenses["MeteredToken"])
    assert (metered["meterBalance"], metered["status"]) == (balance, "Active")
    assert (metered["issuedTo"], metered["customerId"]) == (ERASED_ADDRESS, left["id"])
    assert (await scene.vendor.validate(scene.licenses["NodeLocked"], "m1"))["valid"]
    assert (await scene.user.send("GET", "/api/portal/licenses")).status_code == 401
    again = await scene.erase("Keep")
    assert again["email"] == left["email"]
    assert await breaches(platform, owner.institution_id) == []


async def test_the_licenses_of_an_erased_customer_are_revoked_if_asked_for(
    scene: Scene, platform: Platform
) -> None:
    await scene.erase("Revoke")
    for license_ in scene.licenses.values():
        assert (await scene.vendor.read(license_))["status"] == "Revoked"
    assert lines_with(dump_of(platform), scene.name, scene.email) == []
    assert await breaches(platform, scene.vendor.owner.institution_id) == []


async def test_other_customers_and_other_vendors_keep_what_is_theirs(
    scene: Scene, stranger: Owner, platform: Platform
) -> None:
    """The account stays, since another vendor has issued a license to it."""
    other = await issue(scene.vendor.owner, scene.vendor.product, issuedTo="other@quill.example")
    foreign = await issue(stranger, await make_product(stranger), issuedTo=scene.email)
    await scene.erase("Keep")
    assert (await scene.vendor.read(other))["issuedTo"] == "other@quill.example"
    [seen] = await scene.user.licenses()
    assert (seen["id"], seen["issuedTo"]) == (foreign["id"], scene.email)
    assert await breaches(platform, stranger.institution_id) == []
    async with platform.database.reading() as db:
        said = await db.execute(
            text("SELECT data::text || changes::text FROM events WHERE institution_id = :i"),
            {"i": UUID(scene.vendor.owner.institution_id)},
        )
        assert not [row for row in said.scalars() if row and scene.email in row.lower()]


async def test_former_names_and_merged_duplicates_are_erased_as_well(
    scene: Scene, platform: Platform
) -> None:
    owner = scene.vendor.owner
    double = {"name": f"Doubled {scene.name}", "email": f"double.{scene.email}"}
    other = await owner.ok("POST", "/api/customers", double)
    former = f"Formerly-{next(numbers):05}"
    await owner.ok("PUT", f"/api/customers/{other['id']}", {"name": former})
    await owner.ok("PUT", f"/api/customers/{other['id']}", {"name": double["name"]})
    merge = {"intoId": scene.customer["id"]}
    await owner.ok("POST", f"/api/customers/{other['id']}/merge", merge)
    words = {"reason": f"{former} has paid"}
    await owner.ok("POST", f"/api/licenses/{scene.licenses['Floating']['id']}/suspend", words)
    await seal_events(platform)
    await scene.erase("Keep")
    assert lines_with(dump_of(platform), scene.name, scene.email, former) == []
    assert await breaches(platform, owner.institution_id) == []


async def test_members_and_invited_people_are_not_erased(
    scene: Scene, owner: Owner, platform: Platform
) -> None:
    invitations = f"/api/institutions/{owner.institution_id}/invitations"
    invited = await owner.ok("POST", invitations, {"email": scene.email, "role": "Viewer"})
    path, body = f"{scene.path}/erase", {"licenses": "Keep"}
    refused = await owner.send("POST", path, body)
    assert (refused.status_code, refused.json()["errorCode"]) == (409, "Conflict")
    await owner.ok("DELETE", f"{invitations}/{invited['id']}")
    await join(platform, owner, scene.user, Role.VIEWER)
    refused = await owner.send("POST", path, body)
    assert (refused.status_code, refused.json()["errorCode"]) == (409, "Conflict")
    await owner.ok(
        "DELETE", f"/api/institutions/{owner.institution_id}/members/{scene.user.user_id}"
    )
    await owner.ok("POST", path, body)
    assert lines_with(dump_of(platform), scene.name, scene.email) == []


async def test_erasing_needs_a_fresh_proof(scene: Scene, clock: FakeClock) -> None:
    await grow_old(scene.vendor.owner, clock)
    refused = await scene.vendor.owner.send("POST", f"{scene.path}/erase", {"licenses": "Keep"})
    assert (refused.status_code, refused.json()["errorCode"]) == (403, "StepUpRequired")
