"""Which proxy the environment, or the operating system, names for an address."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The URL of the proxy for an address, with its credentials; ``None`` if there is none."""
    parts = urlsplit(url)
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    host = parts.hostname or ""
    if not found or proxy_bypass(parts.netloc) or _is_in_network(host, proxies.get("no", "")):
        return None
    return found if "://" in found else f"http://{found}"


def without_credentials(proxy: str) -> str:
    """A proxy's name for messages."""
    try:
        parts = urlsplit(proxy)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    except ValueError:
        return ""


def _is_in_network(host: str, bypassed: str) -> bool:
    """Whether NO_PROXY names a network that contains this address."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    for item in bypassed.split(","):
        with suppress(ValueError):
            if address in ip_network(item.strip(), strict=False):
                return True
    return False
