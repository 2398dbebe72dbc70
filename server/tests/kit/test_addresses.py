"""What counts as one address in a limit."""

import pytest

from licet_server.kit.addresses import network_of, plain


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::FFFF:cb00:7107", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:0DB8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("not: an address", "not: an address"),
        ("", ""),
        (None, ""),
    ],
)
def test_ipv4_counts_alone_and_ipv6_by_its_network(address: str | None, network: str) -> None:
    assert network_of(address) == network


def test_plain_leaves_what_is_no_mapped_address() -> None:
    assert [plain(item) for item in ("2001:db8::1", "203.0.113.7", "x:y")] == [
        "2001:db8::1",
        "203.0.113.7",
        "x:y",
    ]
