"""Statements as the service sends them, taken down and explained with their values."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from licet_server.kit.platform import Platform


@dataclass
class Explained:
    """What a statement scans, and how many pages it touches."""

    scanned: set[str] = field(default_factory=set)
    pages: int = 0


@contextmanager
def taken_down(table: str) -> Iterator[list[tuple[str, Any]]]:
    """The questions about a table that are sent while the block runs, with their values."""
    taken: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith("SELECT") and table in statement:
            taken.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield taken
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def _walk(node: dict[str, Any], explained: Explained) -> None:
    if node["Node Type"] == "Seq Scan":
        explained.scanned.add(node["Relation Name"])
    if "Index Name" in node:
        explained.scanned.add(node["Index Name"])
    for inner in node.get("Plans", []):
        _walk(inner, explained)


async def explain(platform: Platform, statement: str, values: Any) -> Explained:
    asked = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}"
    async with platform.database.transaction() as db:
        answer = (await db.exec_driver_sql(asked, values)).scalar_one()
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    root = plan["Plan"]
    explained = Explained(pages=root["Shared Hit Blocks"] + root["Shared Read Blocks"])
    _walk(root, explained)
    return explained
