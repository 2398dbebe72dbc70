from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from licet_testkit import KEYS

from licet._keys import ALPHABET, check_symbol, is_generated_key, key_in_file, mask, normal_form

payloads = st.text(ALPHABET, min_size=24, max_size=24)


@given(payloads)
def test_all_spellings_have_one_normal_form(payload: str) -> None:
    key = payload + check_symbol(payload)
    spelled = "-".join(key[i : i + 5] for i in range(0, 25, 5)).lower()
    for written in (key, spelled, spelled.replace("-", " "), f" {key}\n"):
        assert normal_form(written) == key
    assert normal_form(key.replace("1", "I").replace("0", "o")) == key
    assert normal_form(key.replace("1", "l")) == key


@given(payloads, st.integers(0, 24), st.integers(1, 31))
def test_every_single_symbol_error_is_detected(payload: str, at: int, by: int) -> None:
    key = payload + check_symbol(payload)
    other = ALPHABET[(ALPHABET.index(key[at]) + by) % 32]
    assert not is_generated_key(key[:at] + other + key[at + 1 :])


@given(st.text(min_size=8, max_size=128))
def test_normal_form_is_idempotent(text: str) -> None:
    normal = key_in_file(text)
    assert normal is None or normal_form(normal) == normal


def meant_by(character: str) -> str | None:
    """What the vectors say about a character; ``None`` for one that no key can contain."""
    code = ord(character)
    for meant, ranges in KEYS["characters"].items():
        if any(first <= code <= last for first, last in ranges):
            return "" if meant == "dropped" else meant
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    return character if " " <= character <= "~" else None


def test_every_character_is_read_as_the_vectors_say() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x11000), *range(0xE0000, 0xE1001)):
        meant = meant_by(chr(code))
        read = key_in_file(f"ACME{chr(code)}key-0001")
        assert read == (None if meant is None else f"ACME{meant}key-0001"), f"U+{code:04X}"


def test_masking() -> None:
    assert mask("ABCDEFGHJKMNPQRSTVWXYZ012") == "...Z012"
    assert mask("12345678") == "..."
