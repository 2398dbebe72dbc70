"""Records events about products and what is in them, without keys and long texts."""

from dataclasses import asdict

from licet_server.catalog.rules.model import EntitlementSet, Feature, Product, Release, ReleaseFile
from licet_server.catalog.rules.values import wire_entries
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import Recorder
from licet_server.kit.text import camel

Item = Product | Release | Feature | EntitlementSet

_LONG_TEXTS = ("description", "notes")
_TEXT_MAX = 200


def data_of(item: Item | ReleaseFile) -> dict[str, object]:
    """Return the data of an item in events; settings are separate, so that each change is shown."""
    data = {name: value for name, value in facts_of(item).items() if name not in _NOT_RECORDED}
    for name in _LONG_TEXTS:
        text = data.get(name)
        if isinstance(text, str) and len(text) > _TEXT_MAX:
            data[name] = text[:_TEXT_MAX] + "..."
    match item:
        case Product():
            settings = asdict(item.settings).items()
            return {**data, **{f"settings.{camel(name)}": value for name, value in settings}}
        case EntitlementSet():
            return {**data, "entries": wire_entries(item.entries)}
        case ReleaseFile():
            return {**data, "sha256": item.sha256.hex()}
        case _:
            return data


_NOT_RECORDED = {
    "institutionId",
    "createdAt",
    "updatedAt",
    "associatedInstitutionIds",
    "settings",
    "hasKeys",
    "imageVersion",
    "licenseCount",
    "token",
    "contentType",
}


EVENTS: Recorder[Item] = Recorder(
    data_of, product_of=lambda item: item.id if isinstance(item, Product) else item.product_id
)
