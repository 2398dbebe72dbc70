"""The objects of a file and of a service, in one form that can be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from licet_server.kit.text import quoted

Fields = Mapping[str, Any]
"""Fields by their names in the file; those of `settings` by their path, `settings.name`."""


class Kind(StrEnum):
    """The kinds of objects that can be declared, and the institution that has them."""

    PRODUCT = "product"
    FEATURE = "feature"
    ENTITLEMENT_SET = "entitlement set"
    POLICY = "policy"
    MAIL_TEMPLATE = "mail template"
    WEBHOOK = "webhook"
    INSTITUTION = "institution"

    @property
    def named_by(self) -> str:
        """The field that identifies objects of this kind."""
        return {Kind.MAIL_TEMPLATE: "kind", Kind.WEBHOOK: "url"}.get(self, "name")


@dataclass(frozen=True, slots=True)
class Key:
    """The identity of an object: its name within its product, ignoring case."""

    kind: Kind
    name: str
    product: str = ""

    @property
    def scope(self) -> "Scope":
        """The list that it belongs to."""
        return self.kind, self.product


Scope = tuple[Kind, str]
"""A list in a file: a kind, and the product whose list it is."""


INSTITUTION = Key(Kind.INSTITUTION, "")
"""That of the API key. Files do not declare it; it has templates, and tells the placeholders."""


def key_of(kind: Kind, name: str, product: str = "") -> Key:
    """Return the key of an object, and for one in a product with the product's name."""
    return Key(kind, name.lower(), product.lower())


def webhook_keys(urls: Sequence[str]) -> list[Key]:
    """Return the keys of webhooks. Those with the same URL are distinguished by their order."""
    seen: dict[str, int] = {}
    keys = []
    for url in urls:
        seen[url] = seen.get(url, 0) + 1
        keys.append(Key(Kind.WEBHOOK, url if seen[url] == 1 else f"{url}#{seen[url]}"))
    return keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An object of the file, and its path there."""

    key: Key
    fields: Fields
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """An object of the service. `license_count` is that of a product."""

    key: Key
    fields: Fields
    id: str
    license_count: int = 0


@dataclass(frozen=True, slots=True)
class Declaration:
    """A whole file: its objects, and the lists that it has, which are complete under `--prune`."""

    objects: Sequence[Declared]
    scopes: frozenset[Scope]


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason that a plan cannot be applied, with the path in the file, which may be empty."""

    path: str
    message: str


class Action(StrEnum):
    """What a step does with an object."""

    CREATE = "create"
    CHANGE = "change"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A change of one object of the service.

    `before` and `after` have the fields that differ, or all if the object is created or deleted.
    """

    action: Action
    key: Key
    label: str
    before: Fields = field(default_factory=dict)
    after: Fields = field(default_factory=dict)
    id: str | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps in the order of their dependencies, and the problems that prevent them.

    `unnamed` has the labels of objects that the file does not name and that stay.
    """

    steps: Sequence[Step]
    problems: Sequence[Problem]
    unnamed: Sequence[str]


def label_of(key: Key, fields: Fields, product_names: Mapping[str, str]) -> str:
    """Return the label of an object. The path of a webhook's URL may be a secret and is omitted."""
    if key.kind is Kind.WEBHOOK:
        parts = urlsplit(fields["url"])
        rest = "/..." if parts.path.strip("/") or parts.query else ""
        number = key.name.removeprefix(fields["url"]).removeprefix("#")
        nth = f" (number {number})" if number else ""
        return f"{key.kind} {quoted(f'{parts.scheme}://{parts.netloc}{rest}')}{nth}"
    product = product_names.get(key.product)
    inside = "" if product is None else f" of {quoted(product)}"
    return f"{key.kind} {quoted(fields[key.kind.named_by])}{inside}"
