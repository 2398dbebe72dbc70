"""Whether an address is one of the machine itself."""

import ipaddress
from urllib.parse import urlsplit


def names_this_machine(authority: str) -> bool:
    """Whether a `Host` header names the machine itself, as for a program that runs on it."""
    try:
        return is_local(urlsplit(f"//{authority}").hostname or "")
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
