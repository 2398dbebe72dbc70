"""Records events about products and what is in them, without keys and long texts."""

from collections.abc import Mapping
from dataclasses import asdict

from licet_server.catalog.rules.model import EntitlementSet, Feature, Product, Release, ReleaseFile
from licet_server.catalog.rules.values import wire_entries
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences, facts_of
from licet_server.events.service.recording import record_event
from licet_server.kit.text import camel
from licet_server.kit.unit_of_work import UnitOfWork

Item = Product | Release | Feature | EntitlementSet

_LONG_TEXTS = ("description", "notes")
_TEXT_MAX = 200


async def record_creation(work: UnitOfWork, kind: EventKind, item: Item) -> None:
    """Record that an item was created."""
    await record(work, kind, item, differences({}, data_of(item)))


async def record_change(work: UnitOfWork, kind: EventKind, before: Item, after: Item) -> None:
    """Record what changed about an item."""
    await record(work, kind, after, differences(data_of(before), data_of(after)))


async def record_deletion(work: UnitOfWork, kind: EventKind, item: Item) -> None:
    """Record that an item was deleted."""
    await record(work, kind, item, differences(data_of(item), {}))


async def record(
    work: UnitOfWork, kind: EventKind, item: Item, changes: Mapping[str, object] | None = None
) -> None:
    """Record an event about an item, with these changes."""
    await record_event(
        work,
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.id if isinstance(item, Product) else item.product_id,
        data=data_of(item),
        changes=changes,
    )


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
