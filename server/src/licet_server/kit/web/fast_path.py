"""A fast path for the busiest routes: calls the functions of their handlers without the framework.

Applications call a few routes far more often than all others, and for these the framework's
routing, guards, dependencies and responses cost more than the work itself. They are declared like
all routes, so the API document and the table of access include them.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import msgspec
from litestar import Response
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from licet_server.kit.errors import Refused, bad_fields
from licet_server.kit.web.body import read_json_body, struct_of
from licet_server.kit.web.context import RequestContext, stored_context
from licet_server.kit.web.problems import BODY_NEEDED, body_too_large, refusal_of_failure, refuse
from licet_server.kit.web.responses import encode_json, send_json


class Callers(Protocol):
    """Admits callers, and queues their requests."""

    async def admit(self, context: RequestContext, headers: Mapping[bytes, bytes]) -> object:
        """Identify the caller by the headers of a request, or raise `Refused`."""
        ...

    async def take_turn(self, context: RequestContext) -> None:
        """Wait in the fair queue until the request, which has been read, may proceed."""
        ...


@dataclass(frozen=True, slots=True)
class FastRoute:
    """A route: its path, the type of its body, its handler, and the status of its response."""

    path: str
    body: type[msgspec.Struct]
    respond: Callable[..., Awaitable[Any]]
    status: int


def fast_route(handler: HTTPRouteHandler, **services: object) -> FastRoute:
    """Return the fast path of a `POST` handler.

    Its function takes the `context` of the request, the body as `data`, and these services.
    """
    [path] = handler.paths
    body = struct_of(handler.parsed_fn_signature.parameters["data"].raw)
    return FastRoute(path, body, partial(handler.fn, **services), handler.status_code)


class FastPath:
    """Serves these routes itself and passes all other requests on.

    Like the framework, it checks the caller, the size, the media type and the fields of a request,
    in this order.
    """

    def __init__(
        self, app: ASGIApp, routes: Iterable[FastRoute], callers: Callers, max_body_bytes: int
    ) -> None:
        self._app = app
        self._routes = {route.path: route for route in routes}
        self._callers = callers
        self._max_body_bytes = max_body_bytes

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            route = self._routes.get(scope["path"])
            if route is not None:
                return self._serve(route, scope, receive, send)
        return self._app(scope, receive, send)

    async def _serve(self, route: FastRoute, scope: Any, receive: Receive, send: Send) -> None:
        scope["path_template"] = route.path
        context = stored_context(scope)
        try:
            await self._callers.admit(context, context.headers)
            raw = await self._read(context.headers, receive)
            if raw is None:
                return
            context.body = raw
            await self._callers.take_turn(context)
            content_type = context.headers.get(b"content-type", b"").decode("latin-1")
            data = read_json_body(raw, content_type, route.body, context.platform.clock)
            result = await route.respond(context=context, data=data)
            status = route.status
            if isinstance(result, Response):
                status, result = result.status_code or status, result.content
            body = encode_json(result)
        except Refused as refused:
            await refuse(send, refused, context)
            return
        except Exception as error:  # noqa: BLE001 - each becomes a problem document
            await refuse(send, refusal_of_failure(scope, error), context)
            return
        await send_json(send, status, body)

    async def _read(self, headers: Mapping[bytes, bytes], receive: Receive) -> bytes | None:
        """Return the body; `None` if the client has disconnected.

        Raises:
            Refused: `PayloadTooLarge`, `InvalidRequest` if it is empty.
        """
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced) > self._max_body_bytes:
            raise body_too_large()
        body = b""
        more = True
        while more:
            message: Any = await receive()
            if message["type"] != "http.request":
                return None
            body += message["body"]
            more = message["more_body"]
            if len(body) > self._max_body_bytes:
                raise body_too_large()
        if not body:
            raise bad_fields([BODY_NEEDED])
        return body
