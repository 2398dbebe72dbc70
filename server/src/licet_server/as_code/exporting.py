"""Exports the objects of a service as a file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from licet_server.as_code.reading import LISTS
from licet_server.as_code.rules.model import Fields, Kind, Present, Scope
from licet_server.as_code.yaml_text import write_yaml


def export_text(present: Iterable[Present], webhooks: Iterable[Present] | None) -> str:
    """Return the file that declares these objects; `None` omits the list of webhooks."""
    lists: dict[Scope, list[Fields]] = defaultdict(list)
    for item in present:
        lists[item.key.scope].append(dict(item.fields))
    value: dict[str, Any] = {
        "products": [_product(fields, lists) for fields in lists[Kind.PRODUCT, ""]],
        "mailTemplates": lists[Kind.MAIL_TEMPLATE, ""],
    }
    if webhooks is not None:
        value["webhooks"] = [dict(item.fields) for item in webhooks]
    return write_yaml(value)


def _product(fields: Fields, lists: Mapping[Scope, list[Fields]]) -> dict[str, Any]:
    name = fields["name"].lower()
    return _nested(fields) | {of: lists.get((kind, name), []) for of, kind in LISTS.items()}


def _nested(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a product with its settings as an object."""
    product: dict[str, Any] = {}
    for path, value in fields.items():
        outer, _, inner = path.partition(".")
        if inner:
            product.setdefault(outer, {})[inner] = value
        else:
            product[outer] = value
    return product
