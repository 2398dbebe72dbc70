"""Inspection of a chain, event by event."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from licet_server.audit.rules.model import Breach, ChainHead, Finding
from licet_server.events.rules.chain import START, Chain, is_marked, is_sealed
from licet_server.events.rules.model import SealedEvent


@dataclass(slots=True)
class Inspection:
    """A walk along a chain from its start; `heads` are heads that were logged outside of it."""

    chain: Chain
    secret: bytes
    heads: Sequence[ChainHead] = ()
    number: int = 0
    seal: bytes = START
    breaches: list[Breach] = field(default_factory=list)

    def check(self, event: SealedEvent) -> bool:
        """Check the next event in the order of numbers; returns whether it is known to be intact.

        After a gap or a wrong seal the walk continues from the stored seal, so that each fault is
        reported once.
        """
        number, seal = event.seal_number or 0, event.seal or b""
        faults = len(self.breaches)
        if number != self.number + 1:
            self._report(Finding.MISSING, self.number + 1)
        elif not is_sealed(self.secret, self.seal, event):
            self._report(Finding.CHANGED, number)
        for head in self.heads:
            if head.number == number and head.seal != seal:
                self._report(Finding.HEAD_DIFFERS, number)
        self.number, self.seal = number, seal
        return len(self.breaches) == faults

    def finish(self) -> list[Breach]:
        """Check the head after the last event; returns everything that is wrong."""
        chain = self.chain
        at_head = (self.number, self.seal) == (chain.number, chain.seal)
        reaches_heads = all(head.number <= self.number for head in self.heads)
        if not (at_head and reaches_heads and is_marked(self.secret, chain)):
            self._report(Finding.CUT, self.number + 1)
        return self.breaches

    def _report(self, finding: Finding, number: int) -> None:
        self.breaches.append(Breach(self.chain.institution_id, finding, number))
