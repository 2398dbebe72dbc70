"""Who may call a route: every route declares it, and the application does not start otherwise.

A handler states `access=...` in its decorator. Features define their own kinds of access (an
operator with a role, a product key); this module runs them before anything else of the route.
"""

from typing import Protocol

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler


class Access(Protocol):
    """Admits a caller, or raises `Refused`."""

    @property
    def security(self) -> str | None:
        """The name of the OpenAPI security scheme, or `None` for an open route."""

    def describe(self) -> str:
        """One line for the API page and for the table of routes."""

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Identify the caller and store him in the request's context."""


class Anonymous:
    """Anybody may call."""

    security = None

    def describe(self) -> str:
        return "Open to everybody."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        return


async def enforce_access(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """The guard on every route; the framework's own answers to OPTIONS need none."""
    access: Access | None = handler.opt.get("access")
    if access is not None:
        await access.admit(connection)


def declared_access(handler: HTTPRouteHandler) -> Access | None:
    """What the handler declares."""
    access: Access | None = handler.opt.get("access")
    return access


def require_declared_access(app: Litestar) -> None:
    """Refuse to run with a route that does not say who may call it."""
    silent = [
        f"{sorted(handler.http_methods)} {route.path}"
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        and handler.http_methods != {"OPTIONS"}
        and declared_access(handler) is None
    ]
    if silent:
        raise RuntimeError(f"These routes declare no access: {', '.join(silent)}")
