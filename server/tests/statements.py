"""What is sent to databases while a test looks."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
import pytest
from asyncpg.prepared_stmt import PreparedStatement
from sqlalchemy import Engine, event


@contextmanager
def sent_statements() -> Iterator[list[str]]:
    """Collect the statements that are sent while the block runs.

    What a server stores two seconds after requests is left out: a test before may have sent them.
    """
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not _is_stored_later():
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@contextmanager
def round_trips() -> Iterator[list[str]]:
    """Collect what databases are asked and waited for while the block runs, without listeners.

    What begins a transaction in the round trip of its first statement is left out, and so is what
    `sent_statements` leaves out.
    """
    asked: list[str] = []
    fetch, execute = PreparedStatement.fetch, asyncpg.Connection.execute

    async def note_fetch(prepared: Any, *values: Any) -> Any:
        if not _is_stored_later():
            asked.append(prepared.get_query())
        return await fetch(prepared, *values)

    async def note_execute(connection: Any, command: str, *given: Any, **named: Any) -> Any:
        if not _is_stored_later():
            asked.append(command)
        return await execute(connection, command, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PreparedStatement, "fetch", note_fetch)
        patch.setattr(asyncpg.Connection, "execute", note_execute)
        yield asked


def _is_stored_later() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.get_name() == "request log"
