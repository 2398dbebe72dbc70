"""Whose address a request comes from: proxies are believed only when they are trusted."""

from ipaddress import ip_network

import pytest

from licet_server.kit.addresses import is_trusted
from licet_server.kit.web.context import client_address

PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.parametrize(
    ("peer", "hops", "expected"),
    [
        ("203.0.113.5", ["1.2.3.4"], "203.0.113.5"),
        ("10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["6.6.6.6", "1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4", "10.9.9.9"], "1.2.3.4"),
        ("10.0.0.1", ["evil", "10.9.9.9"], "10.9.9.9"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["6.6.6.6", "1.2.3.4", "", " "], "1.2.3.4"),
        ("10.0.0.1", ["6.6.6.6", "1.2.3.4:5678"], "10.0.0.1"),
        ("::1", ["2001:DB8::7"], "2001:db8::7"),
    ],
)
def test_the_nearest_untrusted_hop_is_the_client(peer: str, hops: list[str], expected: str) -> None:
    assert client_address(peer, hops, PROXIES) == expected


def test_what_is_no_address_is_not_trusted() -> None:
    assert not is_trusted("unix:", PROXIES)
    assert not is_trusted("10.0.0.1", ())
