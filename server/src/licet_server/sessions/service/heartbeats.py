"""Answers a batch of heartbeats with three statements, none of which waits for the disk."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.beats import belongs_to, refusal_of_beat, whole_seconds
from licet_server.sessions.rules.model import Beat, SessionKey, Slot
from licet_server.sessions.service.lost import why_lost
from licet_server.sessions.storage import beats as storage

Answer = datetime | Exception


async def keep_alive(db: Connection, beats: Sequence[Beat], clock: Clock) -> list[Answer]:
    """Until when each session is promised, by position, or why its heartbeat does not count.

    Of several for one session the first counts.
    """
    firsts: dict[SessionKey, Beat] = {}
    for beat in beats:
        firsts.setdefault(beat.key, beat)
    answers = await _keep(db, list(firsts.values()), clock())
    missed = [beat for key, beat in firsts.items() if key not in answers]
    if missed:  # a session that has just been moved to another slot is found by a second look
        answers |= await _keep(db, missed, clock())
    lost = [beat for key, beat in firsts.items() if key not in answers]
    answers |= await why_lost(db, [(beat.key, beat.product_id) for beat in lost], clock())
    return [_answer(beat, firsts[beat.key], answers[beat.key]) for beat in beats]


async def _keep(
    db: Connection, beats: Sequence[Beat], now: datetime
) -> dict[SessionKey, datetime | Exception]:
    """What becomes of these; those whose session is not there, or not any more, are absent."""
    slots = await storage.fetch_by_sessions(db, [beat.key for beat in beats])
    licenses = await reading.find_terms(
        db, [(item.institution_id, item.license_id) for item in slots.values()]
    )
    answers: dict[SessionKey, datetime | Exception] = {}
    fine: list[tuple[Beat, Slot]] = []
    for beat in beats:
        slot = slots.get(beat.key)
        license_ = licenses.get(slot.license_id) if slot is not None else None
        if slot is None or license_ is None or not belongs_to(beat, slot, now):
            continue
        refused = refusal_of_beat(beat, slot, license_, now)
        if refused is not None:
            answers[beat.key] = refused
        else:
            fine.append((beat, slot))
    if fine:
        answers |= await storage.keep_alive(db, fine, now)
    return answers


def _answer(beat: Beat, first: Beat, answer: Answer) -> Answer:
    if beat is not first and beat.spacing and isinstance(answer, datetime):
        return errors.too_early(whole_seconds(beat.spacing))
    return answer
