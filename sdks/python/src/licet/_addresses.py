"""Which addresses may be contacted: over TLS any, without it only this computer."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_protected_address(url: str) -> bool:
    """Whether nobody on the way can read or change what is sent to this URL."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (
        parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))
    )


def is_loopback(host: str) -> bool:
    """Whether a host name is that of this computer."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
