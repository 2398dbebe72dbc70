"""Admits requests: their order in the fair queue, and how many of a kind run at once."""

from uuid import UUID

from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.limits import Kind, Places
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of


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


async def take_place(
    request: HttpRequest, kind: Kind, user: object, institution_id: UUID | None
) -> None:
    """Take a place for the response to this request.

    Raises:
        Refused: `RateLimited` if the user, the institution or the process has none left.
    """
    places: Places = request.app.state["places"]
    place = await places.take(kind, str(user), institution_id)
    context_of(request).held.append((places, place))


def give_places_back(context: RequestContext) -> None:
    """Give back the places that the request holds."""
    while context.held:
        places, place = context.held.pop()
        places.give_back(place)
