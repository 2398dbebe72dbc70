"""License keys: normal form, check symbol, and the published vectors."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.licenses.rules.keys import (
    ALPHABET,
    can_protect,
    check_symbol,
    derive_file_key,
    new_license_key,
    normal_form,
    normal_starts,
)

VECTORS = Path(__file__).parents[3] / "vectors"
KEYS = json.loads((VECTORS / "keys.json").read_text())


def test_new_keys_have_five_groups_and_are_their_own_normal_form() -> None:
    keys = {new_license_key() for _ in range(200)}
    assert len(keys) == 200
    for key in keys:
        assert [len(group) for group in key.split("-")] == [5] * 5
        assert normal_form(key) == key.replace("-", "")


@given(st.text(ALPHABET, min_size=24, max_size=24), st.data())
def test_every_single_wrong_symbol_and_nearly_every_swap_is_found(
    payload: str, data: st.DataObject
) -> None:
    key = payload + check_symbol(payload)
    position = data.draw(st.integers(0, 24))
    other = data.draw(st.sampled_from([s for s in ALPHABET if s != key[position]]))
    wrong = key[:position] + other + key[position + 1 :]
    assert normal_form(key) == key
    assert check_symbol(wrong[:-1]) != wrong[-1]


@pytest.mark.specification("licenses.key")
@given(st.text(ALPHABET, min_size=24, max_size=24))
def test_typing_habits_do_not_matter(payload: str) -> None:
    key = payload + check_symbol(payload)
    typed = " " + key.lower().replace("1", "l").replace("0", "o") + "  "
    dashed = "-".join(typed.strip()[n : n + 4] for n in range(0, 25, 4))
    assert normal_form(typed) == normal_form(dashed) == key


@pytest.mark.parametrize("case", KEYS["valid"], ids=lambda case: case["input"])
def test_vector_normal_forms(case: dict[str, str]) -> None:
    assert normal_form(case["input"]) == case["normalForm"]


def test_vector_check_symbols() -> None:
    for case in KEYS["checkSymbols"]:
        payload, symbol = list(case.values())[:2]
        assert check_symbol(payload) == symbol


def test_vector_other_keys() -> None:
    for case in KEYS["imported"]:
        normal = normal_form(case["input"])
        assert normal == case["normalForm"]
        assert normal is not None
        assert can_protect(normal) is case["canBeProtected"]
    for text in KEYS["malformed"]:
        assert normal_form(text) is None


def meant_by(character: str) -> str | None:
    """Return what the vectors say about a character; `None` for one that no key can contain."""
    code = ord(character)
    for meant, ranges in KEYS["characters"].items():
        if any(first <= code <= last for first, last in ranges):
            return "" if meant == "dropped" else str(meant)
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    return character if " " <= character <= "~" else None


def test_every_character_is_read_as_the_vectors_say() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x11000), *range(0xE0000, 0xE1001)):
        meant = meant_by(chr(code))
        read = normal_form(f"ACME{chr(code)}key-0001")
        assert read == (None if meant is None else f"ACME{meant}key-0001"), f"U+{code:04X}"


@pytest.mark.specification("keys.derive")
def test_vector_derived_keys() -> None:
    for case in json.loads((VECTORS / "derive-key.json").read_text()):
        salt = urlsafe_b64decode(case["salt"] + "==")
        normal = normal_form(case["licenseKey"])
        assert normal == case["normalForm"]
        assert normal is not None
        derived = urlsafe_b64encode(derive_file_key(normal, salt)).rstrip(b"=").decode()
        assert derived == case["derivedKey"]


def test_the_start_of_a_key_can_be_searched() -> None:
    assert normal_starts("abcde-f") == ["ABCDEF"]
    assert normal_starts("oil") == []
    assert normal_starts("customer") == ["customer"]
