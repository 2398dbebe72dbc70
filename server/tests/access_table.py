"""Writes docs/access.md: every route, with who may call it, as the code declares it.

python server/tests/access_table.py docs/access.md
"""

import sys
import tempfile
from pathlib import Path

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from licet_server.app import build_app, build_platform
from licet_server.kit.keyring import new_master_key
from licet_server.kit.settings import Settings
from licet_server.kit.text import camel
from licet_server.kit.web.access import declared_access, describe_access

_HEAD = """# Who may call what

Every route of the API, with its subject, role and scope. This page is generated from the code with
`make openapi`, and a test fails when it is out of date. [Your team](team.md#roles) explains roles,
[Security](security.md#api-keys) scopes, and [what a step-up is](security.md#step-up).

| route | who |
|---|---|
"""


def render(app: Litestar) -> str:
    """The page."""
    rows = {
        f"| `{method} {_path(route.path_format)}` | {describe_access(handler)} |"
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        and route.path_format.startswith(("/api/", "/ofrep/"))
        for method in handler.http_methods - {"OPTIONS"}
        if declared_access(handler) is not None
    }
    return _HEAD + "\n".join(sorted(rows, key=lambda row: (row.split()[2], row))) + "\n"


def _path(path: str) -> str:
    return "/".join(camel(part) if part.startswith("{") else part for part in path.split("/"))


def main(target: Path) -> None:
    """Write the page; no database is needed to read what routes declare."""
    with tempfile.TemporaryDirectory() as folder:
        url = "postgresql+asyncpg://nobody@127.0.0.1:1/nothing"
        nothing = Settings(data_dir=Path(folder), database_url=url, master_keys=(new_master_key(),))
        platform = build_platform(nothing)
        target.write_text(render(build_app(platform).litestar))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
