"""Which leaves of events are personal data.

A person is found by IDs and by whole addresses. Names lead nowhere: anybody can be called anything.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from uuid import UUID

import msgspec

from licet_server.events.rules.chain import is_erased, leaves_of
from licet_server.events.rules.kinds import license_id, subject_traits
from licet_server.events.rules.model import RecordedEvent

_OF_LICENSES = frozenset(
    {
        "deviceName",
        "externalReference",
        "issuedTo",
        "licenseName",
        "locale",
        "metadata",
        "note",
        "reason",
        "recipient",
        "username",
    }
)
_UNDER_LICENSES = frozenset({"deviceName", "instanceId", "ipAddress", "metadata"})
_OF_CUSTOMERS = frozenset(
    {"company", "email", "externalReference", "locale", "merged", "metadata", "name", "note"}
)
_ADDRESSES = frozenset({"email", "issuedTo", "recipient"})
"""The fields that hold the address of a person."""

_APPLICATION = "ProductKey"
"""The kind of actor whose IP address is that of the person's own machine."""

_encoder = msgspec.json.Encoder(decimal_format="number")


class Traces(msgspec.Struct, frozen=True, kw_only=True):
    """What leads to a person in events.

    Their licenses, the customers that they are, their accounts, and their addresses in lower case.
    """

    license_ids: frozenset[UUID]
    subject_ids: frozenset[UUID]
    user_ids: frozenset[UUID]
    # Erasures that wait since an earlier release have names among these, which match no address.
    addresses: frozenset[str] = msgspec.field(name="texts")


def personal_leaves(event: RecordedEvent, traces: Traces) -> set[str]:
    """Return the names of the leaves that are about the person, and not erased yet."""
    leaves = leaves_of(event)
    of_license = event.license_id or license_id(event.kind, event.subject_id, event.data)
    is_of_license = of_license in traces.license_ids
    fields: set[str] = set()
    if is_of_license:
        fields |= _OF_LICENSES if event.subject_id == of_license else _UNDER_LICENSES
    if event.subject_id in traces.subject_ids:
        fields |= _OF_CUSTOMERS
    names = {f"{part}.{field}" for part in ("data", "changes") for field in fields}
    names |= {
        name
        for name, value in leaves.items()
        if name.partition(".")[2] in _ADDRESSES and _has_address(value, traces.addresses)
    }
    if "data.email" in names:
        names |= {"data.fullName", "changes.fullName"}
    if f"data.{subject_traits(event.kind).name_field}" in names:
        names.add("subject_name")
    if event.actor_id in traces.user_ids:
        names |= {"actor_name", "ip_address"}
    if is_of_license and event.actor_kind == _APPLICATION:
        names.add("ip_address")
    return {name for name in names & leaves.keys() if not is_erased(leaves[name])}


def _has_address(value: object, addresses: frozenset[str]) -> bool:
    return any(text.lower() in addresses for text in texts_in(value))


def texts_in(value: object) -> Iterable[str]:
    """Yield the texts of a leaf, which may be within lists and objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def count_texts(event: RecordedEvent, names: Iterable[str]) -> Counter[str]:
    """Count the texts in these leaves."""
    leaves = leaves_of(event)
    found = Counter(text for name in names for text in texts_in(leaves[name]))
    return Counter({text: count for text, count in found.items() if text and not is_erased(text)})


def naming(traces: Traces) -> Callable[[str], bool]:
    """Return a function that tells quickly if an event may be about the person.

    It takes the event as a line of JSON.
    """
    ids = traces.license_ids | traces.subject_ids | traces.user_ids
    wanted = (*map(str, ids), *map(as_written, traces.addresses))

    def may_name(line: str) -> bool:
        said = line.lower()
        return any(item in said for item in wanted)

    return may_name


def as_written(address: str) -> str:
    """Return an address as it stands in JSON, as a whole text."""
    return _encoder.encode(address).decode()
