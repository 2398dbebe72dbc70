"""Codes that people type: every single wrong symbol and every swap is found, and in which group."""

import json
from hashlib import shake_256
from typing import Any

import pytest
from devices.proving import KeyOfDevice

from licet_server.kit.errors import Refused
from licet_server.licenses.rules.keys import ALPHABET
from licet_server.offline.rules.codes import CODE_BYTES, Code, CodeFault, print_code, read_code
from licet_server.offline.rules.requests import read_asked

GROUP = 5


def some_code(seed: int = 1) -> Code:
    raw = shake_256(str(seed).encode()).digest(CODE_BYTES - 1)
    return Code(int.from_bytes(raw[:3], "big"), raw[3:])


def plain_of(code: Code) -> str:
    return print_code(code).replace("-", "")


def test_a_code_is_read_as_it_was_printed() -> None:
    for seed in range(50):
        code = some_code(seed)
        printed = print_code(code)
        assert [len(group) for group in printed.split("-")] == [GROUP] * 27 + [2]
        assert read_code(printed) == code
        typed = printed.lower().replace("-", " \u2013\n").replace("1", "l").replace("0", "o")
        assert read_code(typed) == code


def test_every_single_wrong_symbol_is_found_in_its_group() -> None:
    plain = plain_of(some_code())
    for at, right in enumerate(plain):
        for wrong in ALPHABET:
            if wrong != right:
                typed = plain[:at] + wrong + plain[at + 1 :]
                assert read_code(typed) == CodeFault(at // GROUP + 1), (at, wrong)


def test_every_swap_of_neighbors_is_found_in_its_group() -> None:
    for seed in range(20):
        plain = plain_of(some_code(seed))
        for at in range(len(plain) - 1):
            first, second = plain[at], plain[at + 1]
            if first != second:
                typed = plain[:at] + second + first + plain[at + 2 :]
                assert read_code(typed) == CodeFault(at // GROUP + 1), (seed, at)


def test_every_swap_of_neighboring_groups_is_found() -> None:
    for seed in range(20):
        groups = print_code(some_code(seed)).split("-")
        for at in range(len(groups) - 2):
            if groups[at] != groups[at + 1]:
                swapped = [*groups]
                swapped[at], swapped[at + 1] = groups[at + 1], groups[at]
                assert read_code("-".join(swapped)) == CodeFault(at + 1), (seed, at)


def test_a_code_of_another_length_is_found_where_it_ends() -> None:
    plain = plain_of(some_code())
    for length in range(len(plain)):
        assert read_code(plain[:length]) == CodeFault(length // GROUP + 1)
    for more in ("0", "\u00fc", ALPHABET * 10):
        assert read_code(plain + more) == CodeFault(28)
    assert read_code("U" + plain[1:]) == CodeFault(1), "no symbol of the alphabet"


def asked_by(device: KeyOfDevice, *, claims: dict[str, Any] | None = None, **header: Any) -> str:
    said = {
        "aud": "01920000-0000-7000-8000-000000000001",
        "kind": "Activate",
        "hardwareId": "machine-1",
        "nonce": "A" * 22,
        "seq": 1,
        "iat": 1,
        **(claims or {}),
    }
    return device.sign(json.dumps(said).encode(), **{"typ": "licet-req+jwt", **header})


def test_every_flipped_byte_of_a_request_and_every_cut_is_refused() -> None:
    text = asked_by(KeyOfDevice())
    for pasted in (
        f"\n {text[:40]} \n {text[40:]} ",
        f"\ufeff{text[:40]}\u200b{text[40:50]}\u00ad{text[50:]}\u2028",
        text.replace("-", "\u2010").replace(".", "\uff0e"),
        f"https://licenses.example.com/o#{text}",
    ):
        assert read_asked(pasted) == read_asked(text)
    for at in range(len(text)):
        for bit in (1, 2, 4, 32):
            flipped = text[:at] + chr(ord(text[at]) ^ bit) + text[at + 1 :]
            with pytest.raises(Refused, match=r"request") as caught:
                read_asked(flipped)
            assert [item.field for item in caught.value.errors] == ["request"]
    for length in range(len(text)):
        with pytest.raises(Refused) as caught:
            read_asked(text[:length])
        if length > 100:
            assert "is cut off" in caught.value.detail, length


@pytest.mark.parametrize("typ", ["dpop+jwt", "receipt+jwt", "license+jwt"])
def test_what_a_device_signed_for_something_else_is_no_request(typ: str) -> None:
    with pytest.raises(Refused):
        read_asked(asked_by(KeyOfDevice(), typ=typ))


BAD_CLAIMS: list[dict[str, Any]] = [
    {"aud": "aurora"},
    {"kind": "Lease"},
    {"kind": None},
    {"licenseKeyHash": "short"},
    {"licenseKeyHash": "?" * 43},
    {"hardwareId": ""},
    {"hardwareId": "  "},
    {"hardwareId": "h" * 257},
    {"hardwareId": "machine\x00"},
    {"hardwareId": "machine\ud800"},
    {"deviceName": "\ud800"},
    {"deviceName": "n" * 257},
    {"appVersion": 2},
    {"nonce": "A" * 21},
    {"nonce": "A" * 22 + "\n"},
    {"nonce": "+" * 22},
    {"seq": 0},
    {"seq": 2**31},
    {"seq": 1.5},
    {"seq": "1"},
    {"iat": -1},
    {"iat": 253_402_300_800},
    {"base": ""},
    {"base": "b" * 65},
    {"file": "two words"},
]


@pytest.mark.parametrize("number", range(len(BAD_CLAIMS)))
def test_a_request_with_a_bad_claim_is_refused(number: int) -> None:
    with pytest.raises(Refused):
        read_asked(asked_by(KeyOfDevice(), claims=BAD_CLAIMS[number]))


def test_a_request_whose_header_says_anything_else_is_refused() -> None:
    device, other = KeyOfDevice(), KeyOfDevice()
    for header in ({"kid": "1"}, {"jwk": other.jwk}, {"jwk": {**device.jwk, "use": "sig"}}):
        with pytest.raises(Refused):
            read_asked(asked_by(device, **header))
    with pytest.raises(Refused, match="too long"):
        read_asked(asked_by(device, claims={"more": "x" * 2_048}))
