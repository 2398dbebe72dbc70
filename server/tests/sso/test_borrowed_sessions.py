"""What a provider's session leaves behind in an account that is more than its institution's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import join
from identity.authenticator import Authenticator
from identity.people import (
    account_of,
    code,
    login,
    mailed_token,
    reset_token,
    signed_in_again,
)
from licenses.factories import issue, make_product
from sqlalchemy import text
from sso.company import Company, browser, member, outcome, sign_in
from testkit import PASSWORD, FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import Proof, ProofMethod, SignedInUser
from licet_server.identity.service.account_security import offer_second_factor
from licet_server.identity.storage.users import update_password_hash
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin

if TYPE_CHECKING:
    from licet_server.app import Application
    from licet_server.kit.platform import Platform

NEW_PASSWORD = "another horse battery"

ACTS: dict[str, tuple[str, str, Any]] = {
    "a passkey is offered": ("POST", "/api/auth/passkeys/options", None),
    "an authenticator app is offered": ("POST", "/api/auth/totp", None),
    "an authenticator app is confirmed": ("POST", "/api/auth/totp/confirm", {"otpCode": "000000"}),
    "the app is turned off": ("DELETE", "/api/auth/totp", {"otpCode": "000000"}),
    "recovery codes are renewed": ("POST", "/api/auth/totp/recovery-codes", {"otpCode": "000000"}),
    "the password is changed": (
        "POST",
        "/api/auth/password",
        {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD},
    ),
    "the name is changed": ("PUT", "/api/auth/me", {"fullName": "Somebody Else"}),
    "preferences are changed": (
        "PUT",
        "/api/notifications/preferences",
        {"LowBalance": {"email": False}},
    ),
    "an institution is founded": ("POST", "/api/institutions", {"name": "Founded"}),
}


async def move_to(platform: Platform, employee: Owner, email: str) -> None:
    """Give the person an address in the company."""
    employee.email = email
    async with platform.database.transaction() as db:
        statement = text("UPDATE users SET email = :email WHERE id = :id")
        await db.execute(statement, {"email": email, "id": UUID(employee.user_id)})


@asynccontextmanager
async def through(
    company: Company, application: Application, email: str, **claims: Any
) -> AsyncIterator[Owner]:
    """Sign in as the address through the company's provider."""
    company.idp.user = {"sub": f"id-of-{email}", "email": email, "name": "Ada", **claims}
    async with browser(application) as client:
        yield await member(client, await sign_in(client, company.idp, email))


@pytest.fixture
async def victim(company: Company, new_owner: Callable[..., Any], platform: Platform) -> Owner:
    """An Owner elsewhere, with a password, whose address is in the company's domain."""
    employee: Owner = await new_owner("Alice")
    await move_to(platform, employee, f"alice@{company.domain}")
    return employee


@pytest.mark.parametrize("act", ACTS)
async def test_a_provider_changes_nothing_of_an_account_that_is_not_its_own(
    company: Company, application: Application, platform: Platform, victim: Owner, act: str
) -> None:
    async with through(company, application, victim.email) as borrowed:
        before = await account_of(platform, victim)
        refused = await borrowed.send(*ACTS[act])
        assert outcome(refused) == (403, "Forbidden")
        assert refused.json()["requires"] == "OwnSignIn"
        assert "password or a passkey" in refused.json()["detail"]
        assert await account_of(platform, victim) == before
    assert (await login(victim.client, victim.email)).status_code == 200


async def test_provider_cannot_take_over_a_system_admin(
    company: Company, application: Application, platform: Platform
) -> None:
    await move_to(platform, company.admin, f"root@{company.domain}")
    async with through(company, application, company.admin.email) as borrowed:
        refused = await borrowed.send("POST", "/api/auth/passkeys/options")
        assert outcome(refused) == (403, "Forbidden")


