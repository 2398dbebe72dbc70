"""Statements as the service sends them, taken down and explained with their values."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event
from sqlalchemy.ext.asyncio import AsyncConnection

from licet_server.kit.platform import Platform

_NUMBER = re.compile(r"_\d$")


class Question(NamedTuple):
    """A statement with its values, and whether its connection keeps the plan for other values."""

    statement: str
    values: Any
    is_keyed: bool


@dataclass
class Explained:
    """What a statement scans, and how many pages it touches."""

    scanned: set[str] = field(default_factory=set)
    pages: int = 0


@contextmanager
def taken_down(table: str, *verbs: str) -> Iterator[list[Question]]:
    """The questions about a table that are sent while the block runs, with their values.

    They begin with SELECT, or with one of the other verbs.
    """
    taken: list[Question] = []

    def note(connection: Connection, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", *verbs)) and table in statement:
            taken.append(Question(statement, values, _keeps_plans(connection)))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield taken
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def _walk(node: dict[str, Any], explained: Explained) -> None:
    if node["Node Type"] == "Seq Scan":
        explained.scanned.add(_whole(node["Relation Name"]))
    if "Index Name" in node:
        explained.scanned.add(_whole(node["Index Name"]))
    for inner in node.get("Plans", []):
        # Such as the test clock of a license: it is read for test licenses alone.
        if inner["Parent Relationship"] != "SubPlan" or inner.get("Actual Loops") != 0:
            _walk(inner, explained)


def _whole(name: str) -> str:
    """Return the name without the number of a partition."""
    return _NUMBER.sub("", name)


async def explain(
    platform: Platform, question: Question, turned_off: Iterable[str] = ()
) -> Explained:
    """Explain a question on a connection of the kind that it was sent on, without some scans."""
    database = platform.database
    opened = database.keyed_transaction() if question.is_keyed else database.transaction()
    async with opened as db:
        for setting in turned_off:
            await db.exec_driver_sql(f"SET LOCAL {setting} = off")
        root = await plan_of(db, question, "ANALYZE, BUFFERS")
    explained = Explained(pages=root["Shared Hit Blocks"] + root["Shared Read Blocks"])
    _walk(root, explained)
    return explained


async def plan_of(
    db: AsyncConnection, question: Question, options: str = "VERBOSE OFF"
) -> dict[str, Any]:
    """Return the plan of a question, with its values, as this connection plans it."""
    given = ", ".join(map(_literal, question.values))
    executed = f"EXECUTE explained({given})" if given else "EXECUTE explained"
    await db.exec_driver_sql(f"PREPARE explained AS {question.statement}")
    asked = f"EXPLAIN ({options}, FORMAT JSON) {executed}"
    answer = (await db.exec_driver_sql(asked)).scalar_one()
    await db.exec_driver_sql("DEALLOCATE explained")
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    return dict(plan["Plan"])


def _keeps_plans(connection: Connection) -> bool:
    cursor = connection.connection.cursor()
    cursor.execute("SHOW plan_cache_mode")
    return cursor.fetchone() == ("force_generic_plan",)


def _literal(value: Any) -> str:
    """Write a value so that PostgreSQL reads it as the type that the statement asks for."""
    if value is None:
        return "NULL"
    if isinstance(value, (list, tuple)):
        return _quoted("{" + ",".join(map(_item, value)) + "}")
    return _quoted(_text(value))


def _item(value: Any) -> str:
    if value is None:
        return "NULL"
    escaped = _text(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    return str(value)


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
