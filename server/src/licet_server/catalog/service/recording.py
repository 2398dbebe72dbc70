"""Records events about products and what is in them, without keys and long texts."""

from dataclasses import asdict

from licet_server.catalog.rules.model import EntitlementSet, Feature, Product, Release, ReleaseFile
from licet_server.catalog.rules.values import wire_entries
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import Facts, Recorder, record_event
from licet_server.kit.text import camel
from licet_server.kit.unit_of_work import UnitOfWork

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


async def record_about_keys(
    work: UnitOfWork,
    kind: EventKind,
    product: Product,
    data: Facts,
    changes: Facts | None = None,
) -> None:
    """Record what happened to a key of a product, without the key."""
    await record_event(
        work,
        kind,
        institution_id=product.institution_id,
        subject_id=product.id,
        product_id=product.id,
        data={"productId": product.id, **data},
        changes=changes,
    )
