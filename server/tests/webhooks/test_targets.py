"""Where webhooks may be sent, judged by the form of their URLs."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.kit.outbound.targets import is_public
from licet_server.webhooks.rules import origin_of, url_breaches

PUBLIC = (
    "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "192.0.1.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111",
    "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2003::1", "2001:200::1",
)  # fmt: skip
NOT_PUBLIC = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
    "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.0.0.1", "192.0.2.1",
    "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1",
    "ff02::1", "100::1", "2001::1", "2001:0:5ef5:79fb::1", "2001:2::1", "2001:10::1",
    "2001:db8::1", "3fff::1", "5f00::1", "4000::1", "2001:20::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::ffff:0:8.8.8.8",
    "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8", "64:ff9b:1::1",
    "2002:7f00:1::1", "2002:a9fe:a9fe::1", "2002:808:808::1", "fe80::1%eth0", "2606:4700::1%1",
)  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_private_addresses(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_an_address_is_treated_the_same_in_every_wrapping(address: IPv4Address) -> None:
    number = int(address)
    mapped, translated = IPv6Address((0xFFFF << 32) + number), IPv6Address(f"64:ff9b::{address}")
    assert is_public(mapped) == is_public(translated) == is_public(address)
    assert not is_public(IPv6Address((0x2002 << 112) + (number << 80) + 1))
    assert not is_public(IPv6Address(number))


@given(st.ip_addresses())
def test_special_addresses_of_the_registries_are_refused(
    address: IPv4Address | IPv6Address,
) -> None:
    if is_public(address):
        assert not address.is_private
        assert not address.is_multicast
        assert not address.is_link_local
        assert not address.is_reserved or isinstance(address, IPv6Address)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://example.com/",
        "https://hooks.example.com:8443/a/b?c=d&e=%20",
        "https://EXAMPLE.com./x",
        "https://8.8.8.8/x",
        "https://[2606:4700::1111]:444/x",
        "https://xn--bcher-kva.example/x",
        "https://a_b.example.com/[x]",
        "HTTPS://example.com/",
    ],
)
def test_allowed_urls(url: str) -> None:
    assert not list(url_breaches(url, allow_private=False))


BAD_ANYWHERE = [
    "", "x", "example.com", "https://", "https:///x", "https://:443/", "ftp://example.com/",
    "file:///etc/passwd", "javascript:alert(1)", "gopher://example.com/", "//example.com/x",
    "https://user:pass@example.com/", "https://user@example.com/", "https://@example.com/",
    "https://example.com/#x", "https://example.com/\n", "https://exa mple.com/",
    "https://example.com\\@10.0.0.1/", "https://example.com:0/", "https://example.com:99999/",
    "https://example.com:x/", "https://bücher.example/", "https://\uff11\uff12\uff17.0.0.1/",
    "https://exam\tple.com/", "https://[::1/", "https://[example.com]/", "https://..example/",
    "https://" + "a" * 64 + ".example/", "https://example.com/" + "a" * 2000, "https://a%2eb.com/",
    "https://example.com,10.0.0.1/", "https://[v1.x]/", "https://[fe80::1%25eth0]/",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD_ANYWHERE[:-1])
def test_malformed_urls(url: str) -> None:
    for allow_private in (False, True):
        [breach] = url_breaches(url, allow_private=allow_private)
        assert breach.field == "url"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://a.localhost/",
        "https://printer.local/",
        "https://metadata.google.internal/computeMetadata/",
        "https://router.lan/",
        "https://intranet/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://127.0.0.1./",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:a9fe:a9fe]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:7f00:1::]/",
        "https://[fd00:ec2::254]/",
        BAD_ANYWHERE[-1],
    ],
)
def test_private_urls(url: str) -> None:
    [breach] = url_breaches(url, allow_private=False)
    assert breach.field == "url"
    if url != BAD_ANYWHERE[-1]:
        assert not list(url_breaches(url, allow_private=True))


def test_the_origin_of_a_url_contains_no_secret() -> None:
    assert origin_of("https://example.com:8443/T0/B0/secret?key=1") == "https://example.com:8443"


@given(st.text(max_size=60))
def test_no_text_breaks_the_check(text: str) -> None:
    for url in (text, f"https://{text}", f"https://example.com{text}"):
        assert len(list(url_breaches(url, allow_private=False))) <= 1
