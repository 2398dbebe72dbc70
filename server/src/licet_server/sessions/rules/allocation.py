"""Allocation of seats to claims: the decisions for one license, between reads of the database.

The slots of a license are numbered from 1 without a gap. Lowering the seat cap ends no session, so
that live sessions may occupy slots beyond the cap. These sessions have priority: no new session is
admitted before each of them has a slot below the cap. So live sessions never grow beyond the cap,
in whatever order they end.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from licet_server.licenses.rules.model import License, LicenseTerms, seat_cap
from licet_server.licenses.rules.traits import SeatKind
from licet_server.sessions import errors
from licet_server.sessions.rules.model import (
    Connected,
    EndReason,
    SeatClaim,
    SeatSession,
    SessionEnd,
    Slot,
    SlotPlace,
    end_of_session,
)

UNCAPPED_COUNTED_SLOTS = 1_000
"""Without a cap nothing depends on the number of live sessions: only these slots are counted."""

NO_LIMIT = 2**31 - 1
"""The greatest number of a slot."""

UNCAPPED_SLOTS = 2**30
"""Without a cap, slots have lower numbers: one that a license cannot reach by growing has been
written by hand, and is no end to append to."""

GROWTH_DIVISOR, GROWTH_MAX = 4, 1_000
"""A pool that needs more slots also gets free ones: a quarter of its size, at most `GROWTH_MAX`."""


def cap_of(license_: License | LicenseTerms) -> int | None:
    """Return how many sessions may be live at a time; `None` where there is no limit."""
    return seat_cap(license_) if license_.traits.seat_kind is SeatKind.SESSION else None


def first_of_each(claims: Sequence[SeatClaim]) -> dict[SeatClaim, SeatClaim]:
    """Map each claim to the first one of the same instance; those without an ID to themselves."""
    firsts: dict[bytes, SeatClaim] = {}
    return {
        item: firsts.setdefault(item.instance_key, item) if item.instance_key is not None else item
        for item in claims
    }


@dataclass(slots=True)
class SeatAllocation:
    """The seats of one license while a batch of claims is served.

    `top` is the number of its last slot, `live` how many sessions were live before. `overflow` are
    the slots beyond the cap; they are read only where they may matter. `free_slots` may be more
    than are needed.

    In order: `add` each claim, extend `overflow` and `free_slots`, `assign_slots`,
    `start_sessions`, and `drop_lost_slots` for inserts that another transaction won.
    """

    cap: int | None
    top: int
    live: int
    now: datetime
    new: list[SeatClaim] = field(default_factory=list)
    replacing: list[tuple[SeatClaim, Slot]] = field(default_factory=list)
    expired: list[Slot] = field(default_factory=list)
    overflow: list[Slot] = field(default_factory=list)
    free_slots: list[Slot] = field(default_factory=list)
    moves: dict[int, int] = field(default_factory=dict)
    assigned: list[tuple[SeatClaim, int]] = field(default_factory=list)
    appended: list[tuple[SeatClaim, int]] = field(default_factory=list)
    results: dict[SeatClaim, Connected | Exception] = field(default_factory=dict)
    first_rejected: SeatClaim | None = None
    sessions: list[SeatSession] = field(default_factory=list)

    def add(self, claim: SeatClaim, own: Slot | None) -> None:
        """Add a claim: it replaces the live session of its instance, or needs a new seat."""
        if own is not None and own.is_live(self.now):
            self.replacing.append((claim, own))
            return
        if own is not None:
            self.expired.append(own)
            if self.cap is None or own.n <= self.cap:
                self.free_slots.append(own)
        if self.cap is not None and self.live >= self.cap:
            self._reject([claim])
        else:
            self.new.append(claim)

    @property
    def to_move(self) -> list[Slot]:
        """The live sessions that must move below the cap before any new one is admitted."""
        return [slot for slot in self.overflow if slot.is_live(self.now)] if self.new else []

    @property
    def slots_needed(self) -> int:
        """How many more slots to claim."""
        return len(self.to_move) + len(self.new) - len(self.free_slots)

    @property
    def slots_appendable(self) -> int:
        """How many slots may be appended after the last one."""
        return self.slots_needed if self.cap is None else max(0, self.cap - self.top)

    @property
    def needs_expired_slots(self) -> bool:
        """Whether slots of expired sessions are needed that the reaper has not freed yet."""
        return self.slots_needed > self.slots_appendable

    def assign_slots(self) -> None:
        """Assign the claimed slots: first to sessions that must move, then to claims in order."""
        to_move = self.to_move
        if len(self.free_slots) < len(to_move):
            self._reject(self.new)
            return
        self.moves = {
            old.n: new.n for old, new in zip(to_move, self.free_slots[: len(to_move)], strict=True)
        }
        free = [slot.n for slot in self.free_slots[len(to_move) :]]
        appendable = range(self.top + 1, self.top + 1 + self.slots_appendable)
        self.assigned = list(zip(self.new, free, strict=False))
        self.appended = list(zip(self.new[len(free) :], appendable, strict=False))
        self._reject(self.new[len(self.assigned) + len(self.appended) :])

    @property
    def seats_used(self) -> int:
        """How many sessions are live once the new ones have started."""
        return self._used_with(len(self.assigned) + len(self.appended))

    @property
    def live_after(self) -> int:
        """How many sessions are live, now that `sessions` have started."""
        return self._used_with(max(0, len(self.sessions) - len(self.replacing)))

    def _used_with(self, new: int) -> int:
        # Some sessions may have ended since they were counted; admission keeps to the cap anyway.
        used = self.live + new
        return min(used, self.cap) if new and self.cap is not None else used

    def _reject(self, rest: Sequence[SeatClaim]) -> None:
        for claim in rest:
            if self.cap is not None and self.seats_used >= self.cap:
                self.first_rejected = self.first_rejected or claim
                self.results[claim] = errors.pool_full(self.seats_used, self.cap)
            else:
                self.results[claim] = errors.SeatsContended(self.cap)

    @property
    def overflow_drained(self) -> bool:
        """Whether the slots beyond the cap are no longer needed."""
        return bool(self.new) and len(self.moves) == len(self.to_move)

    def session_ends(self) -> list[tuple[SeatClaim | None, SessionEnd]]:
        """Return the sessions that end, each with the claim that replaces it, if one does."""
        replaced: list[tuple[SeatClaim | None, SessionEnd]] = [
            (claim, end_of_session(slot, EndReason.REPLACED, self.now))
            for claim, slot in self.replacing
        ]
        filled = {n for _, n in self.assigned} | set(self.moves.values())
        left = [*self.expired, *(slot for slot in self.free_slots if slot.n in filled)]
        if self.overflow_drained:
            left += [slot for slot in self.overflow if not slot.is_live(self.now)]
        timed_out = {slot.session_id: slot for slot in left if slot.session_id is not None}
        return replaced + [
            (None, end_of_session(slot, EndReason.TIMED_OUT, self.now))
            for slot in timed_out.values()
        ]

    def slots_to_delete(self) -> list[SlotPlace]:
        """Return the slots beyond the cap that can be deleted."""
        return [slot.place for slot in self.overflow] if self.overflow_drained else []

    def start_sessions(self, new_id: Callable[[datetime], UUID]) -> tuple[list[Slot], list[Slot]]:
        """Start the admitted sessions. Returns the slots to update and the slots to insert.

        Another transaction may insert the same slots first: see `drop_lost_slots`.
        """
        replaced = {slot.n for _, slot in self.replacing}
        moved = [
            slot.moved_to(self.moves[slot.n])
            for slot in self.to_move
            if slot.n in self.moves and slot.n not in replaced
        ]
        own = [
            self._start(claim, self.moves.get(slot.n, slot.n), new_id)
            for claim, slot in self.replacing
        ]
        assigned = [self._start(claim, n, new_id) for claim, n in self.assigned]
        appended = [self._start(claim, n, new_id) for claim, n in self.appended]
        return moved + own + assigned, appended + self._growth(appended)

    def _growth(self, appended: Sequence[Slot]) -> list[Slot]:
        """Free slots to insert beside those needed now, so that a pool does not grow one by one."""
        if not appended:
            return []
        last = appended[-1]
        most = NO_LIMIT if self.cap is None else self.cap
        until = min(most, last.n + min(last.n // GROWTH_DIVISOR, GROWTH_MAX))
        return [last.free_slot(n) for n in range(last.n + 1, until + 1)]

    def drop_lost_slots(self, inserted: Collection[SlotPlace], wanted: Sequence[Slot]) -> None:
        """Drop the sessions in slots that another transaction inserted first."""
        lost = {slot.session_id for slot in wanted if slot.place not in inserted} - {None}
        self.sessions = [item for item in self.sessions if item.id not in lost]
        for claim, result in self.results.items():
            if isinstance(result, Connected) and result.session_id in lost:
                self.results[claim] = errors.SeatsContended(self.cap)

    def _start(self, claim: SeatClaim, n: int, new_id: Callable[[datetime], UUID]) -> Slot:
        expires_at = self.now + claim.timeout
        session = SeatSession(
            institution_id=claim.institution_id,
            id=new_id(self.now),
            license_id=claim.license_id,
            product_id=claim.product_id,
            hardware_id=claim.hardware_id,
            instance_id=claim.instance_id,
            device_name=claim.device_name,
            app_version=claim.app_version,
            connected_at=self.now,
            last_heartbeat_at=None,
            expires_at=expires_at,
            ended_at=None,
            end_reason=None,
            proof_jti=None if claim.proof is None else claim.proof.jti,
        )
        self.sessions.append(session)
        self.results[claim] = Connected(
            session_id=session.id,
            expires_at=expires_at,
            seats_used=self.live_after,
            seats_total=self.cap,
        )
        return Slot(
            institution_id=claim.institution_id,
            license_id=claim.license_id,
            n=n,
            session_id=session.id,
            product_id=claim.product_id,
            hardware_id=claim.hardware_id,
            instance_key=claim.instance_key,
            connected_at=self.now,
            last_heartbeat_at=None,
            expires_at=expires_at,
            jkt=None if claim.proof is None else claim.proof.jkt,
        )
