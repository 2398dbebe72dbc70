"""Paths of requests: the case of their literal segments, and the path that the service is below."""

from collections.abc import Iterable

from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

_PARAMETER = "{"


class PathFolder:
    """Lowercases the literal segments of a path, and leaves its parameters alone.

    All literal segments in the routes must be lower case.
    """

    def __init__(self, templates: Iterable[str]) -> None:
        self._tree: dict[str, dict] = {}  # type: ignore[type-arg]
        for template in templates:
            node = self._tree
            for segment in template.strip("/").split("/"):
                node = node.setdefault(
                    _PARAMETER if segment.startswith(_PARAMETER) else segment, {}
                )

    def fold(self, path: str) -> str:
        """Return the path as the routes spell it; an unknown path is unchanged."""
        if path == path.lower():
            return path
        node: dict | None = self._tree  # type: ignore[type-arg]
        folded: list[str] = []
        for segment in path.strip("/").split("/"):
            if node is None:
                return path
            literal = segment.lower()
            if literal in node:
                folded.append(literal)
                node = node[literal]
            else:
                folded.append(segment)
                node = node.get(_PARAMETER)
        return "/" + "/".join(folded)


def below_path(app: ASGIApp, base_path: str) -> ASGIApp:
    """Serve an application below a path, whether the proxy before it strips that path or not."""
    if not base_path:
        return app

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if path == base_path or path.startswith(f"{base_path}/"):
            raw: bytes = scope["raw_path"]
            scope["path"] = path[len(base_path) :] or "/"
            scope["raw_path"] = raw.removeprefix(base_path.encode()) or b"/"
        await app(scope, receive, send)

    return serve


def name_all_methods(app: Litestar) -> None:
    """Let OPTIONS name every method of a path; the framework names those it registered first."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            route.methods = with_head(route.methods)  # type: ignore[assignment]
            handler, _ = route.route_handler_map["OPTIONS"]
            handler._fn = route.create_options_handler(route.path).fn


def with_head(methods: Iterable[str]) -> set[str]:
    """Return the methods of a path, with HEAD where there is GET: the middleware answers both."""
    found = set(methods)
    return found | {"HEAD"} if "GET" in found else found


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that metrics and traces distinguish; clients can send any number of others."""
