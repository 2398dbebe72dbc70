"""Texts that users write: lengths, names, metadata, languages, links."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Meta

from licet_server.kit.emails import is_email
from licet_server.kit.errors import FieldError

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
"""A label for people, with at least one visible character."""

Line = Annotated[str, Meta(max_length=500)]
"""A short text that may be empty."""

Paragraphs = Annotated[str, Meta(max_length=20_000)]
"""A long text."""

Note = Annotated[str, Meta(min_length=1, max_length=2_000, pattern=r"\S")]
"""What somebody of a team notes for the others, with at least one visible character."""

ERASED = "(erased)"
"""The replacement of a text about an erased person."""

ERASED_ADDRESS = "erased@example.invalid"
"""The replacement of the email address of an erased person, which no one can have."""


def camel(name: str) -> str:
    """Convert `page_size` to its name in the API, `pageSize`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


_MARKS_MAX = 30
_MAYBE_MARKS = re.compile(rf"[\u0300-\U0010ffff]{{{_MARKS_MAX + 1},}}")


def composed(text: str) -> str:
    """Return the text in Unicode's composed form (NFC), in which equal texts have equal characters.

    A text with more than 30 combining marks in a row stays as it is: to sort them would take time
    that grows with the square of their number.
    """
    if text.isascii() or any(_has_many_marks(run[0]) for run in _MAYBE_MARKS.finditer(text)):
        return text
    return unicodedata.normalize("NFC", text)


def _has_many_marks(text: str) -> bool:
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > _MARKS_MAX:
            return True
    return False


def one_line(text: str) -> str:
    """Return the text on one line, with only printable characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


_LINKED = re.compile(r"(?<=\S)([.\u3002\uff0e\uff61])(?=[^\W\d_])")
"""A dot inside a word: email programs make a link of `example.com`."""


def unlinked(text: str) -> str:
    """Return a text that a stranger chose, so that no email program makes a link of it."""
    apart = text.replace("://", ": ").replace("@", " @ ")
    return _LINKED.sub(r"\1 ", apart)


def quoted(name: str) -> str:
    """Return the name on one line in double quotes; quotes in the name become apostrophes."""
    return f'"{one_line(name).replace(chr(34), chr(39))}"'


Labels = dict[str, str]

MAX_PAIRS = 50
NAME_MAX, VALUE_MAX = 100, 1000


def metadata_breaches(metadata: Mapping[str, str]) -> Iterator[FieldError]:
    """Yield what is wrong with the `metadata` of a body."""
    if len(metadata) > MAX_PAIRS:
        yield FieldError("metadata", f"must have at most {MAX_PAIRS} entries.")
    for name, value in metadata.items():
        if not 1 <= len(name) <= NAME_MAX:
            yield FieldError("metadata", f"must have names of 1 to {NAME_MAX} characters.")
        if len(value) > VALUE_MAX:
            field = f"metadata.{name[:NAME_MAX]}"
            yield FieldError(field, f"must have at most {VALUE_MAX} characters.")


_PASTED = r"[\s\u00ad\u200b-\u200f\u2060\ufeff]+"
_AROUND_PASTED = re.compile(rf"^{_PASTED}|{_PASTED}\Z")


def pasted_secret(text: str) -> str:
    """Return a secret of another service without what a paste brings around it."""
    return _AROUND_PASTED.sub("", text)


LOCALE_MAX = 35

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def normal_locale(text: str) -> str | None:
    """Return a language tag in its usual form, such as `zh-Hant-TW`; `None` if it is invalid.

    An underscore counts as a hyphen.
    """
    text = text.strip()
    if len(text) > LOCALE_MAX or _TAG.fullmatch(text) is None:
        return None
    language, *others = text.replace("_", "-").split("-")
    return "-".join([language.lower(), *map(_usual, others)])


def _usual(subtag: str) -> str:
    if len(subtag) == 2:
        return subtag.upper()
    return subtag.capitalize() if len(subtag) == 4 and subtag.isalpha() else subtag.lower()


def best_locale(wanted: str | None, available: Collection[str]) -> str | None:
    """Return the available tag for a reader: theirs, else the longest beginning of it.

    So `de` serves a reader of `de-AT`. Returns `None` if there is none; tags are in their usual
    form.
    """
    while wanted:
        if wanted in available:
            return wanted
        wanted = wanted.rpartition("-")[0]
    return None


_HOST = re.compile(r"(?:(?:[\w-]+\.)*[\w-]+\.?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
"""A name or an address, with a port. User names, escapes and placeholders are refused."""


def is_web_link(url: str) -> bool:
    """Check whether it is an http(s) URL that every browser reads alike, without a user name."""
    parts = url_parts(url)
    return (
        parts is not None
        and parts.scheme in {"https", "http"}
        and _HOST.fullmatch(parts.netloc) is not None
    )


def is_mail_link(url: str) -> bool:
    """Check whether this is a `mailto` URL with addresses, which may have a `?subject=`."""
    parts = url_parts(url)
    return (
        parts is not None
        and parts.scheme == "mailto"
        and not parts.netloc
        and all(map(is_email, unquote(parts.path).split(",")))
    )


def url_parts(url: str) -> SplitResult | None:
    """Split a URL; return `None` if it is malformed or browsers drop or change its characters."""
    if not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:
        return None
    return parts if has_port else None


_WILDCARDS = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


def start_pattern(text: str) -> str:
    """Return the pattern of SQL's `LIKE` for what begins with a text."""
    return f"{text.translate(_WILDCARDS)}%"


def part_pattern(text: str) -> str:
    """Return the pattern of SQL's `LIKE` for what contains a text."""
    return f"%{start_pattern(text)}"
