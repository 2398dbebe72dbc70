"""Templates and emails about licenses, as vendors and their customers see them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from typing import Any, cast

from kit.mail.smtp import Mailbox, at, running_server
from testkit import Owner

from licet_server.delivery.service.mails import settle
from licet_server.kit import mail
from licet_server.kit.mail import Mail
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events

BODY = "Hello {customer}, your key: `{licenseKey}`."
GERMAN = {"subject": "Ihre Lizenz für {product}", "body": "Guten Tag {customer}: `{licenseKey}`"}
ENGLISH = {"subject": "Your {product}", "body": BODY}


def template_path(product: dict[str, Any], kind: str = "issued") -> str:
    return f"/api/products/{product['id']}/mail-templates/{kind}"


async def mails_of(owner: Owner, **query: Any) -> list[dict[str, Any]]:
    """What is recorded of the emails of an institution, newest first."""
    return list((await owner.ok("GET", "/api/license-mails", params=query))["items"])


async def waiting(platform: Platform) -> list[Mail]:
    """The emails in the outbox after all events were dispatched, oldest first."""
    await dispatch_events(platform)
    async with platform.database.reading() as db:
        return await mail.list_waiting(db, platform.keyring)


@dataclass
class Post:
    """A mail server, and the job that sends to it."""

    platform: Platform
    mailbox: Mailbox

    async def send(self) -> list[EmailMessage]:
        """Dispatch events and send what is due; returns what has arrived so far."""
        await dispatch_events(self.platform)
        await mail.deliver(self.platform, settle)
        return [cast("EmailMessage", message) for message in self.mailbox.received]


@asynccontextmanager
async def opened(platform: Platform) -> AsyncIterator[Post]:
    mailbox = Mailbox()
    with running_server(mailbox) as port:
        settings = replace(platform.settings, mail_server=at(port))
        yield Post(replace(platform, settings=settings), mailbox)


def parts(message: EmailMessage) -> tuple[str, str]:
    """Plain and HTML."""
    assert message.get_content_type() == "multipart/alternative"
    plain, html = message.iter_parts()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    return plain.get_content(), html.get_content()
