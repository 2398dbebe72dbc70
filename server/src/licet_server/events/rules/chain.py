"""The chain: each seal is a MAC (HMAC-SHA256) of the previous seal, the number, and the event.

The database holds the secret of a chain only in encrypted form, so write access to the database
alone is not enough to forge seals.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import msgspec

from licet_server.events.rules.model import RecordedEvent

START = bytes(32)

_encoder = msgspec.json.Encoder(decimal_format="number", order="deterministic")


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of an institution up to its head: the last number and seal, and a MAC of both."""

    institution_id: UUID
    id: UUID
    number: int
    seal: bytes
    mark: bytes


def seal_of(secret: bytes, before: bytes, number: int, event: RecordedEvent) -> bytes:
    """Return the seal of an event at a place in the chain: 32 bytes."""
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
    expected = mark_of(secret, chain.institution_id, chain.number, chain.seal)
    return hmac.compare_digest(expected, chain.mark)


def extend(
    secret: bytes, number: int, seal: bytes, events: Iterable[RecordedEvent]
) -> list[tuple[RecordedEvent, int, bytes]]:
    """Return further events, in order, with the places and seals that follow the given ones."""
    sealed: list[tuple[RecordedEvent, int, bytes]] = []
    for event in events:
        number += 1
        seal = seal_of(secret, seal, number, event)
        sealed.append((event, number, seal))
    return sealed
