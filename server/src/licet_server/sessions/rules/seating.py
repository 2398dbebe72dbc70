"""Who gets which seat: the decisions for one license, between what the database tells.

The slots of a license are numbered from 1 without a gap. A lower cap throws nobody out, so that
live sessions may stand in slots beyond it; those come first: nobody new is let in before all of
them have found a place below. So live sessions never grow beyond the cap, whatever order they
leave in.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from licet_server.kit.ids import new_id
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.rules.traits import SeatKind
from licet_server.sessions import errors
from licet_server.sessions.rules.model import (
    Applicant,
    Connected,
    Ending,
    EndReason,
    Session,
    Slot,
    SlotPlace,
    ending_of,
)

UNCAPPED_COUNTED_TO = 1_000
"""Where nothing depends on the number of live sessions, only the first slots are counted."""

NO_LIMIT = 2**31 - 1
"""Above every slot's number."""

SPARE_SHARE, SPARE_MOST = 4, 1_000
"""A pool that grows gets a quarter of its size more than it needs, but not very many."""


def cap_of(license_: LicenseTerms) -> int | None:
    """How many sessions may live at a time; `None` where there is no limit."""
    return seat_cap(license_) if license_.traits.seat_kind is SeatKind.SESSION else None


def first_of_each(applicants: Sequence[Applicant]) -> dict[Applicant, Applicant]:
    """For each applicant the first one of the same instance; those without a name stand alone."""
    firsts: dict[bytes, Applicant] = {}
    return {
        item: firsts.setdefault(item.instance_key, item) if item.instance_key is not None else item
        for item in applicants
    }


