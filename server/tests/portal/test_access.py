"""How end users get an account while sign-up is closed, and what a request does not disclose."""

import asyncio
import re
from typing import Any

import httpx
import pytest
from catalog.factories import bad_fields, refusal
from identity.people import NEW_PASSWORD, elsewhere, login
from licenses.factories import issue, make_product
from portal.people import (
    ACCESS,
    CONFIRM,
    LICENSES,
    EndUser,
    NewEndUser,
    count_rows,
    emails_to,
    make_end_user,
    new_address,
)
from sqlalchemy import event, text
from testkit import PASSWORD, FakeClock, FastPasswords
from world import Vendor, World

from licet_server.app import Application
from licet_server.identity.service.tokens import digest
from licet_server.kit.mail import outbox
from licet_server.kit.platform import Platform
from licet_server.portal.service.access import mail_access
from licet_server.worker import JOBS


async def ask(client: httpx.AsyncClient, email: str) -> None:
    answer = await client.post(ACCESS, json={"email": email})
    assert (answer.status_code, answer.content) == (202, b"")


def body(token: str, /, **changes: Any) -> dict[str, Any]:
    return {"token": token, "password": PASSWORD, "fullName": "Ada", **changes}


async def mailed_token(platform: Platform, email: str) -> str:
    """The token in the newest email."""
    found = re.search(r"/portal/welcome\?token=(\S+)", (await emails_to(platform, email))[-1].text)  # type: ignore[arg-type]
    assert found
    return found[1]


async def invited(vendor: Vendor, platform: Platform) -> tuple[str, str, dict[str, Any]]:
    """An email address that a license is issued to, the token sent to it, and the license."""
    email = new_address()
    made = await vendor.issue("Concurrent", issuedTo=email)
    await ask(vendor.owner.client, email)
    return email, await mailed_token(platform, email), made


async def test_a_user_with_a_license_gets_an_account(world: World) -> None:
    email = new_address()
    made = await world.issue("Concurrent", issuedTo=email.upper())
    client = world.owner.client
    await ask(client, f" {email.capitalize()} ")
    [email_sent] = await emails_to(world.platform, email)
    assert email_sent.text is not None
    token = await mailed_token(world.platform, email)
    assert email_sent.subject.startswith("Your licenses from Institution of ")
    for said in (
        f"http://127.0.0.1:8000/portal/welcome?token={token}",
        f" issued licenses of Aurora to {email}.", "24 hours", "did not expect",
        "requested for your address in the license portal",
    ):  # fmt: skip
        assert said in email_sent.text
    assert "Someone" not in email_sent.text
    assert email_sent.text.count(token) == 1
    answer = await client.post(CONFIRM, json=body(token))
    assert answer.status_code == 201
    session = answer.json()
    assert set(session) == {"accessToken", "tokenType", "expiresIn", "user"}
    user = session["user"]
    assert (user["email"], user["emailVerified"], user["fullName"]) == (email, True, "Ada")
    assert (user["memberships"], user["isSystemAdmin"]) == ([], False)
    cookie = answer.headers["set-cookie"].lower()
    for said in ("licet_refresh=", "httponly", "path=/api/auth", "samesite=strict"):
        assert said in cookie
    end_user = EndUser(client, session["accessToken"], "", user["id"], email)
    assert [item["id"] for item in await end_user.licenses()] == [made["id"]]
    assert (await client.post("/api/auth/refresh")).status_code == 200
    assert (await login(client, email)).status_code == 200


async def test_a_token_works_once(world: World) -> None:
    email, token, _ = await invited(world, world.platform)
    client = world.owner.client
    assert (await client.post(CONFIRM, json=body(token))).status_code == 201
    again = await client.post(CONFIRM, json=body(token, password=NEW_PASSWORD))
    assert refusal(again) == (401, "Unauthorized")
    assert "works once" in again.json()["detail"]
    assert (await login(client, email, NEW_PASSWORD)).status_code == 401
    assert (await login(client, email)).status_code == 200


async def test_concurrent_confirmations_create_one_account(world: World) -> None:
    email, token, _ = await invited(world, world.platform)
    bodies = [body(token, password=f"{NEW_PASSWORD} {n}") for n in range(6)]
    answers = await asyncio.gather(
        *(world.owner.client.post(CONFIRM, json=item) for item in bodies)
    )
    statuses = [answer.status_code for answer in answers]
    assert sorted(statuses) == [201] + [401] * 5
    winner = bodies[statuses.index(201)]["password"]
    assert (await login(world.owner.client, email, winner)).status_code == 200


