"""The decision whether a heartbeat extends a session."""

import math
from datetime import datetime, timedelta

from licet_server.kit.errors import Refused
from licet_server.licenses.rules.model import StatusDates
from licet_server.licenses.rules.standing import refusal_of
from licet_server.sessions import errors
from licet_server.sessions.rules.model import Heartbeat, Slot


def is_for_live_session(heartbeat: Heartbeat, slot: Slot, now: datetime) -> bool:
    """Return whether the slot has a live session of the sender's product."""
    return slot.product_id == heartbeat.product_id and slot.is_live(now)


def refusal_of_heartbeat(
    heartbeat: Heartbeat, slot: Slot, dates: StatusDates, now: datetime
) -> Refused | None:
    """Return why the heartbeat of a live session is refused, or `None` if it is accepted.

    `dates` are those of its license. The first heartbeat is never too early, however soon it
    follows the connect.
    """
    refused = refusal_of(dates, now)
    if refused is not None or slot.last_heartbeat_at is None:
        return refused
    wait = slot.last_heartbeat_at + heartbeat.spacing - now
    if heartbeat.spacing and wait > timedelta():
        return errors.heartbeat_too_early(whole_seconds(wait))
    return None


def whole_seconds(wait: timedelta) -> int:
    """Round up to whole seconds, at least one."""
    return max(1, math.ceil(wait.total_seconds()))
