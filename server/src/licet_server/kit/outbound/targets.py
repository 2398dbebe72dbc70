"""Which addresses and URLs the service may send requests to when users name them.

A host name is checked by its form when it is stored, and by all the addresses it resolves to at
each connection, since these may change in between.
"""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

URL_MAX = 2_000

Address = IPv4Address | IPv6Address

_NOT_PUBLIC_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's platform, reachable from its virtual machines only
        "169.254.0.0/16",  # link-local, cloud metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")

_PRINTABLE = re.compile(r"[!-\[\]-~]+")
_NAME = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_-]{1,63}")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_INNER_ENDINGS = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa")


def is_public(address: Address) -> bool:
    """Tell whether an address is public.

    An IPv6 address that stands for an IPv4 address, because it maps it or because a gateway
    translates it, is treated like that address.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in _NAT64:
        return is_public(IPv4Address(address.packed[-4:]))
    return address in _GLOBAL_V6 and not any(address in network for network in _NOT_PUBLIC_V6)


def split_url(url: str) -> SplitResult | None:
    """Return the parts of a URL in ASCII with a host, a name or an address; else `None`."""
    if len(url) > URL_MAX or not _PRINTABLE.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:
        return None
    return parts if has_port and _names_host(parts) else None


def _names_host(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if literal_address(host) is not None:
        return True
    return "[" not in parts.netloc and _NAME.fullmatch(host.removesuffix(".")) is not None


def literal_address(host: str) -> Address | None:
    """Return the address that a host is, unless it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_inner(name: str) -> bool:
    """Tell whether a host is neither a public address nor a possible name of a public server.

    A number is not such a name, since some resolvers read it as an address.
    """
    address = literal_address(name)
    if address is not None:
        return not is_public(address)
    *rest, last = name.lower().split(".")
    return not rest or last in _INNER_ENDINGS or _NUMBER.fullmatch(last) is not None
