"""Requests in the fair queue: from their admission until their response begins."""

from uuid import UUID

from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.web.context import RequestContext


async def take(
    queue: FairQueue, context: RequestContext, lane: tuple[str, UUID], weight: int = 1
) -> None:
    """Wait until a request may proceed; only those in the same lane are ahead.

    Its body has been read already: a slow client must not block others.

    Raises:
        QueueFull: too many requests are waiting in the lane.
    """
    await queue.enter(lane, weight)
    context.turn = (lane, weight)


def give_back(queue: FairQueue, context: RequestContext) -> None:
    """Admit the next request, if this one is in the queue."""
    if context.turn is not None:
        queue.leave(*context.turn)
        context.turn = None
