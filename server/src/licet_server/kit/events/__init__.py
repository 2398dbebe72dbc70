"""Domain events, recorded in the transaction of the change they tell of.

Webhooks, notifications, e-mail and the audit log are projections of these rows; nothing is sent
from inside a request, so nothing is lost between commit and send.
"""

from licet_server.kit.events.changes import differences
from licet_server.kit.events.recent import Recent, fetch_newest, fetch_newest_of_products
from licet_server.kit.events.storage import (
    Event,
    Origin,
    Topic,
    claim_topics,
    count_by_day,
    record,
    record_many,
)
from licet_server.kit.events.telling import Recorded, hold_untold, mark_told

__all__ = [
    "Event",
    "Origin",
    "Recent",
    "Recorded",
    "Topic",
    "claim_topics",
    "count_by_day",
    "differences",
    "fetch_newest",
    "fetch_newest_of_products",
    "hold_untold",
    "mark_told",
    "record",
    "record_many",
]
