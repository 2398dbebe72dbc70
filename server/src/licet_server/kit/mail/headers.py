"""The head of an e-mail. Texts are written here, and never parsed by a library.

Header parsers decode encoded words (RFC 2047), line breaks included, so that a name such as
`=?utf-8?q?=0aBcc=3a_x?=` could become a header. Here, a text of people has none: not as it is
written, and not once it is decoded.
"""

import re
from collections.abc import Sequence
from email.header import Header

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
        raise ValueError(f"{name} is no e-mail address.")
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
