"""Fetches the objects of a service that a file can declare."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from licet_server.as_code import schemas
from licet_server.as_code.reading import LISTS, flat
from licet_server.as_code.rules.mail_templates import normal_template
from licet_server.as_code.rules.model import (
    INSTITUTION,
    Declaration,
    Fields,
    Kind,
    Present,
    Scope,
    key_of,
    webhook_keys,
)
from licet_server.as_code.rules.requests import ApiRequest
from licet_server.as_code.service import Service
from licet_server.as_code.yaml_text import write_yaml

_PRODUCT = ("name", "description", "accessType", "mode", "settings")
_FEATURE = schemas.Feature.__struct_encode_fields__
_POLICY = schemas.Policy.__struct_encode_fields__
_MAIL_TEMPLATE = schemas.MailTemplate.__struct_encode_fields__
_WEBHOOK = schemas.Webhook.__struct_encode_fields__

Item = Mapping[str, Any]


def fetch_declared(service: Service, declaration: Declaration) -> list[Present]:
    """Fetch all products, the contents of those that the file names, and its other lists.

    Webhooks are fetched only for a file that has them, and need no scope otherwise.

    Raises:
        ServerRefused: with the reason in words.
    """
    named = {item.key.name for item in declaration.objects if item.key.kind is Kind.PRODUCT}
    present: list[Present] = []
    if (Kind.PRODUCT, "") in declaration.scopes:
        present += fetch_products(service, lambda name: name.lower() in named)
    if any(kind is Kind.MAIL_TEMPLATE for kind, _ in declaration.scopes):
        present += fetch_institution(service)
    if (Kind.WEBHOOK, "") in declaration.scopes:
        present += fetch_webhooks(service)
    return present


def fetch_products(service: Service, is_wanted: Callable[[str], bool]) -> Iterator[Present]:
    """Yield all products, and the contents of the selected ones.

    Raises:
        ServerRefused: with the reason in words.
    """
    for product in service.list_all("/api/products"):
        yield Present(
            key=key_of(Kind.PRODUCT, product["name"]),
            fields=flat(_some(product, _PRODUCT)),
            id=product["id"],
            license_count=product["licenseCount"] or 0,
        )
        if is_wanted(product["name"]):
            yield from _contents(service, product)


def fetch_institution(service: Service) -> Iterator[Present]:
    """Yield the institution of the API key with the placeholders of templates, and its templates.

    Raises:
        ServerRefused: with the reason in words.
    """
    [institution] = service.list_all("/api/institutions")
    templates = _templates(service, f"/api/institutions/{institution['id']}")
    placeholders = {item["name"] for template in templates for item in template["placeholders"]}
    yield Present(key=INSTITUTION, fields={"placeholders": placeholders}, id=institution["id"])
    yield from _stored(templates, "")


def fetch_webhooks(service: Service) -> Iterator[Present]:
    """Yield all webhooks.

    Raises:
        ServerRefused: with the reason in words.
    """
    webhooks = list(service.list_all("/api/webhooks"))
    keys = webhook_keys([item["url"] for item in webhooks])
    for key, item in zip(keys, webhooks, strict=True):
        yield Present(key=key, fields=_some(item, _WEBHOOK), id=item["id"])


def _contents(service: Service, product: Item) -> Iterator[Present]:
    def present(kind: Kind, item: Item, fields: Item) -> Present:
        return Present(
            key=key_of(kind, item["name"], product["name"]), fields=fields, id=item["id"]
        )

    inside = f"/api/products/{product['id']}"
    for feature in service.list_all(f"{inside}/features"):
        yield present(Kind.FEATURE, feature, _some(feature, _FEATURE))
    sets = list(service.list_all(f"{inside}/entitlement-sets"))
    for item in sets:
        entries = {entry["featureName"]: entry.get("value", True) for entry in item["entries"]}
        yield present(Kind.ENTITLEMENT_SET, item, {"name": item["name"], "entries": entries})
    names = {item["id"]: item["name"] for item in sets}
    for policy in service.list_all(f"/api/policies?productId={product['id']}"):
        named = {**policy, "entitlementSet": names.get(policy["entitlementSetId"])}
        yield present(Kind.POLICY, policy, _some(named, _POLICY))
    yield from _stored(_templates(service, inside), product["name"])


def _templates(service: Service, owner: str) -> Sequence[Item]:
    """Return the templates of every kind, of a product or an institution at this path."""
    templates: Sequence[Item] = service.send(ApiRequest("GET", f"{owner}/mail-templates", None))[
        "templates"
    ]
    return templates


def _stored(templates: Sequence[Item], product: str) -> Iterator[Present]:
    """Yield the customized templates; others need no declaration and cannot be deleted."""
    for item in templates:
        if item["updatedAt"] is not None:
            key = key_of(Kind.MAIL_TEMPLATE, item["kind"], product)
            yield Present(key=key, fields=normal_template(_some(item, _MAIL_TEMPLATE)), id="")


def _some(item: Item, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: item[name] for name in names}


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
    """Return the fields of a product with its settings as an object."""
    product: dict[str, Any] = {}
    for path, value in fields.items():
        outer, _, inner = path.partition(".")
        if inner:
            product.setdefault(outer, {})[inner] = value
        else:
            product[outer] = value
    return product
