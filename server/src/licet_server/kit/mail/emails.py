"""An email: its content as plain text and simple HTML, its head, and pauses between attempts.

Texts in the head are written here, and never parsed by a library. Header parsers decode encoded
words (RFC 2047), line breaks included, so that a name such as `=?utf-8?q?=0aBcc=3a_x?=` could
become a header. Here, a text of people has none: not as it is written, and not once it is decoded.
"""

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from licet_server.kit.emails import is_email
from licet_server.kit.text import one_line

TEXT_MAX = 500
"""Longer texts are cut; mail servers accept lines of 998 characters."""

_WORDS = re.compile(r"[A-Za-z0-9!#$%&'*+/^_`{|}~ -]+")
"""A name that needs no quotes in front of an address."""

_LINE = re.compile(rb"(?:([A-Za-z-]+): |[ ][!-~])[ -~\x80-\xff]*")
"""Beyond ASCII, only an address has bytes: texts are encoded words."""

Field = tuple[str, str]
"""The name of a header, and its value as it is sent."""


def header_text(text: str) -> str:
    """Return a text on one line, with a space in what could begin an encoded word."""
    return one_line(text)[:TEXT_MAX].replace("=?", "= ?")


def text_field(name: str, text: str) -> Field:
    """Return a header with a text that people wrote."""
    shown = header_text(text)
    return name, _folded(name, shown, "us-ascii" if shown.isascii() else "utf-8")


def address_field(name: str, address: str, owner: str = "") -> Field:
    """Return a header with an address, and the name of its owner.

    Raises:
        ValueError: if it is no address.
    """
    if not is_email(address):
        raise ValueError(f"{name} is no email address.")
    shown = header_text(owner)
    if not shown:
        return name, address
    words = shown if _WORDS.fullmatch(shown) else _folded(name, shown, "utf-8")
    return name, f"{words} <{address}>"


def with_head(fields: Sequence[Field], content: bytes) -> bytes:
    """Return a message: these headers, then its content, which begins with headers of its own.

    Raises:
        ValueError: if it does not have exactly these headers, followed by those of the content.
    """
    head = "".join(f"{name}: {value}\r\n" for name, value in fields).encode()
    own = _names(content.partition(b"\r\n\r\n")[0])
    message = head + content
    if _names(message.partition(b"\r\n\r\n")[0]) != [name for name, _ in fields] + own:
        raise ValueError("The message has other headers than those that were written.")
    return message


def _folded(name: str, text: str, charset: str) -> str:
    return Header(text, charset, header_name=name).encode(linesep="\r\n")


def _names(head: bytes) -> list[str]:
    """Return the names of the headers, in their order.

    Raises:
        ValueError: if a line is neither a header nor a continuation of one.
    """
    lines = [_LINE.fullmatch(line) for line in head.split(b"\r\n")]
    if not all(lines):
        raise ValueError("The message has a line in its head that is no header.")
    return [line[1].decode() for line in lines if line is not None and line[1] is not None]


GIVE_UP_AFTER = timedelta(days=3)
"""By then the links in an email have expired, or its news is stale."""

_FIRST_PAUSE = timedelta(minutes=1)
_LONGEST_PAUSE = timedelta(hours=6)
_GROWTH = 4

_SEVEN_BIT = SMTP.clone(cte_type="7bit")
"""Any mail server takes it as it is, so that what was checked is what is sent."""


class Attachment(Struct, frozen=True):
    """A CSV file of an email."""

    name: str
    text: str


class Letter(Struct, frozen=True):
    """An email in the name of a vendor, as plain text and HTML, perhaps with a file.

    Its sender has the address of the service, and the name of the vendor if there is one; replies
    go to `reply_to`. The HTML has a place for the logo of `logo_of`, filled when it is sent.
    """

    text: str
    html: str
    sender_name: str
    reply_to: str | None
    attachment: Attachment | None = None
    logo_of: UUID | None = None


class Logo(Struct, frozen=True):
    """A small picture within an email, and the size at which it is shown."""

    media_type: str
    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Email:
    """An email to send. A paragraph that is an http(s) URL becomes a link.

    If there is a letter, it is sent instead of paragraphs, which are English. `vendor_id` is the
    institution in whose name the email is sent, if not in the service's own.
    """

    recipient: str
    subject: str
    paragraphs: Sequence[str] = field(default=(), repr=False)
    letter: Letter | None = field(default=None, repr=False)
    vendor_id: UUID | None = None

    @property
    def text(self) -> str:
        """The plain-text part."""
        return as_text(self.paragraphs) if self.letter is None else self.letter.text

    @property
    def html(self) -> str:
        """The HTML part."""
        return as_html(self.paragraphs) if self.letter is None else self.letter.html


def pause_after(attempts: int) -> timedelta:
    """Return the pause after that many failed attempts: from one minute up to six hours."""
    steps = min(attempts - 1, 10)
    return min(_FIRST_PAUSE * int(_GROWTH**steps), _LONGEST_PAUSE)


def as_text(paragraphs: Sequence[str]) -> str:
    """Return the plain-text part."""
    return "\n\n".join(paragraphs) + "\n"


NEUTRAL = "#374151"
"""The color of who has none."""


@dataclass(frozen=True, slots=True)
class Look:
    """In whose name a page is: a name at its head, and a color that white text can be read on.

    `logo_of` is the institution whose logo is beside the name, if it has one.
    """

    name: str = ""
    color: str = NEUTRAL
    logo_of: UUID | None = None


PLAIN = Look()

