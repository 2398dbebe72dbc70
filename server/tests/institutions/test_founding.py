"""Who founds institutions, and which plan they get."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from applications import ApplicationWith, emptied
from catalog.factories import join
from institutions.members import outcome
from licenses.factories import issue, make_product, product_key
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner, client_of

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.users import prepare_setup
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

PATH = "/api/institutions"


@pytest.fixture
async def free(application_with: ApplicationWith, clock: FakeClock) -> Application:
    return await emptied(await application_with(default_plan="Free", signup_open=True))


async def found(owner: Owner) -> httpx.Response:
    return await owner.send("POST", PATH, {"name": "Another"})


async def test_setup_and_sign_up_get_the_default_plan(free: Application) -> None:
    async with free.platform.unit_of_work(Origin()) as work:
        token = await prepare_setup(work)
    account = {"password": PASSWORD, "fullName": "Ada", "institutionName": "Acme"}
    async with client_of(free) as client:
        first = {**account, "setupToken": token, "email": "first@example.com"}
        second = {**account, "email": "second@example.com"}
        for path, body in (("/api/auth/setup", first), ("/api/auth/register", second)):
            session = (await client.post(path, json=body)).raise_for_status().json()
            headers = {"authorization": f"Bearer {session['accessToken']}"}
            [membership] = session["user"]["memberships"]
            shown = await client.get(f"{PATH}/{membership['institutionId']}", headers=headers)
            assert shown.json()["plan"] == "Free"
            assert shown.json()["limits"] == {"products": 3, "licenses": 100}
            another = await client.post(PATH, json={"name": "Another"}, headers=headers)
            assert (another.status_code, another.json()["plan"]) == (201, "Free")


async def test_owner_creates_another_institution_on_the_same_plan(
    owner: Owner, admin: Owner
) -> None:
    plan = f"{PATH}/{owner.institution_id}/plan"
    await admin.ok("PUT", plan, {"plan": "Free", "limits": {"products": 1}})
    made = (await found(owner)).raise_for_status().json()
    assert (made["plan"], made["limits"]) == ("Free", {"products": 1, "licenses": 100})


@pytest.mark.parametrize(("role", "expected"), [("Admin", 201), ("Member", 403), ("Viewer", 403)])
async def test_only_owners_and_admins_create_another_institution(
    owner: Owner, platform: Platform, new_owner: Callable[..., Any], role: str, expected: int
) -> None:
    other = await new_owner("Other")
    async with platform.database.transaction() as db:
        statement = text("DELETE FROM memberships WHERE user_id = :id")
        await db.execute(statement, {"id": other.user_id})
    assert outcome(await found(other)) == (403, "Forbidden")
    await join(platform, owner, other, Role(role))
    assert (await found(other)).status_code == expected


@pytest.mark.specification("service.vendor-flow")
async def test_a_first_hour_leads_from_setup_to_a_valid_license(free: Application) -> None:
    async with free.platform.unit_of_work(Origin()) as work:
        token = await prepare_setup(work)
    account = {"email": "ada@example.com", "password": PASSWORD, "fullName": "Ada"}
    body = {**account, "institutionName": "Acme", "setupToken": token}
    async with client_of(free) as client:
        session = (await client.post("/api/auth/setup", json=body)).raise_for_status().json()
        user = session["user"]
        [membership] = user["memberships"]
        assert (membership["institutionName"], membership["role"]) == ("Acme", "Owner")
        owner = Owner(
            client, session["accessToken"], membership["institutionId"], user["id"], user["email"]
        )
        product = await make_product(owner)
        assert product["institutionId"] == membership["institutionId"]
        license_ = await issue(owner, product)
        asked = {"licenseKey": license_["licenseKey"]}
        headers = {"X-API-KEY": await product_key(owner, product)}
        answer = await client.post("/api/licenses/validate", json=asked, headers=headers)
    assert answer.json()["status"] == "Valid"
