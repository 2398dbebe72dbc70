"""The chain: each seal is a MAC (HMAC-SHA256) of the previous seal, the number, and the event.

The database holds the secret of a chain only in encrypted form, so write access to the database
alone is not enough to forge seals.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from licet_server.audit.rules.model import Breach, Chain, ChainHead, Finding
from licet_server.events.rules.model import RecordedEvent, SealedEvent

START = bytes(32)

_encoder = msgspec.json.Encoder(decimal_format="number", order="deterministic")


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


def mark_of(secret: bytes, number: int, seal: bytes) -> bytes:
    """Return the MAC of the head of a chain."""
    return hmac.digest(secret, b"end" + number.to_bytes(8) + seal, "sha256")


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


@dataclass(slots=True)
class Inspection:
    """A walk along a chain from its start; `heads` are heads that were logged outside of it."""

    chain: Chain
    secret: bytes
    heads: Sequence[ChainHead] = ()
    number: int = 0
    seal: bytes = START
    breaches: list[Breach] = field(default_factory=list)

    def check(self, event: SealedEvent) -> None:
        """Check the next event in the order of numbers.

        After a gap or a wrong seal the walk continues from the stored seal, so that each fault is
        reported once.
        """
        number, seal = event.seal_number or 0, event.seal or b""
        if number != self.number + 1:
            self._report(Finding.MISSING, self.number + 1)
        elif not hmac.compare_digest(seal_of(self.secret, self.seal, number, event), seal):
            self._report(Finding.CHANGED, number)
        for head in self.heads:
            if head.number == number and head.seal != seal:
                self._report(Finding.HEAD_DIFFERS, number)
        self.number, self.seal = number, seal

    def finish(self) -> list[Breach]:
        """Check the head after the last event; returns everything that is wrong."""
        chain = self.chain
        mark = mark_of(self.secret, chain.number, chain.seal)
        at_head = (self.number, self.seal) == (chain.number, chain.seal)
        reaches_heads = all(head.number <= self.number for head in self.heads)
        if not (at_head and reaches_heads and hmac.compare_digest(mark, chain.mark)):
            self._report(Finding.CUT, self.number + 1)
        return self.breaches

    def _report(self, finding: Finding, number: int) -> None:
        self.breaches.append(Breach(self.chain.institution_id, finding, number))
