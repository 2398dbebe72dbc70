from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from licet._keys import ALPHABET, check_symbol, is_generated_key, mask, normal_form

payloads = st.text(ALPHABET, min_size=24, max_size=24)


@given(payloads)
def test_however_a_key_is_written_it_has_one_form(payload: str) -> None:
    key = payload + check_symbol(payload)
    spelled = "-".join(key[i : i + 5] for i in range(0, 25, 5)).lower()
    for written in (key, spelled, spelled.replace("-", " "), f" {key}\n"):
        assert normal_form(written) == key
    assert normal_form(key.replace("1", "I").replace("0", "o")) == key
    assert normal_form(key.replace("1", "l")) == key


@given(payloads, st.integers(0, 24), st.integers(1, 31))
def test_one_wrong_symbol_is_always_found(payload: str, at: int, by: int) -> None:
    key = payload + check_symbol(payload)
    other = ALPHABET[(ALPHABET.index(key[at]) + by) % 32]
    assert not is_generated_key(key[:at] + other + key[at + 1 :])


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=128))
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


def test_masks_say_little() -> None:
    assert mask("ABCDEFGHJKMNPQRSTVWXYZ012") == "...Z012"
    assert mask("12345678") == "..."
