"""Hands recorded events to their projections, each event once.

Projections write rows of their own, such as a delivery for each webhook that wants the event, in
the transaction that marks it as told: a crash undoes both, so that nothing is told twice or never.
Sending happens later, from those rows.
"""

from collections.abc import Awaitable, Callable, Sequence

from licet_server.events.rules.model import Recorded
from licet_server.events.storage.outbox import lock_undispatched, mark_dispatched
from licet_server.kit.unit_of_work import UnitOfWork

Projection = Callable[[UnitOfWork, Sequence[Recorded]], Awaitable[None]]
"""Writes what follows from events, in the transaction and at the instant of the work given."""


async def dispatch_next(work: UnitOfWork, projections: Sequence[Projection], limit: int) -> int:
    """Hand the oldest events that nobody holds to every projection; answers how many.

    Several processes may do so at once: each skips what another one holds.
    """
    found = await lock_undispatched(work.db, limit)
    if not found:
        return 0
    for project in projections:
        await project(work, found)
    await mark_dispatched(work.db, found)
    return len(found)