async def test_a_provider_ends_and_sees_its_own_sessions_only(
    company: Company, application: Application, victim: Owner
) -> None:
    async with through(company, application, victim.email) as borrowed:
        listed = await borrowed.ok("GET", "/api/auth/sessions")
        assert [item["current"] for item in listed["items"]] == [True]
        [own] = [
            item["id"]
            for item in (await victim.ok("GET", "/api/auth/sessions"))["items"]
            if item["current"]
        ]
        refused = await borrowed.send("DELETE", f"/api/auth/sessions/{own}")
        assert outcome(refused) == (404, "NotFound")
        await borrowed.ok("DELETE", "/api/auth/sessions")
        assert outcome(await borrowed.send("GET", "/api/auth/me")) == (401, "Unauthorized")
        assert (await victim.send("GET", "/api/auth/me")).status_code == 200


async def test_invitation_elsewhere_requires_own_session(
    company: Company, application: Application, victim: Owner, new_owner: Callable[..., Any]
) -> None:
    other = await new_owner("Other")
    invited = await other.ok(
        "POST",
        f"/api/institutions/{other.institution_id}/invitations",
        {"email": victim.email, "role": "Admin"},
    )
    body = {"token": invited["acceptUrl"].partition("token=")[2]}
    async with through(company, application, victim.email) as borrowed:
        refused = await borrowed.send("POST", "/api/auth/accept-invitation", body)
        assert outcome(refused) == (403, "Forbidden")
        assert refused.json()["requires"] == "OwnSignIn"
    again = await signed_in_again(victim)
    assert (await again.send("POST", "/api/auth/accept-invitation", body)).status_code == 200


async def test_the_portal_shows_a_provider_the_licenses_of_its_institution_only(
    company: Company, application: Application, victim: Owner, new_owner: Callable[..., Any]
) -> None:
    vendor = await new_owner("Vendor")
    product = await make_product(vendor)
    theirs = await issue(vendor, product, "Perpetual", issuedTo=victim.email)
    metered = await issue(vendor, product, "MeteredToken", issuedTo=victim.email)
    own_product = await make_product(company.owner)
    ours = await issue(company.owner, own_product, "MeteredToken", issuedTo=victim.email)
    async with through(company, application, victim.email) as borrowed:
        listed = await borrowed.ok("GET", "/api/portal/licenses")
        assert [item["id"] for item in listed["items"]] == [ours["id"]]
        for path in (f"/{theirs['id']}", f"/{theirs['id']}/file", f"/{metered['id']}/balance"):
            hidden = await borrowed.send("GET", f"/api/portal/licenses{path}")
            assert outcome(hidden) == (404, "NotFound"), path
        hidden = await borrowed.send("GET", f"/api/meter/balance/{metered['id']}")
        assert hidden.status_code in {403, 404}
        vendors = (await borrowed.ok("GET", "/api/portal/vendors"))["vendors"]
        assert [item["institutionId"] for item in vendors] == [company.owner.institution_id]
    everything = (await victim.ok("GET", "/api/portal/licenses"))["items"]
    assert len(everything) == 3


async def test_provider_cannot_take_over_unverified_account_of_other_institutions(
    company: Company, application: Application, platform: Platform, victim: Owner
) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET email_verified_at = NULL WHERE id = :id"),
            {"id": UUID(victim.user_id)},
        )
    before = await account_of(platform, victim)
    company.idp.user = {"sub": "x", "email": victim.email}
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, victim.email)
        assert outcome(answer) == (403, "Forbidden")
        assert answer.json()["reason"] == "unproven"
    assert await account_of(platform, victim) == before
    assert (await victim.send("GET", "/api/auth/me")).status_code == 200


@asynccontextmanager
async def provided(
    company: Company, application: Application, name: str = "ada"
) -> AsyncIterator[Owner]:
    """A person whose account exists for the provider only, with a verified address."""
    email = f"{name}@{company.domain}"
    async with through(company, application, email) as employee:
        token = await mailed_token(application.platform, email)
        sent = await employee.client.post("/api/auth/verify-email", json={"token": token})
        assert sent.status_code == 204
        yield employee


