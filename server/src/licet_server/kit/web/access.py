"""Who may call a route: every route must declare it, or the application does not start.

A handler declares `access=...` in its decorator, and `step_up=...` if what it does is hard to undo.
Features define their own kinds of access (an operator with a role, a product key); this module
checks them before the handler runs and before the body is read.
"""

from typing import Protocol

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import refuse_unknown_parameters


class Access(Protocol):
    """Admits a caller, or raises `Refused`."""

    @property
    def security(self) -> str | None:
        """The name of the OpenAPI security scheme, or `None` for a public route."""

    @property
    def alternative_security(self) -> str | None:
        """The name of a second scheme that is accepted in place of the first, if any."""

    def describe(self) -> str:
        """Return one line for the API documentation and the table of routes."""

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Identify the caller and store them in the request's context."""


class StepUp(Protocol):
    """Asks an admitted caller for a recent proof of identity."""

    def describe(self) -> str:
        """Return one sentence for the API documentation and the table of routes."""

    async def check(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Check the proof, or raise `Refused`."""


class Anonymous:
    """Anyone may call."""

    security = None
    alternative_security = None

    def describe(self) -> str:
        return "Open to everybody."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        return


async def enforce_access(request: HttpRequest) -> None:
    """Check who calls before the body is read; the framework's OPTIONS handlers declare no access.

    Query parameters that a route does not take are refused here, too, but only to its callers.

    This runs as the framework's `before_request`: for a guard, it copies the whole request, which
    took a fifth of the time of an empty one.
    """
    handler = request.route_handler
    access: Access | None = handler.opt.get("access")
    if access is not None:
        await access.admit(request)
    if (step_up := declared_step_up(handler)) is not None:
        await step_up.check(request)
    refuse_unknown_parameters(request)


def declared_access(handler: HTTPRouteHandler) -> Access | None:
    access: Access | None = handler.opt.get("access")
    return access


def declared_step_up(handler: BaseRouteHandler) -> StepUp | None:
    """Return the recent proof of identity that the handler asks for, if any."""
    step_up: StepUp | None = handler.opt.get("step_up")
    return step_up


def describe_access(handler: HTTPRouteHandler) -> str:
    """Return who may call the handler, for the API documentation and the table of routes."""
    declared = (declared_access(handler), declared_step_up(handler))
    return " ".join(item.describe() for item in declared if item is not None)


def require_declared_access(app: Litestar) -> None:
    """Check that every route declares its access, and that nothing runs in place of its check.

    Raises:
        RuntimeError: naming the routes that do not, or that send stored responses.
    """
    handlers = [
        (f"{sorted(handler.http_methods)} {route.path}", handler)
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler) and handler.http_methods != {"OPTIONS"}
    ]
    undeclared = [name for name, handler in handlers if declared_access(handler) is None]
    if undeclared:
        raise RuntimeError(f"These routes declare no access: {', '.join(undeclared)}")
    unchecked = [
        name
        for name, handler in handlers
        if handler.cache or handler.resolve_before_request() is not enforce_access
    ]
    if unchecked:
        raise RuntimeError(f"These routes may respond before access is checked: {unchecked}")
