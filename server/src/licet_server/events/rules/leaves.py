"""The leaves of an event: what its seal covers by salted digests, so that it can be erased.

A leaf is a text of the event, or a field of its data or of its changes. Each has a salt of its own,
which follows from the salt of the event. Whoever has a digest without its salt cannot try out names
until one fits: an erased leaf leaves nothing but a number.
"""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from licet_server.events.rules.model import Erasure, RecordedEvent, SealedEvent
from licet_server.kit.text import ERASED

SALT_BYTES = 16
_TEXTS = ("subject_name", "actor_name", "ip_address")
_encoder = msgspec.json.Encoder(decimal_format="number", order="deterministic")


def leaves_of(event: RecordedEvent) -> dict[str, object]:
    """Return the leaves of an event by their names, such as `data.issuedTo`."""
    leaves: dict[str, object] = {name: getattr(event, name) for name in _TEXTS}
    for part, fields in (("data", event.data), ("changes", event.changes or {})):
        leaves.update((f"{part}.{name}", value) for name, value in fields.items())
    return leaves


def digests_of(event: RecordedEvent, salt: bytes) -> dict[str, str]:
    """Return the digests of all leaves, under the salt of the event."""
    return {
        name: _digest(_salt_of_leaf(salt, name), name, value)
        for name, value in leaves_of(event).items()
    }


def digests_after(event: RecordedEvent, erasure: Erasure) -> dict[str, str]:
    """Return the digests of all leaves of an event of which some were erased."""
    left = {
        name: _digest(bytes.fromhex(erasure.salts.get(name, "")), name, value)
        for name, value in leaves_of(event).items()
        if name not in erasure.digests
    }
    return {**left, **erasure.digests}


def erasure_of(event: SealedEvent, names: Collection[str]) -> Erasure | None:
    """Return what is left of the leaves of a sealed event when these are erased; not yet marked.

    `None` for an event whose seal covers no digests.
    """
    if event.erasure is not None:
        digests = digests_after(event, event.erasure)
        salts = event.erasure.salts
    elif event.salt is not None:
        digests = digests_of(event, event.salt)
        salts = {name: _salt_of_leaf(event.salt, name).hex() for name in digests}
    else:
        return None
    gone = {*names, *(event.erasure.digests if event.erasure is not None else ())}
    return Erasure(
        digests={name: value for name, value in digests.items() if name in gone},
        salts={name: value for name, value in salts.items() if name not in gone},
    )


def has_only_erased(event: RecordedEvent, erasure: Erasure) -> bool:
    """Tell whether nothing stands in place of what was erased."""
    leaves = leaves_of(event)
    return all(is_erased(leaves.get(name)) for name in erasure.digests)


def is_erased(value: object) -> bool:
    """Tell whether a value is one that stands in place of what was erased."""
    if isinstance(value, list):
        return all(map(is_erased, value))
    return value is None or value in (ERASED, {})


def erased(value: object) -> object:
    """Return what stands in place of a value: of the same kind, with nothing in it."""
    if isinstance(value, str):
        return ERASED
    if isinstance(value, list):
        return [erased(item) for item in value]
    return {} if isinstance(value, Mapping) else None


def values_without(event: RecordedEvent, names: Collection[str]) -> dict[str, Any]:
    """Return the texts and the JSON of an event when these leaves are erased."""
    values: dict[str, Any] = {
        name: erased(getattr(event, name)) if name in names else getattr(event, name)
        for name in _TEXTS
    }
    for part, fields in (("data", event.data), ("changes", event.changes)):
        if fields is None:
            values[f"{part}_json"] = None
            continue
        left = {
            name: erased(value) if f"{part}.{name}" in names else value
            for name, value in fields.items()
        }
        values[f"{part}_json"] = _encoder.encode(left).decode()
    return values


def _salt_of_leaf(salt: bytes, name: str) -> bytes:
    return hashlib.sha256(salt + name.encode()).digest()[:SALT_BYTES]


def _digest(salt: bytes, name: str, value: object) -> str:
    return hashlib.sha256(salt + _encoder.encode([name, value])).hexdigest()
