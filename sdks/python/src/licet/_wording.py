"""Sentences with their values filled in. ``licet.sentences`` has those of every language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from licet._sentences_en import SENTENCES

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PART = re.compile(r"\[([^\[\]]*)\]|\{(\w+)\}")
_MAX_WORD = 40


def english(code: str, **values: object) -> str:
    """Return the English sentence of a code; a value of ``None`` is not known.

    Raises:
        KeyError: No sentence has this code.
    """
    known = {name: plain(value) for name, value in values.items() if value is not None}
    return fill(SENTENCES[code], known)


def plain(value: object) -> str:
    """Return a value as English writes it: an amount without an exponent."""
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def fill(template: str, texts: Mapping[str, str]) -> str:
    """Put texts in the place of their names; a part in brackets needs all of those in it.

    A name outside brackets stays as it is if there is no text for it.
    """

    def part(found: re.Match[str]) -> str:
        if found[1] is None:
            return texts.get(found[2], found[0])
        if not all(name in texts for name in _PLACEHOLDER.findall(found[1])):
            return ""
        return _PLACEHOLDER.sub(lambda inner: texts[inner[1]], found[1])

    return _PART.sub(part, template)


def word(text: str) -> str:
    """Return a word that the server sent, such as a status, so that it can stand in a sentence."""
    return text[:_MAX_WORD] if text.isprintable() else "?"
