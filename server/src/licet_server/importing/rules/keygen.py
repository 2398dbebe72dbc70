"""Keygen: responses of its API (JSON:API), each on a line, or one of them as a file.

The list of licenses is enough; with the lists of machines and users, devices and email addresses
are carried over as well. The list of policies says which licenses end for new releases only.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from licet_server.importing.rules.model import (
    BadRecord,
    FoundDevice,
    FoundLicense,
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
from licet_server.importing.rules.pages import Items, Page, Refused, missing_licenses, records_in

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


_MAINTAINED = "MAINTAIN_ACCESS"
"""With this strategy, a license ends for releases that come later, and for nothing else."""


def licenses_of(pages: Iterable[Page]) -> Iterator[FoundLicense | Refused]:
    """Yield the licenses of all pages; one that cannot be read is an error with its position."""
    refused: list[Refused] = []
    by_kind = _by_kind(records_in(pages, _items_of, _kind_of, refused))
    users = {_id(item): record_of(item.get("attributes")) for item in by_kind.get("users", ())}
    maintained = {
        _id(item)
        for item in by_kind.get("policies", ())
        if record_of(item.get("attributes")).get("expirationStrategy") == _MAINTAINED
    }
    machines: dict[str, list[Record]] = {}
    for item in by_kind.get("machines", ()):
        machines.setdefault(_related(item, "license"), []).append(item)
    for item in by_kind.get("licenses", ()):
        place = _id(item)
        try:
            found = _license(item, users, machines.pop(place, ()))
            if _related(item, "policy") in maintained:
                found = replace(found, ends_at=None, updates_until=found.ends_at)
            yield found
        except BadRecord as fault:
            yield place, fault
    yield from refused
    yield from missing_licenses(machines, "machines")


def _items_of(value: Any) -> Items:
    documents = value if isinstance(value, list) else [value]
    found: list[Any] = []
    of_list = False
    for document in documents:
        data = record_of(document).get("data")
        if isinstance(data, list):
            of_list = True
            found += data
        else:
            found.append(document if data is None else data)
        found += records_of(record_of(document).get("included"))
    return Items(found, of_list or not documents)


def _kind_of(item: Record) -> str | None:
    return str(item.get("type")) if "attributes" in item else None


def _by_kind(records: Iterable[Record]) -> Mapping[str, Sequence[Record]]:
    """Return the resources by type, without duplicates where pages overlap."""
    found: dict[str, dict[str, Record]] = {}
    for item in records:
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
    """Return the ID of the resource in a to-one relationship; empty if there is none."""
    relationship = record_of(record_of(item.get("relationships")).get(name))
    return str(record_of(relationship.get("data")).get("id") or "")