async def test_a_token_expires_after_24_hours_and_a_newer_one_does_not_revoke_it(
    world: World,
) -> None:
    email, first, _ = await invited(world, world.platform)
    world.clock.advance(hours=23, minutes=59, seconds=59)
    await ask(world.owner.client, email)
    second = await mailed_token(world.platform, email)
    assert second != first
    world.clock.advance(seconds=1)
    dead = await world.owner.client.post(CONFIRM, json=body(first))
    assert refusal(dead) == (401, "Unauthorized")
    await ask(world.owner.client, email)
    third = await mailed_token(world.platform, email)
    assert (await world.owner.client.post(CONFIRM, json=body(second))).status_code == 201
    # The account exists: the other tokens are worthless.
    late = await world.owner.client.post(CONFIRM, json=body(third))
    assert refusal(late) == (401, "Unauthorized")


async def test_invalid_tokens_create_nothing(world: World, application: Application) -> None:
    _, token, _ = await invited(world, world.platform)
    users, invitations = await count_rows(world.platform, "users"), await stored(world.platform)
    odd = [token[:-1], token + "x", token.swapcase(), "x", " ", "x" * 1000, "\U0001f600" * 100,
           digest(token).hex(), world.owner.token]  # fmt: skip
    for number, value in enumerate(odd):
        async with elsewhere(application, f"192.0.2.{number}") as client:
            answer = await client.post(CONFIRM, json=body(value))
            assert refusal(answer) == (401, "Unauthorized"), value
            reset = {"token": token, "password": PASSWORD}
            other = await client.post("/api/auth/password-reset/confirm", json=reset)
            assert other.status_code == 401  # it was issued for another purpose
            verify = await client.post("/api/auth/verify-email", json={"token": token})
            assert verify.status_code == 401
    assert (await count_rows(world.platform, "users"), await stored(world.platform)) == (
        users,
        invitations,
    )


async def stored(platform: Platform) -> list[str]:
    async with platform.database.reading() as db:
        rows = await db.execute(text("SELECT t::text FROM portal_invitations t ORDER BY 1"))
        return list(rows.scalars())


async def test_only_a_hash_of_the_token_is_kept(world: World) -> None:
    email, token, _ = await invited(world, world.platform)
    rows = [row for row in await stored(world.platform) if email in row]
    assert len(rows) == 1
    assert token not in rows[0]
    assert digest(token).hex() in rows[0]


