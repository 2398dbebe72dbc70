"""Builds the request of each step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from licet_server.as_code.rules.comparing import ONLY_FOR_NEW
from licet_server.as_code.rules.mail_templates import changed_translations
from licet_server.as_code.rules.model import INSTITUTION, Action, Fields, Key, Kind, Step

FIRST_VERSION = "1.0.0"
_PATHS = {
    Kind.PRODUCT: "/api/products",
    Kind.FEATURE: "/api/features",
    Kind.ENTITLEMENT_SET: "/api/entitlement-sets",
    Kind.POLICY: "/api/policies",
    Kind.WEBHOOK: "/api/webhooks",
}


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request to the API."""

    method: str
    path: str
    body: Mapping[str, Any] | None


def request_for(step: Step, ids: Mapping[Key, str]) -> ApiRequest:
    """Return the request of a step; `ids` has the objects that exist by then."""
    if step.key.kind is Kind.MAIL_TEMPLATE:
        return _of_mail_template(step, ids)
    one = f"{_PATHS[step.key.kind]}/{step.id}"
    if step.action is Action.DELETE:
        return ApiRequest("DELETE", one, None)
    body = _body(step.key, step.after, ids)
    if step.action is Action.CHANGE:
        return ApiRequest("PUT", one, body)
    return _creation(step, body, ids.get(Key(Kind.PRODUCT, step.key.product)))


def _creation(step: Step, body: dict[str, Any], product_id: str | None) -> ApiRequest:
    path = _PATHS[step.key.kind]
    match step.key.kind:
        case Kind.PRODUCT:
            body.setdefault(ONLY_FOR_NEW, FIRST_VERSION)
        case Kind.FEATURE | Kind.ENTITLEMENT_SET:
            path = path.replace("/api/", f"/api/products/{product_id}/")
        case Kind.POLICY:
            body["productId"] = product_id
        case _:
            pass
    return ApiRequest("POST", path, body)


def _of_mail_template(step: Step, ids: Mapping[Key, str]) -> ApiRequest:
    """Return the request for a template, which is addressed by its kind instead of an ID."""
    key = step.key
    if key.product:
        owner = f"products/{ids[Key(Kind.PRODUCT, key.product)]}"
    else:
        owner = f"institutions/{ids[INSTITUTION]}"
    path = f"/api/{owner}/mail-templates/{key.name}"
    if step.action is Action.DELETE:
        return ApiRequest("DELETE", path, None)
    body = {name: value for name, value in step.after.items() if name != key.kind.named_by}
    if "translations" in body:
        before = step.before.get("translations") or {}
        body["translations"] = changed_translations(before, body["translations"])
    return ApiRequest("PUT", path, body)


def _body(key: Key, fields: Fields, ids: Mapping[Key, str]) -> dict[str, Any]:
    """Return the fields for the wire: nested, and with IDs instead of names."""
    body: dict[str, Any] = {}
    for name, value in fields.items():
        outer, _, inner = name.partition(".")
        if inner:
            body.setdefault(outer, {})[inner] = value
        elif name == "entries":
            body[name] = [_entry(feature, amount) for feature, amount in value.items()]
        elif name == "entitlementSet":
            set_key = (
                None if value is None else Key(Kind.ENTITLEMENT_SET, value.lower(), key.product)
            )
            body["entitlementSetId"] = None if set_key is None else ids[set_key]
        else:
            body[name] = value
    return body


def _entry(feature: str, value: Any) -> dict[str, Any]:
    return {"featureName": feature} if value is True else {"featureName": feature, "value": value}
