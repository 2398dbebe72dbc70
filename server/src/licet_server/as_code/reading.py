"""Reads and checks a file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from licet_server.as_code.errors import FileRefused
from licet_server.as_code.rules.mail_templates import normal_template
from licet_server.as_code.rules.model import (
    Declaration,
    Declared,
    Kind,
    Problem,
    Scope,
    key_of,
    webhook_keys,
)
from licet_server.as_code.rules.problems import nearest
from licet_server.as_code.schemas import File
from licet_server.as_code.yaml_text import MAX_BYTES, NotReadable, read_yaml
from licet_server.kit.errors import FieldError, Refused
from licet_server.kit.web.body import read_body

LISTS = {
    "features": Kind.FEATURE,
    "entitlementSets": Kind.ENTITLEMENT_SET,
    "policies": Kind.POLICY,
    "mailTemplates": Kind.MAIL_TEMPLATE,
}
"""The lists of a product in the file."""
OUTER_LISTS = {
    "products": Kind.PRODUCT,
    "mailTemplates": Kind.MAIL_TEMPLATE,
    "webhooks": Kind.WEBHOOK,
}
"""The lists of the file itself."""

_UNKNOWN = "is not a field of this request."
_encoder = msgspec.json.Encoder(decimal_format="number")
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""A fixed time, since no rule of the format depends on it."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file: what it declares, and the line of each path."""

    file: Path
    declaration: Declaration
    lines: Mapping[str, int]

    def refusal(self, problems: Sequence[Problem]) -> FileRefused:
        """Return the error that lists the problems with their lines."""
        return FileRefused(self.file, [(_line(self.lines, item.path), item) for item in problems])


def read_file(file: Path) -> SourceFile:
    """Read and check a file.

    Raises:
        FileRefused: naming every fault with its line and path.
        OSError: it cannot be opened.
    """
    with file.open("rb") as source:
        raw = source.read(MAX_BYTES + 1)
    try:
        value, lines = read_yaml(raw.decode())
    except UnicodeDecodeError:
        raise FileRefused(file, [(None, Problem("", "The file is not UTF-8 text."))]) from None
    except NotReadable as fault:
        raise FileRefused(file, [(fault.line, fault.problem)]) from None
    value = {} if value is None else value
    if not isinstance(value, dict):
        message = f"The file must have {' or '.join(OUTER_LISTS)}, and each begins a line."
        raise FileRefused(file, [(1, Problem("", message))])
    try:
        read_body(_encoder.encode(value), File, lambda: _NEVER)
    except Refused as refused:
        faults = [_reworded(error) for error in refused.errors]
        raise FileRefused(file, [(_line(lines, item.path), item) for item in faults]) from None
    return SourceFile(file, declaration_of(value), lines)


def declaration_of(value: Mapping[str, Any]) -> Declaration:
    """Return the declaration of a checked value."""
    return Declaration(list(_objects(value)), frozenset(_scopes(value)))


def _objects(value: Mapping[str, Any]) -> Iterator[Declared]:
    for at, product in enumerate(value.get("products", [])):
        path = f"products[{at}]"
        own = {name: item for name, item in product.items() if name not in LISTS}
        key = key_of(Kind.PRODUCT, product["name"])
        yield Declared(key=key, fields=flat(own), path=path)
        for name, kind in LISTS.items():
            yield from _list(kind, product.get(name, []), f"{path}.{name}", product["name"])
    yield from _list(Kind.MAIL_TEMPLATE, value.get("mailTemplates", []), "mailTemplates")
    webhooks = value.get("webhooks", [])
    keys = webhook_keys([item["url"] for item in webhooks])
    for at, (key, item) in enumerate(zip(keys, webhooks, strict=True)):
        yield Declared(key=key, fields=item, path=f"webhooks[{at}]")


def _list(
    kind: Kind, items: Sequence[Mapping[str, Any]], path: str, product: str = ""
) -> Iterator[Declared]:
    for at, item in enumerate(items):
        fields = normal_template(item) if kind is Kind.MAIL_TEMPLATE else item
        key = key_of(kind, item[kind.named_by], product)
        yield Declared(key=key, fields=fields, path=f"{path}[{at}]")


def _scopes(value: Mapping[str, Any]) -> Iterator[Scope]:
    """Yield the lists that the file has, also empty ones."""
    yield from ((kind, "") for name, kind in OUTER_LISTS.items() if name in value)
    for product in value.get("products", []):
        yield from ((LISTS[name], product["name"].lower()) for name in LISTS if name in product)


def flat(product: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a product, with those of its settings by their path."""
    fields = {name: item for name, item in product.items() if name != "settings"}
    settings = product.get("settings", {})
    return fields | {f"settings.{name}": item for name, item in settings.items()}


def _reworded(error: FieldError) -> Problem:
    """Return a problem in the terms of a file; for an unknown field, suggest the nearest name."""
    if error.message != _UNKNOWN:
        return Problem(error.field, error.message)
    outer, _, name = error.field.rpartition(".")
    return Problem(error.field, f"is not a field here.{nearest(name, _fields_at(outer))}")


def _fields_at(path: str) -> list[str]:
    """Return the names of the fields that an object at a path may have."""
    kind: Any = File
    for step in filter(None, re.sub(r"\[\d+\]", "", path).split(".")):
        named = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        kind = next(iter(_structs(named.get(step))), None)
        if kind is None:
            return []
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def _structs(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _structs(inner)


def _line(lines: Mapping[str, int], path: str) -> int | None:
    """Return the line of a path, or of the object around it."""
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines[path] if path else None
