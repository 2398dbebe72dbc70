"""Normalizes and checks templates of emails."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from licet_server.as_code.rules.model import INSTITUTION, Declared, Fields, Key, Kind, Problem
from licet_server.as_code.rules.problems import nearest
from licet_server.kit.text import normal_locale, quoted

_NAMED = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")


def normal_template(fields: Fields) -> Fields:
    """Return a template as the service stores it."""
    if "translations" not in fields:
        return fields
    words = {tag: _normal_words(item) for tag, item in fields["translations"].items()}
    return {**fields, "translations": words}


def _normal_words(words: Mapping[str, str]) -> dict[str, str]:
    lines = words["body"].rstrip().splitlines()
    return {"subject": words["subject"].strip(), "body": "\n".join(lines) + "\n"}


def changed_translations(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Mapping[str, str] | None]:
    """Return the translations that differ; `None` for those that are removed."""
    removed = dict.fromkeys(tag for tag in before if tag not in after)
    return removed | {tag: words for tag, words in after.items() if before.get(tag) != words}


def wrong_templates(declared: Sequence[Declared], final: Mapping[Key, Fields]) -> Iterator[Problem]:
    """Yield invalid language tags, untranslated default languages, and unknown placeholders."""
    known = final.get(INSTITUTION, {}).get("placeholders", ())
    for item in declared:
        if item.key.kind is Kind.MAIL_TEMPLATE:
            yield from _language_faults(item, final[item.key].get("translations", {}))
            yield from _placeholder_faults(item, known)


def _language_faults(item: Declared, in_the_end: Collection[str]) -> Iterator[Problem]:
    for tag in item.fields.get("translations", {}):
        usual = normal_locale(tag)
        path = f"{item.path}.translations.{tag}"
        if usual is None:
            yield Problem(path, "must be a language tag, such as de or pt-BR.")
        elif usual != tag:
            yield Problem(path, f"must be written {quoted(usual)}.")
    default = item.fields.get("defaultLocale")
    if default is not None and default not in in_the_end:
        message = "must be the language of one of the translations."
        yield Problem(f"{item.path}.defaultLocale", message)


def _placeholder_faults(item: Declared, known: Collection[str]) -> Iterator[Problem]:
    for tag, words in item.fields.get("translations", {}).items():
        for field, text in words.items():
            for name in dict.fromkeys(_NAMED.findall(text)):
                if name not in known:
                    message = f"has the placeholder {{{name}}}, which does not exist."
                    path = f"{item.path}.translations.{tag}.{field}"
                    yield Problem(path, message + nearest(name, known))