_STYLE = """:root {{ color-scheme: light dark; }}
body {{ margin: 0; background: #f4f4f2; color: #1c1c1a; }}
table.letter {{ width: 100%; max-width: 560px; margin: 0 auto; background: #ffffff; }}
td {{ font: 16px/24px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }}
td.head {{ padding: 16px 24px; border-top: 4px solid {color}; font-weight: 600; }}
td.head img {{ vertical-align: middle; margin-right: 12px; border-radius: 4px; }}
td.head img {{ background: #ffffff; }}
td.words {{ padding: 8px 24px 24px; overflow-wrap: anywhere; }}
h1, h2, h3 {{ margin: 24px 0 8px; font-size: 18px; line-height: 24px; }}
p, ul, ol {{ margin: 12px 0; }}
ul, ol {{ padding-left: 24px; }}
li {{ margin: 4px 0; }}
a {{ color: inherit; }}
code {{ padding: 4px 8px; border: 1px solid #8b8b86; border-radius: 4px; }}
code {{ display: inline-block; max-width: 100%; box-sizing: border-box; }}
code {{ font-family: Consolas, Menlo, monospace; }}
a.button {{ display: inline-block; padding: 10px 20px; border-radius: 6px; }}
a.button {{ background: {color}; color: #ffffff; font-weight: 600; text-decoration: none; }}
@media (prefers-color-scheme: dark) {{
body {{ background: #121211 !important; color: #ececea !important; }}
table.letter {{ background: #1c1c1a !important; }}
}}
"""


def as_html(paragraphs: Sequence[str]) -> str:
    """Return the HTML part: the same text, with no external resources."""
    return as_page("en", _elements(paragraphs))


class Action(NamedTuple):
    """What a reader does next: a button, and in plain text its address alone."""

    label: str
    address: str


def letter_of(paragraphs: Sequence[str | Action], locale: str, look: Look) -> Letter:
    """Return paragraphs in a language, and in the name of whose look it is."""
    plain = [item if isinstance(item, str) else item.address for item in paragraphs]
    html_part = as_page(locale, _elements(paragraphs), look)
    return Letter(
        as_text(plain), html_part, sender_name=look.name, reply_to=None, logo_of=look.logo_of
    )


def _elements(paragraphs: Sequence[str | Action]) -> str:
    return "\n".join(f"<p>{_inline(paragraph)}</p>" for paragraph in paragraphs)


def as_page(locale: str, inner: str, look: Look = PLAIN) -> str:
    """Return a whole HTML page in a language, given by a tag, with these elements in its letter.

    It is one narrow table, which old email programs know, too, and loads nothing.
    """
    logo = _LOGO_PLACE if look.logo_of else ""
    head = f'<tr><td class="head">{logo}{html.escape(look.name)}</td></tr>\n' if look.name else ""
    return (
        f'<!doctype html>\n<html lang="{html.escape(locale)}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<style>\n{_STYLE.format(color=look.color)}</style></head><body>\n"
        f'<table role="presentation" class="letter" align="center" width="560" cellspacing="0">\n'
        f'{head}<tr><td class="words">\n{inner}\n</td></tr></table>\n</body></html>\n'
    )


_LOGO_PLACE = "<!-- logo -->"
"""What people write is escaped, and has no comments."""

_LOGO_ID = "logo@licet"


def with_logo(page: str, logo: Logo | None, source: str) -> str:
    """Return a page with the logo in its place, if it has one; programs that hide it show a name.

    Example:
        >>> with_logo(letter.html, logo, as_data(logo))
    """
    shown = ""
    if logo is not None:
        size = f'width="{logo.width}" height="{logo.height}"'
        shown = f'<img src="{html.escape(source)}" {size} alt="">'
    return page.replace(_LOGO_PLACE, shown, 1)


def as_data(logo: Logo | None) -> str:
    """Return the address of a logo that contains it, for a page that is shown and not sent."""
    if logo is None:
        return ""
    return f"data:{logo.media_type};base64,{base64.b64encode(logo.content).decode()}"


def _inline(paragraph: str | Action) -> str:
    if isinstance(paragraph, Action):
        label, address = map(html.escape, paragraph)
        return f'<a href="{address}" class="button">{label}</a>'
    escaped = html.escape(paragraph)
    if paragraph.startswith(("https://", "http://")) and " " not in paragraph:
        return f'<a href="{escaped}">{escaped}</a>'
    return escaped


def as_bytes(
    mail_id: UUID, sender: str, email: Email, created_at: datetime, logo: Logo | None = None
) -> bytes:
    """Build the message. Its ID is that of the row, so that duplicates can be recognized.

    Raises:
        ValueError: if it would have other headers than those that are written here.
    """
    owner, address = parseaddr(sender)
    if email.letter is not None:
        owner = email.letter.sender_name or owner
    fields = [address_field("From", address, owner)]
    if email.letter is not None and email.letter.reply_to is not None:
        fields.append(address_field("Reply-To", email.letter.reply_to))
    fields += [
        address_field("To", email.recipient),
        text_field("Subject", email.subject),
        ("Date", format_datetime(created_at)),
        ("Message-ID", f"<{mail_id}@{address.partition('@')[2]}>"),
        ("Auto-Submitted", "auto-generated"),
    ]
    content = EmailMessage(policy=_SEVEN_BIT)
    content.set_content(email.text)
    page = with_logo(email.html, logo, f"cid:{_LOGO_ID}")
    content.add_alternative(page, subtype="html")
    if logo is not None and page != email.html:
        kind, _, subtype = logo.media_type.partition("/")
        [*_, shown] = content.iter_parts()
        shown.add_related(
            logo.content,
            kind,
            subtype,
            cid=f"<{_LOGO_ID}>",
            disposition="inline",
            filename=f"logo.{subtype}",
        )
    if email.letter is not None and (file := email.letter.attachment) is not None:
        content.add_attachment(file.text, subtype="csv", filename=file.name)
    return with_head(fields, content.as_bytes())
