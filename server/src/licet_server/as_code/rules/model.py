"""What a file declares and what a service has, in one form that can be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from licet_server.kit.text import quoted

Fields = Mapping[str, Any]
"""Fields by their names in the file; those of `settings` by their path, `settings.name`."""


class Kind(StrEnum):
    """What can be declared, and the institution around it."""

    PRODUCT = "product"
    FEATURE = "feature"
    ENTITLEMENT_SET = "entitlement set"
    POLICY = "policy"
    MAIL_TEMPLATE = "mail template"
    WEBHOOK = "webhook"
    INSTITUTION = "institution"

    @property
    def named_by(self) -> str:
        """The field that tells its objects apart."""
        return {Kind.MAIL_TEMPLATE: "kind", Kind.WEBHOOK: "url"}.get(self, "name")


@dataclass(frozen=True, slots=True)
class Key:
    """What tells an object from the others: its name, without case, in its product."""

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
    """The key of an object, and for one in a product with the product's name."""
    return Key(kind, name.lower(), product.lower())


def webhook_keys(urls: Sequence[str]) -> list[Key]:
    """The keys of webhooks. Those with the same URL are told apart by their order."""
    seen: dict[str, int] = {}
    keys = []
    for url in urls:
        seen[url] = seen.get(url, 0) + 1
        keys.append(Key(Kind.WEBHOOK, url if seen[url] == 1 else f"{url}#{seen[url]}"))
    return keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An object of the file; `path` tells where it stands there."""

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
    """What stands in the way: the path in the file, empty where none is to blame, and why."""

    path: str
    message: str


class Action(StrEnum):
    """What happens to an object."""

    CREATE = "create"
    CHANGE = "change"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of the service.

    `before` and `after` have the fields that differ; all of them, where one side has no object.
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
    """The steps in the order in which they work, and what stands in their way.

    `unnamed` are the labels of objects that the file does not name, and that stay.
    """

    steps: Sequence[Step]
    problems: Sequence[Problem]
    unnamed: Sequence[str]


def label_of(key: Key, fields: Fields, product_names: Mapping[str, str]) -> str:
    """What an object is called. The path of a webhook's URL may be a secret and is left out."""
    if key.kind is Kind.WEBHOOK:
        parts = urlsplit(fields["url"])
        rest = "/..." if parts.path.strip("/") or parts.query else ""
        number = key.name.removeprefix(fields["url"]).removeprefix("#")
        nth = f" (number {number})" if number else ""
        return f"{key.kind} {quoted(f'{parts.scheme}://{parts.netloc}{rest}')}{nth}"
    product = product_names.get(key.product)
    inside = "" if product is None else f" of {quoted(product)}"
    return f"{key.kind} {quoted(fields[key.kind.named_by])}{inside}"
