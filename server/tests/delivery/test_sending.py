"""A license reaches its receiver through a real mail server, in their language, as one message."""

import asyncio
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any
from uuid import UUID

import pytest
from customers.dump import dump_of, lines_with
from delivery.post import ENGLISH, GERMAN, mails_of, opened, parts, template_path, waiting
from kit.mail.hostile import HOSTILE
from licenses.factories import FUTURE, issue, make_product
from sqlalchemy import text
from testkit import FakeClock, Owner, numbers
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.customers.service.customers import remember_locale
from licet_server.delivery.rules.templates import MAILS_PER_DAY
from licet_server.kit import mail
from licet_server.kit.ids import new_id
from licet_server.kit.mail import Email, Letter
from licet_server.kit.mail.emails import as_bytes
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events

COPIES = """
INSERT INTO license_mails (institution_id, id, license_id, kind, recipient, locale, status,
    created_at)
SELECT institution_id, uuidv7(), id, 'Issued', upper(issued_to), 'en', 'Sent', created_at
FROM licenses, generate_series(1, :count) WHERE id = :id
"""

EVIL = [
    "<script>alert(1)</script>",
    "A\r\nBcc: thief@example.com\r\n\r\nBody",
    "A\u2028Bcc: thief@example.com\u202e",
    "[click](https://evil.example.com)",
    "https://evil.example.com/click-me",
    *HOSTILE[:3],
]


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """With an outbox of its own."""
    return fresh_application


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner)


def send_path(license_: dict[str, Any]) -> str:
    return f"/api/licenses/{license_['id']}/send"


async def events_of(platform: Platform, license_: dict[str, Any]) -> list[str]:
    async with platform.database.reading() as db:
        found = await db.execute(
            text(
                "SELECT kind FROM events WHERE subject_id = :id AND kind LIKE 'license.mail%' "
                "ORDER BY id"
            ),
            {"id": license_["id"]},
        )
        return list(found.scalars())


async def test_a_license_is_mailed_as_its_template_says(
    vendor: Vendor, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await owner.ok(
        "PUT",
        template_path(vendor.product),
        {
            "translations": {"en": ENGLISH, "de": GERMAN},
            "senderName": "Nordwind Büro",
            "replyTo": "help@northwind.example",
        },
    )
    jane = {"name": "Jane Doe", "email": "jane@example.com", "locale": "de_at"}
    assert (await owner.ok("POST", "/api/customers", jane))["locale"] == "de-AT"
    license_ = await vendor.issue("Perpetual", issuedTo="jane@example.com")
    look = {"displayName": "Nordwind & Co", "color": "#0b6e4f"}
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}/appearance", look)
    queued = await owner.ok("POST", send_path(license_))
    assert (queued["status"], queued["kind"], queued["locale"]) == ("Queued", "Issued", "de")
    assert (queued["recipient"], queued["error"]) == ("jane@example.com", None)
    async with opened(platform) as post:
        [message] = await post.send()
    assert message["From"] == "Nordwind Büro <licet@example.com>"
    assert message["Reply-To"] == "help@northwind.example"
    assert message["To"] == "jane@example.com"
    assert message["Subject"] == "Ihre Lizenz für Aurora"
    plain, html = parts(message)
    assert f"Guten Tag Jane Doe: `{license_['licenseKey']}`" in plain
    assert f"<code>{license_['licenseKey']}</code>" in html
    assert '<td class="head">Nordwind &amp; Co</td>' in html
    assert "background: #0b6e4f" in html
    [sent] = await mails_of(owner)
    assert sent == {**queued, "status": "Sent", "sentAt": f"{clock():%Y-%m-%dT%H:%M:%SZ}"}
    assert await events_of(platform, license_) == ["license.mailed"]
    english = await owner.ok("POST", send_path(license_), {"locale": "fr-CA"})
    assert english["locale"] == "en"
    chosen = await owner.ok("POST", send_path(license_), {"locale": "EN-us"})
    assert chosen["locale"] == "en"


