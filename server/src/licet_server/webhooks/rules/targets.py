"""Permitted URLs of webhooks: public addresses, over HTTPS."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from licet_server.kit.errors import FieldError
from licet_server.kit.outbound.targets import is_inner, split_url


def url_breaches(url: str, *, allow_private: bool) -> Iterator[FieldError]:
    """Report why a webhook cannot be sent to a URL, as far as the URL itself shows."""
    message = _breach(url, allow_private)
    if message is not None:
        yield FieldError("url", message)


def _breach(url: str, allow_private: bool) -> str | None:
    parts = split_url(url)
    if parts is None:
        return "must be a URL such as https://example.com/webhooks, in ASCII."
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        return "must begin with https://."
    if "@" in parts.netloc:
        return "must not contain a user name or password. The signature proves who sent the event."
    if "#" in url:
        return "must not contain a # part, which is never sent."
    if not allow_private and is_inner((parts.hostname or "").removesuffix(".")):
        return "must point to a public address."
    return None


def origin_of(url: str) -> str:
    """Return the scheme and host, without the rest, which may contain a secret of the receiver."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
