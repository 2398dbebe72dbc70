"""Text types shared by several features: length limits, e-mail addresses, names."""

import re
from typing import Annotated

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
"""A label for people, with at least one visible character."""

Line = Annotated[str, Meta(max_length=500)]
"""A short text that may be empty."""

Paragraphs = Annotated[str, Meta(max_length=20_000)]
"""A long text."""

ERASED = "(erased)"
"""The replacement of a text about an erased person."""

ERASED_ADDRESS = "erased@example.invalid"
"""The replacement of the e-mail address of an erased person, which no one can have."""

_EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)


def is_email(text: str) -> bool:
    """Whether the text is an e-mail address as defined by HTML (ASCII, at most 254 characters).

    `=?` is refused: header parsers would decode it as the beginning of an encoded word.
    """
    return len(text) <= 254 and _EMAIL.fullmatch(text) is not None and "=?" not in text


def normal_email(text: str) -> str:
    """Normalize an e-mail address for comparison: trimmed, lower case."""
    return text.strip().lower()


def camel(name: str) -> str:
    """Convert `page_size` to its name in the API, `pageSize`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def one_line(text: str) -> str:
    """Return the text on one line, with only printable characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


_LINKED = re.compile(r"(?<=\S)([.\u3002\uff0e\uff61])(?=[^\W\d_])")
"""A dot inside a word: e-mail programs make a link of `example.com`."""


def unlinked(text: str) -> str:
    """Return a text that a stranger chose, so that no e-mail program makes a link of it."""
    apart = text.replace("://", ": ").replace("@", " @ ")
    return _LINKED.sub(r"\1 ", apart)


def quoted(name: str) -> str:
    """Return the name on one line in double quotes; quotes in the name become apostrophes."""
    return f'"{one_line(name).replace(chr(34), chr(39))}"'