@pytest.mark.parametrize("name", EVIL)
async def test_no_name_becomes_a_header_a_tag_or_a_link(
    name: str, vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    words = {"subject": "{customer} {licenseName}", "body": "{customer} **{licenseName}**"}
    await owner.ok("PUT", template_path(vendor.product), {"translations": {"en": words}})
    customer = {"name": name, "email": "jane@example.com"}
    await owner.ok("POST", "/api/customers", customer)
    license_ = await vendor.issue("Perpetual", issuedTo="jane@example.com", licenseName=name)
    await owner.ok("POST", send_path(license_))
    async with opened(platform) as post:
        [message] = await post.send()
    assert message["X-To"] == message["To"] == "jane@example.com"
    assert message["Bcc"] is None
    _, html = parts(message)
    assert html.count("<a ") == 0
    assert "<script" not in html
    assert html.count("<p>") == html.count("<strong>") == 1


def test_sender_name_never_becomes_an_address() -> None:
    letter = Letter(text="t", html="h", sender_name='A, B; "C" <x', reply_to=None)
    email = Email("jane@example.com", "s", letter=letter)
    raw = as_bytes(new_id(FakeClock.START), "Licet <a@b.example>", email, FakeClock.START)
    [address] = message_from_bytes(raw, policy=default)["From"].addresses
    assert (address.addr_spec, address.display_name) == ("a@b.example", 'A, B; "C" <x')


async def test_invalid_sends_are_rejected(vendor: Vendor, owner: Owner, stranger: Owner) -> None:
    nobody = await vendor.issue("Perpetual", issuedTo=None)
    assert (await owner.send("POST", send_path(nobody))).status_code == 409
    license_ = await vendor.issue("Perpetual")
    for kind in ("Revoked", "Expiring"):
        answer = await owner.send("POST", send_path(license_), {"kind": kind})
        assert answer.status_code == 409, kind
    for body in ({"kind": "Deleted"}, {"locale": "?"}, {"to": "thief@example.com"}):
        assert (await owner.send("POST", send_path(license_), body)).status_code == 400
    assert (await stranger.send("POST", send_path(license_))).status_code == 404
    await owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    assert (await owner.send("POST", send_path(license_))).status_code == 409
    await owner.ok("POST", send_path(license_), {"kind": "Revoked"})
    assert len(await mails_of(owner)) == 1


async def test_a_license_of_a_user_goes_to_their_account(vendor: Vendor, owner: Owner) -> None:
    license_ = await vendor.issue("Perpetual", issuedTo=owner.user_id)
    assert (await owner.ok("POST", send_path(license_)))["recipient"] == owner.email


async def test_license_is_sent_five_times_an_hour_under_a_race(
    vendor: Vendor, owner: Owner, clock: FakeClock
) -> None:
    license_ = await vendor.issue("Perpetual")
    answers = await asyncio.gather(*(owner.send("POST", send_path(license_)) for _ in range(20)))
    assert sorted(item.status_code for item in answers) == [200] * 5 + [429] * 15
    assert all("retry-after" in item.headers for item in answers if item.status_code == 429)
    clock.advance(minutes=61)
    await owner.sign_in()
    await owner.ok("POST", send_path(license_))


async def test_mails_to_an_address_are_limited(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    first = await vendor.issue("Perpetual")
    async with platform.database.transaction() as db:
        await db.execute(text(COPIES), {"id": first["id"], "count": MAILS_PER_DAY - 1})
    for number in range(3):
        await vendor.issue("Perpetual", licenseName=f"Seat {number}", notify=True)
    assert len(await waiting(platform)) == 1
    failed = await mails_of(owner, status="Failed")
    assert ["Too many" in item["error"] for item in failed] == [True, True]
    license_ = await vendor.issue("Perpetual")
    assert (await owner.send("POST", send_path(license_))).status_code == 429
    other = await vendor.issue("Perpetual", issuedTo="other@example.com")
    await owner.ok("POST", send_path(other))


async def test_test_mail_goes_to_the_caller(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    body = {"translation": GERMAN, "locale": "de", "replyTo": "help@northwind.example"}
    await owner.ok("POST", f"{template_path(vendor.product)}/test", body)
    async with opened(platform) as post:
        [message] = await post.send()
    assert (message["To"], message["Subject"]) == (owner.email, "Ihre Lizenz für Aurora")
    assert message["Reply-To"] == "help@northwind.example"
    plain, html = parts(message)
    assert "JN3VR-" in plain
    assert '<html lang="de">' in html
    assert await mails_of(owner) == []


# --- when it fails ---------------------------------------------------------------------------


async def test_refused_address_is_listed_and_retried(
    vendor: Vendor, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    license_ = await vendor.issue("Perpetual")
    await owner.ok("POST", send_path(license_))
    async with opened(platform) as post:
        post.mailbox.refused.add("customer@example.com")
        assert await post.send() == []
        [failed] = await mails_of(owner, status="Failed")
        assert failed["error"] == "The mail server does not accept this address (code 550)."
        assert await count_of_issued(owner) == (0, 1)
        clock.advance(minutes=2)
        assert [item["To"] for item in await post.send()] == [owner.email], "who is notified"
        kinds = ["license.mailed", "license.mail_failed"]
        assert await events_of(platform, license_) == kinds, "told once"
        [notice] = (await owner.ok("GET", "/api/notifications"))["items"]
        assert (notice["kind"], notice["subjectId"]) == ("MailFailed", license_["id"])
        post.mailbox.refused.clear()
        clock.advance(minutes=10)
        received = [item["To"] for item in await post.send()]
        assert received.count("customer@example.com") == 1
    await owner.sign_in()
    [sent] = await mails_of(owner)
    assert (sent["status"], sent["error"]) == ("Sent", None)
    assert await count_of_issued(owner) == (1, 0)
    clock.advance(days=30)
    await owner.sign_in()
    assert await count_of_issued(owner) == (0, 0), "of the last 30 days"


async def count_of_issued(owner: Owner) -> tuple[int, int]:
    path = f"/api/institutions/{owner.institution_id}/mail-counts"
    kinds = (await owner.ok("GET", path))["kinds"]
    [found] = [item for item in kinds if item["kind"] == "Issued"]
    return found["sent"], found["failed"]


async def test_mail_is_retried_while_the_mail_server_is_down(
    vendor: Vendor, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    license_ = await vendor.issue("Perpetual")
    await owner.ok("POST", send_path(license_))
    async with opened(platform) as post:
        pass  # nobody listens there any more
    assert await post.send() == []
    [queued] = await mails_of(owner)
    assert (queued["status"], queued["sentAt"]) == ("Queued", None)
    assert queued["error"] == "The mail server could not be reached, or broke off."
    clock.now += timedelta(days=3, seconds=1)
    assert await post.send() == []
    await owner.sign_in()
    [failed] = await mails_of(owner)
    assert (failed["status"], failed["error"]) == ("Failed", "It could not be sent for three days.")
    assert await events_of(platform, license_) == ["license.mailed", "license.mail_failed"]


async def test_mail_waits_until_a_mail_server_is_configured(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    license_ = await vendor.issue("Perpetual")
    await owner.ok("POST", send_path(license_))
    [item] = await waiting(platform)
    assert item.text is not None
    assert license_["licenseKey"] in item.text
    async with platform.database.reading() as db:
        [(stored,)] = (await db.execute(text("SELECT m::text FROM mails m"))).all()
    assert license_["licenseKey"] not in stored
    assert license_["licenseKey"].encode().hex() not in stored


async def test_license_deleted_meanwhile_is_not_mailed(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    license_ = await vendor.issue("Perpetual", notify=True)
    await owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    async with opened(platform) as post:
        assert await post.send() == []
        other = await vendor.issue("Perpetual")
        await owner.ok("POST", send_path(other))
        await owner.ok("DELETE", f"/api/licenses/{other['id']}")
        assert len(await post.send()) == 1, "it was on its way"
    assert await mails_of(owner) == []


# --- the list, and persons -------------------------------------------------------------------


async def test_list_is_filtered_and_shows_own_institutions_only(
    vendor: Vendor, owner: Owner, stranger: Owner
) -> None:
    theirs = await issue(stranger, await make_product(stranger))
    await stranger.ok("POST", send_path(theirs))
    first, second = (
        await vendor.issue("Perpetual"),
        await vendor.issue("Trial", expirationDate=FUTURE, issuedTo="second@example.com"),
    )
    await owner.ok("POST", send_path(first))
    await owner.ok("POST", send_path(second), {"kind": "Expiring"})
    assert [item["licenseId"] for item in await mails_of(owner)] == [second["id"], first["id"]]
    [found] = await mails_of(owner, licenseId=first["id"])
    assert found["licenseId"] == first["id"]
    [found] = await mails_of(owner, kind="Expiring", status="Queued")
    assert found["licenseId"] == second["id"]
    [found] = await mails_of(owner, recipient=f" Somebody <{second['issuedTo'].upper()}> ")
    assert found["licenseId"] == second["id"]
    assert await mails_of(owner, recipient="nobody@example.com") == []
    assert await mails_of(owner, status="Sent") == []
    assert await mails_of(owner, licenseId=theirs["id"]) == []
    answer = await owner.send("GET", f"/api/license-mails?institutionId={stranger.institution_id}")
    assert answer.status_code == 404


async def test_erasure_removes_the_address_from_all_mails(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    email = f"zq{next(numbers):05}@quill.example"
    body = {"name": "Zébedee O'Quill", "email": email, "locale": "fr"}
    customer = await owner.ok("POST", "/api/customers", body)
    license_ = await vendor.issue("Perpetual", issuedTo=email)
    await owner.ok("POST", send_path(license_))
    export = await owner.ok("GET", f"/api/customers/{customer['id']}/export")
    [row] = export["records"]["licenseMails"]
    assert row["recipient"] == email
    await dispatch_events(platform)
    assert len(lines_with(dump_of(platform), email)) > 3
    await owner.ok("POST", f"/api/customers/{customer['id']}/erase", {"licenses": "Revoke"})
    assert lines_with(dump_of(platform), email, "Zébedee") == []
    await owner.ok("PUT", template_path(vendor.product, "revoked"), {"automatic": True})
    assert await waiting(platform) == [], "and nobody is written to any more"


async def test_former_holder_is_erased_and_exported(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    first, second = (f"zq{next(numbers):05}@quill.example" for _ in range(2))
    license_ = await vendor.issue("Perpetual", issuedTo=first)
    await owner.ok("POST", send_path(license_))
    moved = await owner.ok("PUT", f"/api/licenses/{license_['id']}", {"issuedTo": second})
    await owner.ok("POST", send_path(license_))
    former, present = license_["customerId"], moved["customerId"]
    for customer, email in ((former, first), (present, second)):
        export = await owner.ok("GET", f"/api/customers/{customer}/export")
        assert [row["recipient"] for row in export["records"]["licenseMails"]] == [email]
    await owner.ok("POST", f"/api/customers/{former}/erase", {"licenses": "Keep"})
    assert lines_with(dump_of(platform), first) == []
    left = [item["recipient"] for item in await mails_of(owner)]
    assert left == [second, "erased@example.invalid"]


async def test_language_of_a_sale_is_used_once(owner: Owner, platform: Platform) -> None:
    body = {"name": "Jane", "email": "jane@example.com"}
    customer = await owner.ok("POST", "/api/customers", body)
    for locale in ("no locale at all", None, "pt_br", "en"):
        async with platform.unit_of_work(Origin()) as work:
            vendor_id = UUID(owner.institution_id)
            await remember_locale(work, vendor_id, "JANE@example.com", locale)
            await remember_locale(work, vendor_id, "nobody@example.com", locale)
    found = await owner.ok("GET", f"/api/customers/{customer['id']}")
    assert found["locale"] == "pt-BR"
    answer = await owner.send("PUT", f"/api/customers/{customer['id']}", {"locale": "x y"})
    assert answer.status_code == 400
    found = await owner.ok("PUT", f"/api/customers/{customer['id']}", {"locale": None})
    assert found["locale"] is None


async def test_older_mails_are_still_listed(platform: Platform) -> None:
    """What was written as paragraphs, before emails could be letters."""
    async with platform.unit_of_work(Origin()) as work:
        await mail.write(work, Email("a@example.com", "s", ("One", "Two")))
    [item] = await waiting(platform)
    assert item.text == "One\n\nTwo\n"