@dataclass(slots=True)
class Seating:
    """The seats of one license while a batch of applicants is let in.

    `top` is the number of its last slot, `live` how many sessions lived before. `over` are the
    slots beyond the cap; they are looked at only where they may matter.
    """

    cap: int | None
    top: int
    live: int
    now: datetime
    newcomers: list[Applicant] = field(default_factory=list)
    replaced: list[tuple[Applicant, Slot]] = field(default_factory=list)
    vacated: list[Slot] = field(default_factory=list)
    over: list[Slot] = field(default_factory=list)
    targets: list[Slot] = field(default_factory=list)
    moves: dict[int, int] = field(default_factory=dict)
    seated: list[tuple[Applicant, int]] = field(default_factory=list)
    added: list[tuple[Applicant, int]] = field(default_factory=list)
    answers: dict[Applicant, Connected | Exception] = field(default_factory=dict)
    first_refused: Applicant | None = None
    sessions: list[Session] = field(default_factory=list)

    def arrive(self, applicant: Applicant, own: Slot | None) -> None:
        """Sort an applicant: one whose own session lives takes its place, all others are new."""
        if own is not None and own.is_live(self.now):
            self.replaced.append((applicant, own))
            return
        if own is not None:
            self.vacated.append(own)
        if self.cap is not None and self.live >= self.cap:
            self._turn_away([applicant])
        else:
            self.newcomers.append(applicant)

    @property
    def movers(self) -> list[Slot]:
        """The live sessions that must find a place below the cap before anybody new."""
        return [slot for slot in self.over if slot.is_live(self.now)] if self.newcomers else []

    @property
    def wanted(self) -> int:
        """How many more slots are to be claimed."""
        return len(self.movers) + len(self.newcomers) - len(self.targets)

    @property
    def may_add(self) -> int:
        """How many slots may be added at the end."""
        return self.wanted if self.cap is None else max(0, self.cap - self.top)

    @property
    def is_short(self) -> bool:
        """Whether slots of timed-out sessions are needed, which nobody has tidied up yet."""
        return self.wanted > self.may_add

    def place(self) -> None:
        """Give the claimed slots out: to those who must move, then to the new in their order."""
        movers = self.movers
        if len(self.targets) < len(movers):
            self._turn_away(self.newcomers)
            return
        self.moves = {
            old.n: new.n for old, new in zip(movers, self.targets[: len(movers)], strict=True)
        }
        free = [slot.n for slot in self.targets[len(movers) :]]
        grown = range(self.top + 1, self.top + 1 + self.may_add)
        self.seated = list(zip(self.newcomers, free, strict=False))
        self.added = list(zip(self.newcomers[len(free) :], grown, strict=False))
        self._turn_away(self.newcomers[len(self.seated) + len(self.added) :])

    @property
    def used(self) -> int:
        """How many sessions live when the newcomers have their seats."""
        return self._used_with(len(self.seated) + len(self.added))

    def _used_with(self, newcomers: int) -> int:
        # Some may have left since they were counted; whoever lets in keeps to the cap.
        used = self.live + newcomers
        return min(used, self.cap) if newcomers and self.cap is not None else used

    def _turn_away(self, rest: Sequence[Applicant]) -> None:
        for applicant in rest:
            if self.cap is not None and self.used >= self.cap:
                self.first_refused = self.first_refused or applicant
                self.answers[applicant] = errors.pool_full(self.used, self.cap)
            else:
                self.answers[applicant] = errors.SeatsInFlux(self.cap)

    @property
    def has_room_below(self) -> bool:
        """Whether the slots beyond the cap are not needed any more."""
        return bool(self.newcomers) and len(self.moves) == len(self.movers)

    def endings(self) -> list[tuple[Applicant | None, Ending]]:
        """Which sessions end, each with whom it makes way for; nobody is to blame for a timeout."""
        ended: list[tuple[Applicant | None, Ending]] = [
            (applicant, ending_of(slot, EndReason.REPLACED, self.now))
            for applicant, slot in self.replaced
        ]
        filled = {n for _, n in self.seated} | set(self.moves.values())
        left = [*self.vacated, *(slot for slot in self.targets if slot.n in filled)]
        if self.has_room_below:
            left += [slot for slot in self.over if not slot.is_live(self.now)]
        timed_out = {slot.session_id: slot for slot in left if slot.session_id is not None}
        ended += [
            (None, ending_of(slot, EndReason.TIMED_OUT, self.now)) for slot in timed_out.values()
        ]
        return ended

    def superfluous(self) -> list[SlotPlace]:
        """The slots beyond the cap that can go."""
        return [slot.place for slot in self.over] if self.has_room_below else []

    def fill(self) -> tuple[list[Slot], list[Slot]]:
        """Begin the sessions. Answers the slots to write, and the slots to add.

        Those that are added may turn out to be somebody else's: `lose` takes their sessions back.
        """
        replaced = {slot.n for _, slot in self.replaced}
        kept = [
            slot.moved_to(self.moves[slot.n])
            for slot in self.movers
            if slot.n in self.moves and slot.n not in replaced
        ]
        own = [
            self._begin(applicant, self.moves.get(slot.n, slot.n))
            for applicant, slot in self.replaced
        ]
        new = [self._begin(applicant, n) for applicant, n in self.seated]
        added = [self._begin(applicant, n) for applicant, n in self.added]
        return kept + own + new, added + self._spare(added)

    def _spare(self, added: Sequence[Slot]) -> list[Slot]:
        """Free slots beside those that are needed now, so that a crowd does not add one by one."""
        if not added:
            return []
        last = added[-1]
        most = NO_LIMIT if self.cap is None else self.cap
        until = min(most, last.n + min(last.n // SPARE_SHARE, SPARE_MOST))
        return [last.emptied_at(n) for n in range(last.n + 1, until + 1)]

    def lose(self, taken: Collection[SlotPlace], added: Sequence[Slot]) -> None:
        """Take back what was to be added where somebody else was faster."""
        lost = {slot.session_id for slot in added if slot.place not in taken} - {None}
        self.sessions = [item for item in self.sessions if item.id not in lost]
        for applicant, answer in self.answers.items():
            if isinstance(answer, Connected) and answer.session_id in lost:
                self.answers[applicant] = errors.SeatsInFlux(self.cap)

    def _begin(self, applicant: Applicant, n: int) -> Slot:
        session = Session(
            institution_id=applicant.institution_id,
            id=new_id(self.now),
            license_id=applicant.license_id,
            product_id=applicant.product_id,
            hardware_id=applicant.hardware_id,
            instance_id=applicant.instance_id,
            device_name=applicant.device_name,
            app_version=applicant.app_version,
            connected_at=self.now,
            last_heartbeat_at=None,
            expires_at=self.now + applicant.timeout,
            ended_at=None,
            end_reason=None,
        )
        self.sessions.append(session)
        used = self._used_with(max(0, len(self.sessions) - len(self.replaced)))
        self.answers[applicant] = Connected(
            session.id, self.now + applicant.timeout, used, self.cap
        )
        return Slot(
            institution_id=applicant.institution_id,
            license_id=applicant.license_id,
            n=n,
            session_id=session.id,
            product_id=applicant.product_id,
            hardware_id=applicant.hardware_id,
            instance_key=applicant.instance_key,
            connected_at=self.now,
            beat_at=None,
            expires_at=session.expires_at,
        )
