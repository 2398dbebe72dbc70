"""Makes literal path segments case-insensitive: `/api/Licenses/validate` finds its route."""

from collections.abc import Iterable

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


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that metrics and traces distinguish; clients can send any number of others."""
