"""The content of an e-mail as plain text and simple HTML, and the pauses between attempts."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from uuid import UUID

GIVE_UP_AFTER = timedelta(days=3)
"""By then the links in an e-mail have expired, or its news is stale."""

_FIRST_PAUSE = timedelta(minutes=1)
_LONGEST_PAUSE = timedelta(hours=6)
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Email:
    """An e-mail to send. A paragraph that is an http(s) URL becomes a link."""

    recipient: str
    subject: str
    paragraphs: Sequence[str] = field(repr=False)


def pause_after(attempts: int) -> timedelta:
    """Return the pause after that many failed attempts: from one minute up to six hours."""
    steps = min(attempts - 1, 10)
    return min(_FIRST_PAUSE * int(_GROWTH**steps), _LONGEST_PAUSE)


def as_text(paragraphs: Sequence[str]) -> str:
    """Return the plain-text part."""
    return "\n\n".join(paragraphs) + "\n"


def as_html(paragraphs: Sequence[str]) -> str:
    """Return the HTML part: the same text, with no external resources."""
    inner = "\n".join(f"<p>{_inline(paragraph)}</p>" for paragraph in paragraphs)
    return f'<!doctype html>\n<html lang="en"><body>\n{inner}\n</body></html>\n'


def _inline(paragraph: str) -> str:
    escaped = html.escape(paragraph)
    if paragraph.startswith(("https://", "http://")) and " " not in paragraph:
        return f'<a href="{escaped}">{escaped}</a>'
    return escaped


def as_message(mail_id: UUID, sender: str, email: Email, created_at: datetime) -> EmailMessage:
    """Build the message. Its ID is that of the row, so that duplicates can be recognized."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = email.recipient
    message["Subject"] = " ".join(email.subject.split())
    message["Date"] = format_datetime(created_at)
    message["Message-ID"] = f"<{mail_id}@{parseaddr(sender)[1].partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(as_text(email.paragraphs))
    message.add_alternative(as_html(email.paragraphs), subtype="html")
    return message
