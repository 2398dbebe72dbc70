"""Email addresses, as people and shops write them: read in one form, compared in one form."""

import re
import unicodedata

import idna

from licet_server.kit.characters import FULL_WIDTH

MAX_ADDRESS = 254
_MAX_LOCAL = 64
_MAX_WRITTEN = 1_000

_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+")
_LETTERS = {"L", "M", "N"}
"""Categories of the characters outside ASCII that an address may have."""

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_COPIED = r"[\s\u200e\u200f\u202a\u202c\u2066-\u2069]+"
_AROUND = re.compile(rf"^{_COPIED}|{_COPIED}\Z")
"""Blanks and text directions that come with what is copied; overrides could show another name."""
_SCHEME = re.compile("^mailto:", re.IGNORECASE)
_NAMED = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|[^<>\"]*)\s*<([^<>]*)>")
_LISTED = re.compile(r"@.*[,;]|[,;].*@", re.DOTALL)


def read_email(text: str) -> str | None:
    """Return the address in a text of a person or a shop, in the form that is stored.

    `Jane <jane@example.com>` is read, blanks around the address and a dot after it are dropped,
    letters of full width are those of ASCII, and the labels of an international domain become
    A-labels. A part before the @ with other letters
    than those of ASCII is in lower case and composed (NFC). Returns `None` if there is no address
    that mail could be sent to.
    """
    if len(text) > _MAX_WRITTEN:
        return None
    written = _AROUND.sub("", _INVISIBLE.sub("", text)).translate(FULL_WIDTH)
    if (named := _NAMED.fullmatch(written)) is not None:
        name = written[: named.start(1) - 1]
        if not name.lstrip().startswith('"') and _LISTED.search(name):
            return None
        written = named[1]
    local, at, domain = _SCHEME.sub("", written.strip(), count=1).rpartition("@")
    found = f"{_local(local.strip())}{at}{domain_in_ascii(domain.strip())}"
    return found if is_email(found) else None


def is_email(text: str) -> bool:
    """Check whether this is an address in the form that is stored.

    It is one as defined by HTML, except for letters of any script before the @. `=?` is refused:
    header parsers would decode it as the beginning of an encoded word.
    """
    local, at, domain = text.rpartition("@")
    return (
        at != ""
        and len(text.encode(errors="replace")) <= MAX_ADDRESS
        and len(local.encode(errors="replace")) <= _MAX_LOCAL
        and _LOCAL.fullmatch(local) is not None
        and all(char < "\x80" or unicodedata.category(char)[0] in _LETTERS for char in local)
        and _DOMAIN.fullmatch(domain) is not None
        and "=?" not in text
    )


def normal_email(text: str) -> str:
    """Return an address in the form in which addresses are compared: as it is read, in lower case.

    What is no address is only trimmed.
    """
    return (read_email(text) or text.strip()).lower()


def _local(written: str) -> str:
    return written if written.isascii() else unicodedata.normalize("NFC", written.lower())


def domain_in_ascii(written: str) -> str:
    """Return a domain in ASCII without a dot at its end; an empty text if it has none."""
    if not written.isascii():
        try:
            written = idna.encode(written, uts46=True, std3_rules=True).decode()
        except (idna.IDNAError, UnicodeError):
            return ""
    return written.removesuffix(".")
