from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from licet._keys import ALPHABET, check_symbol, is_generated_key, mask, normal_form

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


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=128))
def test_normal_form_is_idempotent(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


def test_masking() -> None:
    assert mask("ABCDEFGHJKMNPQRSTVWXYZ012") == "...Z012"
    assert mask("12345678") == "..."
