"""Whether a heartbeat counts."""

import math
from datetime import datetime, timedelta

from licet_server.kit.errors import Refused
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.licenses.rules.standing import refusal_of
from licet_server.sessions import errors
from licet_server.sessions.rules.model import Beat, Slot


def belongs_to(beat: Beat, slot: Slot, now: datetime) -> bool:
    """Whether this is a session of the sender's product, and still lives."""
    return slot.product_id == beat.product_id and slot.is_live(now)


def refusal_of_beat(
    beat: Beat, slot: Slot, license_: LicenseTerms, now: datetime
) -> Refused | None:
    """Why the heartbeat of a live session does not count at `now`; `None` if it does.

    The first one is always welcome, however soon after the connect.
    """
    refused = refusal_of(license_, now)
    if refused is not None or slot.beat_at is None:
        return refused
    wait = slot.beat_at + beat.spacing - now
    if beat.spacing and wait > timedelta():
        return errors.too_early(whole_seconds(wait))
    return None


def whole_seconds(wait: timedelta) -> int:
    """At least as long, and at least one."""
    return max(1, math.ceil(wait.total_seconds()))
