"""Allow lists of IP addresses and networks.

IPv4 addresses that are written as IPv6 (`::ffff:203.0.113.7`) count as IPv4.
"""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address, ip_network

from licet_server.kit.addresses import plain
from licet_server.kit.errors import FieldError

MAX_RANGES = 100


def is_admitted(allow_list: Sequence[str], address: str) -> bool:
    """Check whether the list contains the IP address; an empty list allows every address."""
    if not allow_list:
        return True
    try:
        caller = ip_address(plain(address))
    except ValueError:
        return False
    return any(caller in ip_network(item) for item in allow_list)


def range_breaches(field: str, ranges: Sequence[str]) -> Iterator[FieldError]:
    """Yield what is wrong with an allow list."""
    if len(ranges) > MAX_RANGES:
        yield FieldError(field, f"must have at most {MAX_RANGES} addresses and networks.")
    for index, item in enumerate(ranges[:MAX_RANGES]):
        message = "must be an IP address or a network, for example 203.0.113.7 or 2001:db8::/32."
        try:
            first = ip_network(item).network_address
        except ValueError:
            yield FieldError(f"{field}[{index}]", message)
        else:
            if getattr(first, "ipv4_mapped", None) is not None:
                yield FieldError(
                    f"{field}[{index}]", "must be written as IPv4, for example 203.0.113.7."
                )
