"""The chain: each seal is a MAC (HMAC-SHA256) of the previous seal, the number, and the event.

Of what an event says, the seal covers salted digests, so that a person can be erased from it.

The database holds the secret of a chain only in encrypted form, so write access to the database
alone is not enough to forge seals.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import msgspec

from licet_server.events.rules.model import UNREADABLE, Erasure, RecordedEvent, SealedEvent
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


START = bytes(32)
DIGEST_LENGTH = 32
"""The hexadecimal digits of the digest of an erased text."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of an institution up to its head: the last number and seal, and a MAC of both."""

    institution_id: UUID
    id: UUID
    number: int
    seal: bytes
    mark: bytes


def seal_of(
    secret: bytes, before: bytes, number: int, event: RecordedEvent, digests: Mapping[str, str]
) -> bytes:
    """Return the seal of an event with these digests, at a place in the chain: 32 bytes."""
    sealed = [
        event.institution_id,
        event.id,
        event.kind,
        event.occurred_at,
        event.subject_id,
        event.product_id,
        event.license_id,
        event.actor_kind,
        event.actor_id,
        event.request_id,
        event.changes_json is not None,
        digests,
    ]
    message = before + number.to_bytes(8) + b"digests" + _encoder.encode(sealed)
    return hmac.digest(secret, message, "sha256")


def is_sealed(secret: bytes, before: bytes, event: SealedEvent) -> bool:
    """Tell whether the seal of an event follows from the seal before, and from what it says.

    It does not where an event says what the service never writes, such as facts that are a list.
    """
    try:
        return _is_sealed(secret, before, event)
    except UNREADABLE:
        return False


def _is_sealed(secret: bytes, before: bytes, event: SealedEvent) -> bool:
    number, seal = event.seal_number or 0, event.seal or b""
    if event.erasure is not None:
        mark = erasure_mark(secret, number, seal, event.erasure.digests)
        if event.erasure.mark != mark or not has_only_erased(event, event.erasure):
            return False
        digests = digests_after(event, event.erasure)
        expected = seal_of(secret, before, number, event, digests)
    elif event.salt is not None:
        expected = seal_of(secret, before, number, event, digests_of(event, event.salt))
    else:
        expected = whole_seal_of(secret, before, number, event)
    return hmac.compare_digest(expected, seal)


def without(secret: bytes, event: SealedEvent, names: Collection[str]) -> SealedEvent:
    """Return an event from which these leaves are erased; its seal holds as before.

    The seal of an event that an earlier release sealed as a whole does not.
    """
    values = values_without(event, names)
    erasure = None if event.seal is None else erasure_of(event, names)
    if erasure is None or event.seal is None:
        return replace(event, **values)
    mark = erasure_mark(secret, event.seal_number or 0, event.seal, erasure.digests)
    marked = msgspec.structs.replace(erasure, mark=mark)
    return replace(event, **values, salt=None, erasure=marked)


def erasure_mark(secret: bytes, number: int, seal: bytes, digests: Mapping[str, str]) -> str:
    """Return the MAC of what was erased from the event with this seal, in hexadecimal."""
    message = b"erasure" + number.to_bytes(8) + seal + _encoder.encode(digests)
    return hmac.digest(secret, message, "sha256").hex()


def text_digest(secret: bytes, text: str) -> str:
    """Return a MAC of a text that was erased, in hexadecimal.

    Who knows the text can show that it was erased; without the secret of the chain, nobody can try
    out texts until one fits.
    """
    return hmac.digest(secret, b"erased text" + text.encode(), "sha256").hex()[:DIGEST_LENGTH]


def whole_seal_of(secret: bytes, before: bytes, number: int, event: RecordedEvent) -> bytes:
    """Return the seal that earlier releases gave an event."""
    sealed = [
        event.institution_id,
        event.id,
        event.kind,
        event.occurred_at,
        event.subject_id,
        event.product_id,
        event.data,
        event.changes,
        event.actor_kind,
        event.actor_id,
        event.actor_name,
        event.ip_address,
        event.request_id,
        event.subject_name,
        event.license_id,
    ]
    return hmac.digest(secret, before + number.to_bytes(8) + _encoder.encode(sealed), "sha256")


def mark_of(secret: bytes, institution_id: UUID, number: int, seal: bytes) -> bytes:
    """Return the MAC of the head of an institution's chain."""
    return hmac.digest(secret, b"end" + institution_id.bytes + number.to_bytes(8) + seal, "sha256")


def is_marked(secret: bytes, chain: Chain) -> bool:
    """Tell whether the head is one that the service stored for this institution."""
    if chain.number < 0:
        return False
    expected = mark_of(secret, chain.institution_id, chain.number, chain.seal)
    return hmac.compare_digest(expected, chain.mark)


def extend(
    secret: bytes, number: int, seal: bytes, events: Iterable[tuple[RecordedEvent, bytes]]
) -> list[tuple[RecordedEvent, int, bytes, bytes]]:
    """Return further events, in order, with the places and seals that follow the given ones.

    Each comes with a fresh salt, and goes with it.
    """
    sealed: list[tuple[RecordedEvent, int, bytes, bytes]] = []
    for event, salt in events:
        number += 1
        seal = seal_of(secret, seal, number, event, digests_of(event, salt))
        sealed.append((event, number, seal, salt))
    return sealed
