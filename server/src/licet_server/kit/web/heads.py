"""Reads the head of a request in one way only: what two readers may read in two ways is refused.

A proxy in front may take the first of two headers and the service the last, so whoever can choose
between them chooses what the proxy checked.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

Headers = Sequence[tuple[bytes, bytes]]

SINGLE = frozenset(
    {
        b"authorization",
        b"content-length",
        b"content-type",
        b"host",
        b"idempotency-key",
        b"transfer-encoding",
        b"x-api-key",
    }
)
"""The headers that a request may have once; their values are no lists."""

_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._~!$&'()*+;=%-]+)(?::[0-9]{0,5})?")


def breach_of_head(headers: Headers, version: str) -> str | None:
    """Return what is wrong with the headers of a request, whose names are in lower case."""
    fields = dict(headers)
    if len(fields) != len(headers) and (name := _repeated(headers)) is not None:
        return f"The header {name.decode()} must be sent once."
    host = fields.get(b"host")
    if host is None:
        if version != "1.0":
            return "The header host is missing."
    elif not _is_host(host):
        return "The header host must be a name or an address, and possibly a port."
    coding = fields.get(b"transfer-encoding")
    if coding is not None and (version == "1.0" or coding.lower() != b"chunked"):
        return "The only transfer coding is chunked, in HTTP/1.1."
    return None


@lru_cache(64)  # nearly all requests name the same few
def _is_host(host: bytes) -> bool:
    return _HOST.fullmatch(host) is not None


def combined(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the headers by name; several lines of one name are one list, as RFC 9110 has it."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name not in found:
            found[name] = value
        else:
            found[name] += (b"; " if name == b"cookie" else b", ") + value
    return found


def _repeated(headers: Headers) -> bytes | None:
    seen: set[bytes] = set()
    for name, _ in headers:
        if name in SINGLE and name in seen:
            return name
        seen.add(name)
    return None
