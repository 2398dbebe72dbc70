"""Keygen: responses of its API (JSON:API), each on a line, or one of them as a file.

The list of licenses is enough; with the lists of machines and users, devices and e-mail addresses
are carried over as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from licet_server.importing.rules.model import BadRecord, FoundDevice, FoundLicense
from licet_server.importing.rules.values import (
    Record,
    end_of,
    flag_of,
    pairs_of,
    record_of,
    records_of,
    text_of,
    time_of,
    whole_of,
)

_LOST = {
    "maxUses": "the limit of uses",
    "uses": "the count of uses",
    "maxCores": "the limit of cores",
    "maxMemory": "the limit of memory",
    "maxDisk": "the limit of disk space",
    "maxProcesses": "the limit of processes",
    "maxUsers": "the limit of users",
    "scheme": "the signature in the key, which stays a plain text",
}


def licenses_of(
    documents: Iterable[Record],
) -> Iterator[FoundLicense | tuple[str, BadRecord]]:
    """The licenses of all documents, and those that cannot be read with their place."""
    by_kind = _by_kind(documents)
    users = {_id(item): record_of(item.get("attributes")) for item in by_kind.get("users", ())}
    machines: dict[str, list[Record]] = {}
    for item in by_kind.get("machines", ()):
        machines.setdefault(_related(item, "license"), []).append(item)
    for item in by_kind.get("licenses", ()):
        place = _id(item)
        try:
            yield _license(item, users, machines.get(place, ()))
        except BadRecord as fault:
            yield place, fault


def _by_kind(documents: Iterable[Record]) -> Mapping[str, Sequence[Record]]:
    """The resources by their type; each once, also where pages overlap."""
    found: dict[str, dict[str, Record]] = {}
    for document in documents:
        data = document.get("data")
        resources = records_of(data) if isinstance(data, list) else records_of([data])
        for item in (*resources, *records_of(document.get("included"))):
            if "attributes" in item:
                found.setdefault(str(item.get("type")), {})[_id(item)] = item
    return {kind: list(items.values()) for kind, items in found.items()}


def _license(item: Record, users: Mapping[str, Record], machines: Sequence[Record]) -> FoundLicense:
    attributes = record_of(item.get("attributes"))
    key = text_of(attributes, "key")
    if key is None:
        raise BadRecord("key is missing")
    owner = users.get(_related(item, "owner") or _related(item, "user"), {})
    lost = [what for name, what in _LOST.items() if attributes.get(name)]
    if record_of(record_of(item.get("relationships")).get("entitlements")).get("data"):
        lost.append("entitlements")
    return FoundLicense(
        place=_id(item),
        product=_related(item, "product"),
        key=key,
        name=text_of(attributes, "name"),
        receiver=text_of(owner, "email"),
        ends_at=end_of(attributes, "expiry", lost),
        seats=whole_of(attributes, "maxMachines"),
        is_suspended=flag_of(attributes, "suspended"),
        is_revoked=text_of(attributes, "status") == "BANNED",
        metadata=pairs_of(attributes.get("metadata")),
        devices=[_device(record_of(machine.get("attributes"))) for machine in machines],
        lost=lost,
    )


def _device(attributes: Record) -> FoundDevice:
    fingerprint = text_of(attributes, "fingerprint")
    if fingerprint is None:
        raise BadRecord("fingerprint of a machine is missing")
    return FoundDevice(
        hardware_id=fingerprint,
        name=text_of(attributes, "name") or text_of(attributes, "hostname"),
        os=text_of(attributes, "platform"),
        since=time_of(attributes, "created"),
    )


def _id(item: Record) -> str:
    return str(item.get("id"))


def _related(item: Record, name: str) -> str:
    """The ID of the resource in a relationship to one; empty if there is none."""
    relationship = record_of(record_of(item.get("relationships")).get(name))
    return str(record_of(relationship.get("data")).get("id") or "")
