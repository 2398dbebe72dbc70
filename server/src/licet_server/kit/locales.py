"""Language tags such as `de` and `pt-BR`: their usual form, and which of several fits a reader."""

import re
from collections.abc import Collection

LOCALE_MAX = 35

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def normal_locale(text: str) -> str | None:
    """Return a language tag in its usual form, such as `zh-Hant-TW`; `None` if it is invalid.

    An underscore counts as a hyphen.
    """
    text = text.strip()
    if len(text) > LOCALE_MAX or _TAG.fullmatch(text) is None:
        return None
    language, *others = text.replace("_", "-").split("-")
    return "-".join([language.lower(), *map(_usual, others)])


def _usual(subtag: str) -> str:
    if len(subtag) == 2:
        return subtag.upper()
    return subtag.capitalize() if len(subtag) == 4 and subtag.isalpha() else subtag.lower()


def best_locale(wanted: str | None, available: Collection[str]) -> str | None:
    """Return the available tag for a reader: theirs, else the longest beginning of it.

    So `de` serves a reader of `de-AT`. Returns `None` if there is none; tags are in their usual
    form.
    """
    while wanted:
        if wanted in available:
            return wanted
        wanted = wanted.rpartition("-")[0]
    return None