async def enroll(employee: Owner) -> Authenticator:
    options = await employee.ok("POST", "/api/auth/passkeys/options")
    made = Authenticator()
    body = {"name": "Key", "credential": made.create(options)}
    await employee.ok("POST", "/api/auth/passkeys/register", body)
    return made


async def use(client: httpx.AsyncClient, made: Authenticator) -> httpx.Response:
    """Sign in with a passkey alone."""
    options = (await client.post("/api/auth/passkeys/sign-in/options")).json()
    body = {"credential": made.get(options)}
    return await client.post("/api/auth/passkeys/sign-in/verify", json=body)


async def test_an_account_that_exists_for_a_provider_only_changes_itself(
    company: Company, application: Application
) -> None:
    async with provided(company, application) as employee:
        await employee.ok("PUT", "/api/auth/me", {"fullName": "Ada Lovelace"})
        made = await enroll(employee)
        options = await employee.ok("POST", "/api/auth/step-up/options")
        await employee.ok("POST", "/api/auth/step-up", {"passkey": made.get(options)})
        founding = await employee.send("POST", "/api/institutions", {"name": "Founded"})
        assert founding.json()["requires"] == "OwnSignIn"


async def test_a_factor_that_a_provider_enrolled_opens_no_session(
    company: Company, application: Application, client: httpx.AsyncClient
) -> None:
    """It would outlive the provider's word, and single sign-on where that is enforced."""
    async with provided(company, application) as employee:
        made = await enroll(employee)
        answer = await use(client, made)
        assert outcome(answer) == (403, "SsoRequired")


async def test_a_factor_that_a_provider_enrolled_ends_with_the_first_password(
    company: Company, application: Application, clock: FakeClock, client: httpx.AsyncClient
) -> None:
    """Whoever ran the provider can neither lock the person out nor come in beside them."""
    async with provided(company, application) as employee:
        made = await enroll(employee)
        options = await employee.ok("POST", "/api/auth/step-up/options")
        await employee.ok("POST", "/api/auth/step-up", {"passkey": made.get(options)})
        offered = await employee.ok("POST", "/api/auth/totp")
        await employee.ok(
            "POST", "/api/auth/totp/confirm", {"otpCode": code(offered["secret"], clock)}
        )
        token = await reset_token(application.platform, employee)
        body = {"token": token, "password": NEW_PASSWORD}
        assert (await client.post("/api/auth/password-reset/confirm", json=body)).is_success
        assert (await login(client, employee.email, NEW_PASSWORD)).status_code == 200
        assert outcome(await use(client, made)) == (401, "InvalidCredentials")
    async with through(company, application, employee.email) as borrowed:
        refused = await borrowed.send("POST", "/api/auth/totp")
        assert refused.json()["requires"] == "OwnSignIn"


@pytest.mark.parametrize("where", ["a membership", "a license"])
async def test_account_used_elsewhere_does_not_exist_for_the_provider_alone(
    company: Company,
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    where: str,
) -> None:
    other = await new_owner("Other")
    async with provided(company, application) as employee:
        if where == "a membership":
            await join(platform, other, employee, Role.VIEWER)
        else:
            await issue(other, await make_product(other), "Perpetual", issuedTo=employee.email)
        refused = await employee.send("POST", "/api/auth/totp")
        assert refused.json()["requires"] == "OwnSignIn"


async def test_a_password_that_was_set_meanwhile_stops_an_enrollment(
    company: Company, application: Application
) -> None:
    """Access was checked before: the check is made again where the user is locked."""
    platform = application.platform
    async with provided(company, application) as employee:
        user = SignedInUser(
            user_id=UUID(employee.user_id),
            email=employee.email,
            email_verified=True,
            is_system_admin=False,
            sign_in_id=UUID(int=1),
            proof=Proof(platform.clock(), (ProofMethod.PROVIDER,)),
            through=UUID(company.owner.institution_id),
            signs_in_alone=False,
        )
        async with platform.unit_of_work(Origin()) as work:
            await offer_second_factor(work, user)
            await update_password_hash(work.db, user.user_id, "a hash")
            with pytest.raises(Refused, match="your password or a passkey"):
                await offer_second_factor(work, user)
