"""The chain: each seal is a MAC (HMAC-SHA256) over the seal before, the number, and the event.

The secret of a chain is not in the database in plain, so that nobody who can write to the database
alone can make seals.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from licet_server.audit.rules.model import Breach, Chain, Finding, Head, Record

START = bytes(32)

_encoder = msgspec.json.Encoder(decimal_format="number", order="deterministic")


def seal_of(secret: bytes, before: bytes, number: int, item: Record) -> bytes:
    """The seal of an event in its place: 32 bytes."""
    told = [
        item.institution_id,
        item.id,
        item.kind,
        item.occurred_at,
        item.subject_id,
        item.product_id,
        item.data,
        item.changes,
        item.actor_kind,
        item.actor_id,
        item.actor_name,
        item.ip_address,
        item.request_id,
    ]
    return hmac.digest(secret, before + number.to_bytes(8) + _encoder.encode(told), "sha256")


def mark_of(secret: bytes, number: int, seal: bytes) -> bytes:
    """The seal of the end of a chain."""
    return hmac.digest(secret, b"end" + number.to_bytes(8) + seal, "sha256")


def extend(
    secret: bytes, number: int, seal: bytes, items: Iterable[Record]
) -> list[tuple[Record, int, bytes]]:
    """Places and seals for further events, in their order."""
    sealed: list[tuple[Record, int, bytes]] = []
    for item in items:
        number += 1
        seal = seal_of(secret, seal, number, item)
        sealed.append((item, number, seal))
    return sealed


@dataclass(slots=True)
class Inspection:
    """A walk along a chain from its start; `heads` are ends that were noted outside of it."""

    chain: Chain
    secret: bytes
    heads: Sequence[Head] = ()
    number: int = 0
    seal: bytes = START
    breaches: list[Breach] = field(default_factory=list)

    def take(self, item: Record) -> None:
        """The next event in the order of numbers.

        After a gap or a wrong seal the walk goes on from the seal that is stored, so that each
        fault is told once.
        """
        number, seal = item.seal_number or 0, item.seal or b""
        if number != self.number + 1:
            self._tell(Finding.MISSING, self.number + 1)
        elif not hmac.compare_digest(seal_of(self.secret, self.seal, number, item), seal):
            self._tell(Finding.CHANGED, number)
        for head in self.heads:
            if head.number == number and head.seal != seal:
                self._tell(Finding.HEAD_DIFFERS, number)
        self.number, self.seal = number, seal

    def end(self) -> list[Breach]:
        """All that is wrong, after the last event."""
        chain = self.chain
        mark = mark_of(self.secret, chain.number, chain.seal)
        is_end = (self.number, self.seal) == (chain.number, chain.seal)
        is_known = all(head.number <= self.number for head in self.heads)
        if not (is_end and is_known and hmac.compare_digest(mark, chain.mark)):
            self._tell(Finding.CUT, self.number + 1)
        return self.breaches

    def _tell(self, finding: Finding, number: int) -> None:
        self.breaches.append(Breach(self.chain.institution_id, finding, number))
