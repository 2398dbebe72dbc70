"""Placeholders: a closed set of names in braces, which stand for facts of a license.

Braces around anything but a name are text like any other.
"""

import re
from collections.abc import Iterator, Mapping

Values = Mapping[str, str | None]
"""Values by the names of placeholders; `None` is a fact that a license does not have."""

PORTAL = "portal"

PLACEHOLDERS: Mapping[str, str] = {
    "customer": "name of the customer, or their e-mail address if no name is known",
    "daysLeft": "days until the license ends; only if it ends",
    "email": "e-mail address that the license is issued to",
    "expirationDate": "day on which the license ends, such as 2027-03-01; only if it ends",
    "graceUntil": "day until which an ended license still works; only then",
    "licenseKey": "license key",
    "licenseName": "name of the license",
    "licenseType": "model of the license, such as Subscription",
    "portal": "address of the page where customers see their licenses, as a link",
    "product": "name of the product",
    "release": "version that the license is for",
    "replyTo": "e-mail address that replies go to; only if the template has one",
    "seats": "number of seats; only for models that count them",
    "termDays": "days that the license lasts from its first use; only until then",
    "vendor": "name of your institution",
}
"""All placeholders, and what each stands for."""

_NAMED = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")
_GAP = re.compile(r"\n{3,}")


def unknown_in(text: str) -> list[str]:
    """Return the names in braces that are no placeholders, each once, in their order."""
    names = dict.fromkeys(names_in(text))
    return [name for name in names if name not in PLACEHOLDERS]


def list_of_all() -> str:
    """Return all placeholders, as a text names them."""
    return ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)


def filled(text: str, values: Values) -> str:
    """Return the text with values instead of placeholders."""
    return _NAMED.sub(lambda found: _value(found, values), text)


def names_in(text: str) -> list[str]:
    """Return the names in braces, each as often as it is there."""
    return _NAMED.findall(text)


def parts_of(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the pieces of a text, each followed by the name of a placeholder, or by `None`."""
    pieces = _NAMED.split(text)
    for at in range(0, len(pieces), 2):
        yield pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None


def without_missing(text: str, values: Values) -> str:
    """Return the text without the lines that name a fact that the license does not have."""
    lines = text.split("\n")
    kept = [
        line for line in lines if all(_has_value(name, values) for name in _NAMED.findall(line))
    ]
    return text if len(kept) == len(lines) else _GAP.sub("\n\n", "\n".join(kept))


def _has_value(name: str, values: Values) -> bool:
    return name not in PLACEHOLDERS or bool(values.get(name))


def _value(found: re.Match[str], values: Values) -> str:
    name = found[1]
    return (values.get(name) or "") if name in PLACEHOLDERS else found[0]
