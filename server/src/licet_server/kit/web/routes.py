"""How a module declares its routes: each where its handler is, and in no second list."""

from collections.abc import Callable
from typing import Any

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.types import AnyCallable

Declare = Callable[[AnyCallable], HTTPRouteHandler]


class Routes(list[HTTPRouteHandler]):
    """The routes of a module, in order; `tags` name their chapter in the API document.

    The other arguments of a route are the framework's, besides `access`, `step_up` and `problems`.

    ```python
    ROUTES = Routes("Webhooks")

    @ROUTES.get("/api/webhooks/{webhook_id:uuid}", access=_READ)
    async def show_webhook(webhook_id: FromPath[UUID]) -> WebhookView: ...
    ```
    """

    def __init__(self, *tags: str) -> None:
        super().__init__()
        self._tags = tags

    def get(self, path: str, **options: Any) -> Declare:
        """Declare a route that reads."""
        return self._declare(get, path, options)

    def post(self, path: str, **options: Any) -> Declare:
        """Declare a route that creates something, and answers 201 unless `status_code` differs."""
        return self._declare(post, path, options)

    def act(self, path: str, **options: Any) -> Declare:
        """Declare a route that acts on what exists, by POST, and answers 200."""
        return self._declare(post, path, {"status_code": 200, **options})

    def put(self, path: str, **options: Any) -> Declare:
        """Declare a route that changes something."""
        return self._declare(put, path, options)

    def delete(self, path: str, **options: Any) -> Declare:
        """Declare a route that deletes something."""
        return self._declare(delete, path, options)

    def _declare(
        self, method: type[HTTPRouteHandler], path: str, options: dict[str, Any]
    ) -> Declare:
        def declare(handler: AnyCallable) -> HTTPRouteHandler:
            route = method(path, **{"tags": list(self._tags), **options})(handler)
            self.append(route)
            return route

        return declare
