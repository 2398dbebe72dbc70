"""Batches of heartbeats: two statements each, neither of which waits for the disk."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.sessions import errors
from licet_server.sessions.rules.heartbeats import (
    is_for_live_session,
    refusal_of_heartbeat,
    whole_seconds,
)
from licet_server.sessions.rules.model import Heartbeat, SessionKey, Slot
from licet_server.sessions.service.lost import lost_session_refusals
from licet_server.sessions.storage import heartbeats as storage

Result = datetime | Exception
"""The new expiry of the session, or why the heartbeat is refused."""


async def extend_sessions(
    db: Connection, heartbeats: Sequence[Heartbeat], clock: Clock
) -> list[Result]:
    """Extend sessions; returns a result for each heartbeat, by position.

    Of several heartbeats for one session, the first one counts.
    """
    firsts: dict[SessionKey, Heartbeat] = {}
    for heartbeat in heartbeats:
        firsts.setdefault(heartbeat.key, heartbeat)
    results = await _extend(db, list(firsts.values()), clock())
    missed = [item for key, item in firsts.items() if key not in results]
    if missed:  # a session that is just being moved to another slot is found by a second try
        results |= await _extend(db, missed, clock())
    lost = [item for key, item in firsts.items() if key not in results]
    results |= await lost_session_refusals(
        db, [(item.key, item.product_id) for item in lost], clock()
    )
    return [_result(item, firsts[item.key], results[item.key]) for item in heartbeats]


async def _extend(
    db: Connection, heartbeats: Sequence[Heartbeat], now: datetime
) -> dict[SessionKey, Result]:
    """Extend the sessions that are found; missing sessions are omitted."""
    found = await storage.fetch_by_sessions(db, [item.key for item in heartbeats])
    results: dict[SessionKey, Result] = {}
    accepted: list[tuple[Heartbeat, Slot]] = []
    for heartbeat in heartbeats:
        if heartbeat.key not in found:
            continue
        slot, dates = found[heartbeat.key]
        if not is_for_live_session(heartbeat, slot, now):
            continue
        refused = refusal_of_heartbeat(heartbeat, slot, dates, now)
        if refused is not None:
            results[heartbeat.key] = refused
        else:
            accepted.append((heartbeat, slot))
    if accepted:
        results |= await storage.extend_sessions(db, accepted, now)
    return results


def _result(heartbeat: Heartbeat, first: Heartbeat, result: Result) -> Result:
    if heartbeat is not first and heartbeat.spacing and isinstance(result, datetime):
        return errors.heartbeat_too_early(whole_seconds(heartbeat.spacing))
    return result
