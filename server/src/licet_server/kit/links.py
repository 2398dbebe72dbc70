"""Which links of people are shown and mailed: those that lead where they seem to."""

import re
from urllib.parse import SplitResult, unquote, urlsplit

from licet_server.kit.text import is_email

_HOST = re.compile(r"(?:(?:[\w-]+\.)*[\w-]+\.?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
"""A name or an address, with a port. User names, escapes and placeholders are refused."""


def is_web_link(url: str) -> bool:
    """Whether it is an http(s) URL that every browser reads alike, and without a user name."""
    parts = _parts_of(url)
    return (
        parts is not None
        and parts.scheme in {"https", "http"}
        and _HOST.fullmatch(parts.netloc) is not None
    )


def is_mail_link(url: str) -> bool:
    """Check whether this is a `mailto` URL with addresses, which may have a `?subject=`."""
    parts = _parts_of(url)
    return (
        parts is not None
        and parts.scheme == "mailto"
        and not parts.netloc
        and all(map(is_email, unquote(parts.path).split(",")))
    )


def _parts_of(url: str) -> SplitResult | None:
    """Split a URL, unless it has characters that browsers drop or turn into others."""
    if not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:
        return None
    return parts if has_port else None
