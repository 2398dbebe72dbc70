"""Notifications are sent through a real mail server; names never become headers or tags."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, cast

import pytest
from kit.mail.hostile import HOSTILE
from kit.mail.smtp import Mailbox, at, running_server
from licenses.reminder_log import put_back, remind
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.identity.service import emails
from licet_server.kit import mail
from licet_server.kit.ids import new_id
from licet_server.kit.mail import Email
from licet_server.kit.mail.emails import as_bytes, header_text
from licet_server.kit.platform import Platform
from licet_server.notifications.rules.facts import _line
from licet_server.worker import dispatch_events

EVIL = [
    "<script>alert(1)</script>",
    "A\r\nBcc: thief@example.com\r\n\r\nBody",
    'A" has expired. Sign in at "https://evil.example.com',
    "A\u2028Bcc: thief@example.com\u202e\x1b[31m",
    "<img src=https://evil.example.com/pixel.png>",
    "https://evil.example.com/click-me",
    HOSTILE[0],
]


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """With an outbox of its own."""
    return fresh_application


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner)


@pytest.fixture
async def post(platform: Platform) -> AsyncIterator[Callable[[], Any]]:
    """Send pending emails; returns what arrived."""
    mailbox = Mailbox()
    with running_server(mailbox) as port:
        settings = replace(platform.settings, mail_server=at(port))
        sending = replace(platform, settings=settings)

        async def send() -> list[EmailMessage]:
            await dispatch_events(platform)
            await mail.deliver(sending)
            return [cast("EmailMessage", message) for message in mailbox.received]

        yield send


def parts(message: EmailMessage) -> tuple[str, str]:
    """Plain and HTML."""
    assert message.get_content_type() == "multipart/alternative"
    plain, html = message.iter_parts()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    return plain.get_content(), html.get_content()


@pytest.mark.parametrize("name", EVIL)
async def test_names_are_escaped(
    name: str, vendor: Vendor, post: Callable[[], Any], owner: Owner, platform: Platform
) -> None:
    ends = "2030-01-16T12:00:00Z"
    answer = await owner.send(
        "POST",
        "/api/licenses",
        {
            "productId": vendor.product["id"],
            "type": "Trial",
            "licenseName": name,
            "issuedTo": "customer@example.com",
            "expirationDate": ends,
        },
    )
    assert answer.status_code == 201, answer.text
    await put_back(platform, answer.json()["id"], 365)
    await remind(platform)
    [message] = await post()
    assert message["X-To"] == owner.email
    assert message["Bcc"] is message["Cc"] is None
    names = {"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version"}
    assert set(message.keys()) - {"X-To"} == names | {"Content-Type"}
    shown = _line(name).replace('"', "'")
    assert message["Subject"].strip() == header_text(f'The license "{shown}" expires in 1 day')
    plain, html = parts(message)
    assert f'The license "{shown}" of "Aurora"' in plain
    for tag in ("<script", "<img"):
        assert tag not in html
    links = html.count("href=")
    assert links == html.count(f'href="{platform.settings.address}/notifications"') == 1
    assert "src=" not in html.replace("&lt;img src=", "")


async def test_several_events_of_a_kind_share_one_email(
    vendor: Vendor, post: Callable[[], Any], platform: Platform
) -> None:
    for number in range(23):
        made = await vendor.issue(
            "Trial", licenseName=f"No. {number}", expirationDate="2030-01-16T12:00:00Z"
        )
        await put_back(platform, made["id"], 365)
    await remind(platform)
    [message] = await post()
    assert message["Subject"] == "23 licenses expire soon"
    for text in parts(message):
        assert text.count("ends on January 16, 2030 at 12:00 UTC") == 20
        assert "And 3 more." in text


def test_every_email_has_both_parts() -> None:
    """Those of accounts, too: all emails are built in one way."""
    now = FakeClock.START
    address = "https://licet.example.com"
    made: list[Email] = [
        emails.password_reset_email("a@example.com", address, "token"),
        emails.verification_email("a@example.com", address, "token"),
        emails.sign_up_account_exists_email("a@example.com", address),
    ]
    for email in made:
        raw = as_bytes(new_id(now), "Licet <l@example.com>", email, now)
        message = message_from_bytes(raw, policy=default)
        plain, html = parts(message)
        assert address in plain
        assert f'href="{address}' in html
