"""IP addresses: their form, what counts as one caller, and which are this machine's."""

import ipaddress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

_HOST_BITS_PREFIX = 64


def plain(address: str) -> str:
    """Return the address; IPv4 that is written as IPv6 (`::ffff:203.0.113.7`) as IPv4."""
    if ":" not in address:
        return address
    try:
        mapped = getattr(ip_address(address), "ipv4_mapped", None)
    except ValueError:
        return address
    return str(mapped or address)


def network_of(address: str | None) -> str:
    """Return what a limit counts: an IPv4 address, or the /64 of an IPv6 address.

    Whoever has one IPv6 address usually has all 2^64 of its network.
    """
    written = plain(address or "")
    if ":" not in written:
        return written
    try:
        parsed = IPv6Address(written.partition("%")[0])
    except ValueError:
        return written
    return str(IPv6Network((int(parsed), _HOST_BITS_PREFIX), strict=False))


def is_trusted(address: str, trusted: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    """Return whether the address is one of the configured proxies."""
    if not trusted:
        return False
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in trusted)


def names_this_machine(authority: str) -> bool:
    """Return whether a `Host` header names the machine itself, as for a program that runs on it."""
    try:
        return is_local(urlsplit(f"//{authority}").hostname or "")
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Return whether a host is `localhost` or a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
