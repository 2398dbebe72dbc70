"""Concurrency limits of requests: a place is taken for a response, and given back after it."""

from uuid import UUID

from licet_server.kit.limits import Kind, Places
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of


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