async def test_guessing_tokens_is_throttled(application: Application) -> None:
    async with elsewhere(application, "192.0.2.78") as client:
        answers = [await client.post(CONFIRM, json=body("guess")) for _ in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2


async def test_invalid_input_does_not_use_the_token(world: World) -> None:
    _, token, _ = await invited(world, world.platform)
    client = world.owner.client
    for changes, field in (
        ({"password": "short"}, "password"), ({"fullName": " "}, "fullName"),
        ({"token": ""}, "token"), ({"email": "other@example.com"}, "email"),
        ({"isSystemAdmin": True}, "isSystemAdmin"), ({"institutionName": "A"}, "institutionName"),
    ):  # fmt: skip
        assert bad_fields(await client.post(CONFIRM, json=body(token, **changes))) == [field]
    for email in ("", "nobody", "a@b@c", "x" * 255 + "@example.com", "a\u0000b@example.com"):
        assert (await client.post(ACCESS, json={"email": email})).status_code == 400
    assert (await client.post(CONFIRM, json=body(token))).status_code == 201


async def test_user_with_an_account_gets_an_email_that_says_so(world: World, user: EndUser) -> None:
    """With or without licenses, since it is their mailbox."""
    for count in (1, 2):
        await ask(user.client, user.email.upper())
        emails = await emails_to(world.platform, user.email)
        assert len(emails) == count
        assert emails[-1].subject.startswith("Your licenses")
        assert "Licet" not in f"{emails[-1].subject} {emails[-1].text}"
        assert emails[-1].text is not None
        assert "http://127.0.0.1:8000/portal\n" in emails[-1].text + "\n"
        assert "token" not in emails[-1].text
        await world.issue("Perpetual", issuedTo=user.email)
    assert not [row for row in await stored(world.platform) if user.email in row]


async def test_an_address_without_license_and_account_gets_no_email(world: World) -> None:
    email = new_address()
    near = await world.issue("Perpetual", issuedTo=f"x{email}")
    gone = await world.issue("Perpetual", issuedTo=email)
    await world.owner.ok("DELETE", f"/api/licenses/{gone['id']}")
    mails = await count_rows(world.platform, "mails")
    await ask(world.owner.client, email)
    assert await mail_access(world.platform) == 0
    assert await emails_to(world.platform, email) == []
    assert await emails_to(world.platform, near["issuedTo"]) == []
    assert await count_rows(world.platform, "mails") == mails
    assert await count_rows(world.platform, "portal_requests") == 0


@pytest.mark.parametrize("status", ["Suspended", "Revoked", "Expired"])
async def test_an_inactive_license_still_gives_access(world: World, status: str) -> None:
    email = new_address()
    made = await world.issue("Trial", issuedTo=email)
    if status == "Expired":
        world.clock.advance(days=366)
    else:
        action = {"Suspended": "suspend", "Revoked": "revoke"}[status]
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
    await ask(world.owner.client, email)
    token = await mailed_token(world.platform, email)
    session = (await world.owner.client.post(CONFIRM, json=body(token))).json()
    end_user = EndUser(world.owner.client, session["accessToken"], "", "", email)
    assert [item["status"] for item in await end_user.licenses()] == [status]


async def test_concurrent_jobs_answer_each_request_once(world: World) -> None:
    email = new_address()
    await world.issue("Perpetual", issuedTo=email)
    for _ in range(3):
        await ask(world.owner.client, email)
    done = await asyncio.gather(*(mail_access(world.platform) for _ in range(4)))
    assert 1 <= sum(done) <= 3
    assert len(await emails_to(world.platform, email)) == sum(done)


async def test_an_account_created_meanwhile_is_not_taken_over(
    world: World, new_end_user: NewEndUser
) -> None:
    """The holder of the token reads the emails to that address, and may learn of the account."""
    email, token, _ = await invited(world, world.platform)
    await new_end_user(email.capitalize())
    answer = await world.owner.client.post(CONFIRM, json=body(token, password=NEW_PASSWORD))
    assert refusal(answer) == (409, "Conflict")
    assert "Sign in to it" in answer.json()["detail"]
    assert (await login(world.owner.client, email, NEW_PASSWORD)).status_code == 401
    assert (await login(world.owner.client, email)).status_code == 200


async def test_reset_recovers_an_account_that_someone_else_created(
    world: World, new_end_user: NewEndUser
) -> None:
    """Without the mailbox nobody sees a license, and the owner of the mailbox is told how to."""
    email = new_address()
    await world.issue("Perpetual", issuedTo=email)
    squatter = await new_end_user(email, verified=False)
    assert refusal(await squatter.send("GET", LICENSES)) == (403, "Forbidden")
    await ask(world.owner.client, email)
    [email_sent] = await emails_to(world.platform, email)
    assert email_sent.subject.startswith("Your licenses from ")


async def test_the_worker_sends_the_emails() -> None:
    assert [job.name for job in JOBS if job.run is mail_access] == ["mail_portal_access"]


async def requests_for(platform: Platform, *emails: str) -> int:
    """How many requests are stored."""
    async with platform.database.reading() as db:
        counted = await db.execute(
            text("SELECT count(*) FROM portal_requests WHERE email = ANY(:emails)"),
            {"emails": list(emails)},
        )
        return int(counted.scalar_one())


async def test_requests_are_limited_per_address_and_caller(
    application: Application, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response is always the same; beyond the limit nothing is stored."""
    monkeypatch.setattr("licet_server.identity.service.throttling.EMAILS_PER_HOUR_AND_ADDRESS", 20)
    platform = application.platform
    one, other = new_address(), new_address()
    many = [new_address() for _ in range(12)]
    async with elsewhere(application, "192.0.2.12") as client:
        for email in (one.capitalize(), other):
            for _ in range(6):
                await ask(client, email)
        assert await requests_for(platform, one) == await requests_for(platform, other) == 5
        for email in many:
            await ask(client, email)
        assert await requests_for(platform, *many) == 8
    async with elsewhere(application, "192.0.2.13") as client:
        await ask(client, one)
        assert await requests_for(platform, one) == 5
        clock.advance(hours=1)
        await ask(client, one)
        assert await requests_for(platform, one) == 6
    await mail_access(platform)


async def test_every_address_takes_the_same_work_and_response(
    fresh_application: Application, fast_passwords: FastPasswords
) -> None:
    application, passwords = fresh_application, fast_passwords
    statements: list[str] = []
    engine = application.platform.database._engine.sync_engine

    @event.listens_for(engine, "before_cursor_execute")
    def note(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        statements.append(statement)

    done = []
    async with elsewhere(application, "192.0.2.1") as client:
        await make_end_user(application.platform, client, passwords, "known@example.com")
        await ask(client, "first@example.com")  # also deletes what expired, once
        for email in ("known@example.com", "nobody@example.com"):
            statements.clear()
            passwords.runs = 0
            await ask(client, email)
            said = [item for item in statements if not item.startswith("DELETE")]
            done.append((passwords.runs, said))
    event.remove(engine, "before_cursor_execute", note)
    assert done[0] == done[1]
    assert done[0][0] == 0
    assert not any("users" in said or "licenses" in said for said in done[0][1])


async def test_the_link_of_a_vendor_that_shows_itself_names_it(world: World) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/appearance"
    await world.owner.ok("PUT", path, {"displayName": "Aurora Works", "color": "#3b5bdb"})
    email = new_address()
    made = await world.issue("Perpetual", issuedTo=email)
    await ask(world.owner.client, email)
    [email_sent] = await emails_to(world.platform, email)
    assert email_sent.subject == "Your licenses from Aurora Works: Aurora"
    token = await mailed_token(world.platform, email)
    assert token.endswith(f".{world.owner.institution_id}")
    answer = await world.owner.client.post(CONFIRM, json=body(token))
    assert answer.status_code == 201
    end_user = EndUser(world.owner.client, answer.json()["accessToken"], "", "", email)
    assert [item["id"] for item in await end_user.licenses()] == [made["id"]]


async def test_the_email_is_in_the_language_of_the_customer_and_names_the_products(
    world: World,
) -> None:
    owner = world.owner
    words = {
        "displayName": "Aurora Works",
        "welcome": "Hello.",
        "welcomeTranslations": {"de": "Guten Tag.\nMehr auf https://evil.example"},
    }
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}/appearance", words)
    said = {}
    for locale in ("de-AT", "fr"):
        email = new_address()
        customer = {"name": "Jo", "email": email, "locale": locale}
        await owner.ok("POST", "/api/customers", customer)
        for name in ("Aurora Flow", "Aurora Studio"):
            product = await make_product(owner, name=f"{name} {locale}")
            await issue(owner, product, issuedTo=email)
        await ask(owner.client, email)
        [said[locale]] = await emails_to(world.platform, email)
    german, other = said["de-AT"], said["fr"]
    assert german.subject == (
        "Ihre Lizenzen von Aurora Works: Aurora Studio de-AT und ein weiteres Produkt"
    )
    for text_ in ("innerhalb von 24 Stunden", "Guten Tag.\n", "https: evil"):
        assert text_ in str(german.text)
    assert "Hello." not in str(german.text)
    assert other.subject == "Your licenses from Aurora Works: Aurora Studio fr and one more"
    assert "Hello." in str(other.text)


async def test_the_email_looks_like_its_vendor_and_has_the_link_as_a_button(world: World) -> None:
    owner = world.owner
    look = {"displayName": "Aurora Works", "color": "#0f766e"}
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}/appearance", look)
    email = new_address()
    await owner.ok("POST", "/api/customers", {"name": "Jo", "email": email, "locale": "de"})
    await world.issue("Concurrent", issuedTo=email)
    await ask(owner.client, email)
    [shown] = await emails_to(world.platform, email)
    async with world.platform.database.reading() as db:
        [stored] = [it for it in await outbox.fetch_waiting(db) if it.id == shown.id]
    written = outbox.email_of(world.platform.keyring, stored)
    assert '<html lang="de">' in written.html
    assert '<td class="head">Aurora Works</td>' in written.html
    assert "background: #0f766e" in written.html
    assert 'class="button">Passwort festlegen</a>' in written.html
    assert written.letter is not None
    assert written.letter.sender_name == "Aurora Works"
