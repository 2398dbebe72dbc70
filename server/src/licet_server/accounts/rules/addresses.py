"""Addresses and networks from where something may be done."""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address, ip_network

from licet_server.kit.errors import FieldError

MAX_RANGES = 100


def is_admitted(allow_list: Sequence[str], address: str) -> bool:
    """Whether the address is in one of these networks; without any, every address is."""
    if not allow_list:
        return True
    try:
        caller = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(caller, "ipv4_mapped", None)
    return any((mapped or caller) in ip_network(item) for item in allow_list)


def range_breaches(field: str, ranges: Sequence[str]) -> Iterator[FieldError]:
    """What is wrong with a list of addresses and networks."""
    if len(ranges) > MAX_RANGES:
        yield FieldError(field, f"takes at most {MAX_RANGES} addresses and networks.")
    for place, item in enumerate(ranges[:MAX_RANGES]):
        try:
            ip_network(item)
        except ValueError:
            message = "must be an address or a network, such as 203.0.113.7 or 2001:db8::/32."
            yield FieldError(f"{field}[{place}]", message)
