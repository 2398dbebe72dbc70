"""What the service has, as a file."""

from collections.abc import Iterable, Mapping
from typing import Any

from licet_server.as_code.reading import LISTS
from licet_server.as_code.rules.model import Kind, Present
from licet_server.as_code.yaml_text import write_yaml


def export_text(products: Iterable[Present], webhooks: Iterable[Present] | None) -> str:
    """The file that declares these objects; without a list of webhooks for `None`."""
    value: dict[str, Any] = {"products": _products(products)}
    if webhooks is not None:
        value["webhooks"] = [dict(item.fields) for item in webhooks]
    return write_yaml(value)


def _products(present: Iterable[Present]) -> list[dict[str, Any]]:
    lists = {kind: name for name, kind in LISTS.items()}
    found: dict[str, dict[str, Any]] = {}
    for item in present:
        if item.key.kind is Kind.PRODUCT:
            empty = {name: list[dict[str, Any]]() for name in LISTS}
            found[item.key.name] = {**_nested(item.fields), **empty}
        else:
            found[item.key.product][lists[item.key.kind]].append(dict(item.fields))
    return list(found.values())


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
