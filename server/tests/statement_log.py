"""Takes down every statement that the service sends in a run, with how far it reaches.

Each kind of statement is explained a few times on the connection that sends it, in a transaction
of its own that is rolled back, just before it runs.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import greenlet
from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import await_only
from statement_reach import Reach, observe

PROPERTY = "statements"
_PROVEN = 3
_TRIED = 12
_EXPLAINABLE = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_VALUE = r"\$\d+(?:::[A-Z]+(?: [A-Z]+)*(?:\([\d, ]+\))?(?:\[\])?)?"
_VALUES = re.compile(rf"{_VALUE}(?:, {_VALUE})+")
_ROWS = re.compile(r"(\([^()]*\))(?:, \1)+")


class StatementLog:
    """The kinds of statements that were sent, and what their runs have shown."""

    def __init__(self) -> None:
        self._proven: Counter[str] = Counter()
        self._tried: Counter[str] = Counter()
        self._fresh: list[tuple[str, str, int]] = []

    def take_fresh(self) -> list[tuple[str, str, int]]:
        """Return what was learned since the last call: statement, who sends it, reach."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def note(
        self,
        connection: Connection,
        _cursor: Any,
        statement: str,
        values: Any,
        context: Any,
        executemany: bool,
    ) -> None:
        """Explain the statement, unless enough is known of its kind."""
        sent_by = sender()
        if sent_by is None or not statement.startswith(_EXPLAINABLE):
            return
        kind = kind_of(statement)
        if self._proven[kind] >= _PROVEN or self._tried[kind] >= _TRIED:
            return
        self._tried[kind] += 1
        row = values[0] if executemany else values
        run = await_only(observe(connection.connection.driver_connection, statement, row))
        if run is None:
            return
        self._proven[kind] += run.proves
        reach = int(run.reach) if run.proves else -1
        self._fresh.append((kind, sent_by, reach))


@contextmanager
def logging_statements(log: StatementLog) -> Iterator[None]:
    """Take down the statements of all engines during the block."""
    event.listen(Engine, "before_cursor_execute", log.note)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", log.note)


def kind_of(statement: str) -> str:
    """Return what a statement is, whatever the number of its values and rows."""
    return _ROWS.sub(r"\1", _VALUES.sub("$", statement))


def sender() -> str | None:
    """Return module and function of the storage that sends the statement; `None` for a test."""
    parent = greenlet.getcurrent().parent
    frame: FrameType | None = parent.gr_frame if parent is not None else None
    nearest = None
    while frame is not None:
        package, _, module = frame.f_globals.get("__name__", "").partition(".")
        if module in {"kit.direct", "kit.routing", "kit.together"}:  # run what others send
            frame = frame.f_back
            continue
        if package == "licet_server":
            name = f"{module}:{frame.f_code.co_name}"
            if "storage" in module:
                return name
            nearest = nearest or name
        elif nearest is None and package not in {"contextlib", "sqlalchemy"}:
            return None
        frame = frame.f_back
    return nearest


def worst(found: list[tuple[str, str, int]]) -> dict[tuple[str, str], Reach | None]:
    """Return the worst that was seen of each statement; `None` if no run has proven anything."""
    seen: dict[tuple[str, str], int] = {}
    for kind, sender, reach in found:
        seen[kind, sender] = max(seen.get((kind, sender), -1), reach)
    return {key: None if reach < 0 else Reach(reach) for key, reach in seen.items()}
