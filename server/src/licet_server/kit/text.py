"""Shapes of texts that several features take: limits in characters, e-mail addresses, names."""

import re
from typing import Annotated

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
"""A label for people, with at least one visible character."""

Line = Annotated[str, Meta(max_length=500)]
"""A short text that may be empty."""

Paragraphs = Annotated[str, Meta(max_length=20_000)]
"""A long text."""

_EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)


def is_email(text: str) -> bool:
    """Whether the text is an address as HTML's e-mail field takes it (ASCII, 254 at most)."""
    return len(text) <= 254 and _EMAIL.fullmatch(text) is not None


def normal_email(text: str) -> str:
    """The form in which addresses are compared: trimmed, lower case."""
    return text.strip().lower()


def camel(name: str) -> str:
    """`page_size` as it stands on the wire: `pageSize`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def one_line(text: str) -> str:
    """The text in one line of what can be seen, whatever somebody gave as a name."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def quoted(name: str) -> str:
    """The name in one line and in quotes, without any of its own, which could end them."""
    return f'"{one_line(name).replace(chr(34), chr(39))}"'
