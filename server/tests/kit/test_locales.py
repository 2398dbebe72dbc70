"""Language tags: one way to write each, and the one that fits a reader best."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.kit.text import LOCALE_MAX, best_locale, normal_locale


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("de_at", "de-AT"),
        ("pt-br", "pt-BR"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        (" en ", "en"),
        ("es-419", "es-419"),
        ("", None),
        ("english language", None),
        ("d", None),
        ("de-", None),
        ("de-<b>", None),
        ("de\r\nBcc: x", None),
        ("1e", None),
        ("a" * (LOCALE_MAX + 1), None),
    ],
)
def test_the_usual_form(written: str, usual: str | None) -> None:
    assert normal_locale(written) == usual


@given(st.text(max_size=50))
def test_any_text_is_a_tag_that_stays_as_it_is_or_none(text: str) -> None:
    tag = normal_locale(text)
    assert tag is None or (normal_locale(tag) == tag and tag.isascii())


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("de-AT", "de"),
        ("de", "de"),
        ("pt-BR", "pt-BR"),
        ("pt", None),
        ("zh-Hant-TW", "zh-Hant"),
        ("fr", None),
        (None, None),
    ],
)
def test_the_best_of_several(wanted: str | None, found: str | None) -> None:
    assert best_locale(wanted, {"de", "pt-BR", "zh-Hant"}) == found
