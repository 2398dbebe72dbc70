"""An email address is read in one form, whoever wrote it, and compared in one form."""

import pytest

from licet_server.kit.emails import is_email, normal_email, read_email

READ = {
    "jane@example.com": "jane@example.com",
    " Jane.Doe@Example.com\t": "Jane.Doe@Example.com",
    "jane@example.com.": "jane@example.com",
    "Jane Doe <jane@example.com>": "jane@example.com",
    '"Doe, Jane" <jane@example.com.> ': "jane@example.com",
    "Doe, Jane <jane@example.com>": "jane@example.com",
    "jane@example.com <jane@example.com>": "jane@example.com",
    "=?utf-8?q?=0aBcc=3a_x?= <jane@example.com>": "jane@example.com",
    "Jane\r\nBcc: x <jane@example.com>": "jane@example.com",
    "<jane@example.com>": "jane@example.com",
    "mailto:jane@example.com": "jane@example.com",
    "MailTo:Jane@example.com": "Jane@example.com",
    "\u202ajane@example.com\u202c": "jane@example.com",
    "Jane <jane@example.com>\u200e": "jane@example.com",
    "jane\uff20example.com": "jane@example.com",
    "\uff2aane@\uff45xample\uff0ecom": "Jane@example.com",
    "\u212aate@example.com": "kate@example.com",
    "jane @ example.com": "jane@example.com",
    "\ufeffjane@\u200bexample.com\u00a0": "jane@example.com",
    "jane@müller.example": "jane@xn--mller-kva.example",
    "jane@MU\u0308LLER.example.": "jane@xn--mller-kva.example",
    "jane@例え。jp": "jane@xn--r8jz45g.jp",
    "jane@xn--mller-kva.example": "jane@xn--mller-kva.example",
    "JU\u0308RGEN@example.com": "jürgen@example.com",
    "अजय@डाटा.भारत": "अजय@xn--c2bd1gb.xn--h2brj9c",
    "a@" + "b." * 100 + "de": "a@" + "b." * 100 + "de",
    "jane@localhost": "jane@localhost",
}

NONE = [
    "",
    "jane",
    "@example.com",
    "jane@",
    "jane@.",
    "jane@example.com..",
    "jane@exa mple.com",
    "ja ne@example.com",
    "jane@example.com, joe@example.com",
    "jane@example.com, Joe <joe@example.com>",
    "<jane@example.com> <joe@example.com>",
    "Jane <jane@example.com",
    "=?utf-8?q?x=0d=0aBcc=3ax?=@example.com",
    "jane\r\nBcc: joe@example.com",
    "jane\u202e@example.com",
    "\u202ejane@example.com",
    "ja\u2028ne@example.com",
    "ja\x85ne@example.com",
    "jane\ud800@example.com",
    "jane@💩.example",
    "jane@-müller.example",
    "jane@mül_ler.example",
    "ü" * 33 + "@example.com",
    "a" * 65 + "@example.com",
    "jane@" + "ü" * 70 + ".example",
    "a@" + "b." * 130 + "de",
    "x" * 2_000 + " <jane@example.com>",
    "jane@" + "ü" * 100_000,
]


@pytest.mark.parametrize("text", READ)
def test_an_address_is_read_as_it_is_meant(text: str) -> None:
    found = read_email(text)
    assert found == READ[text]
    assert is_email(found)
    assert read_email(found) == found, "what was read is read as it is"


@pytest.mark.parametrize("text", NONE)
def test_what_no_mail_can_be_sent_to_is_no_address(text: str) -> None:
    assert read_email(text) is None
    assert not is_email(text)


def test_addresses_of_one_mailbox_compare_as_equal() -> None:
    written = [
        "Jane@Müller.example",
        "jane@xn--mller-kva.example.",
        "J <JANE@XN--MLLER-KVA.EXAMPLE>",
    ]
    assert len({normal_email(text) for text in written}) == 1
    assert normal_email(" Not An Address ") == "not an address"
