"""What the service has, as far as a file can declare it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from licet_server.as_code.reading import flat
from licet_server.as_code.rules.model import Declaration, Kind, Present, key_of, webhook_keys
from licet_server.as_code.service import Service

_PRODUCT = ("name", "description", "accessType", "settings")
_FEATURE = ("name", "kind", "displayName", "description")
_POLICY = (
    "name",
    "type",
    "durationDays",
    "termStarts",
    "graceDays",
    "maxActiveUsersCount",
    "activationMode",
    "deviceBindingMode",
    "entitlementSet",
    "initialMeterBalance",
    "licenseNamePattern",
    "metadata",
)
_WEBHOOK = ("url", "eventTypes", "description", "enabled")

Item = Mapping[str, Any]


def fetch_declared(service: Service, declaration: Declaration) -> list[Present]:
    """What the file is about: all products, what is in those that it names, and webhooks.

    Webhooks are fetched only for a file that has them, and need no scope otherwise.

    Raises:
        ServerRefused: with the reason in words.
    """
    named = {item.key.name for item in declaration.objects if item.key.kind is Kind.PRODUCT}
    present: list[Present] = []
    if (Kind.PRODUCT, "") in declaration.scopes:
        present += fetch_products(service, lambda name: name.lower() in named)
    if (Kind.WEBHOOK, "") in declaration.scopes:
        present += fetch_webhooks(service)
    return present


def fetch_products(service: Service, is_wanted: Callable[[str], bool]) -> Iterator[Present]:
    """All products, and what is in those that are wanted.

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


def fetch_webhooks(service: Service) -> Iterator[Present]:
    """All webhooks.

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


def _some(item: Item, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: item[name] for name in names}
