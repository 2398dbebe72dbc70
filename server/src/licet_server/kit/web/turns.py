"""The turns of requests in the fair queue: from their admission until their response begins."""

from uuid import UUID

from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.web.context import RequestContext


async def take(
    queue: FairQueue, context: RequestContext, lane: tuple[str, UUID], places: int = 1
) -> None:
    """Wait until a request may be worked on; only those in the same lane are ahead.

    It has been admitted and read: whoever sends slowly must not keep others waiting.

    Raises:
        QueueFull: too many requests are waiting in the lane.
    """
    await queue.enter(lane, places)
    context.turn = (lane, places)


def give_back(queue: FairQueue, context: RequestContext) -> None:
    """Let the next request in, if this one has a turn."""
    if context.turn is not None:
        queue.leave(*context.turn)
        context.turn = None
