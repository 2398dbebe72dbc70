"""What is sent to databases while a test looks."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


def _is_stored_later() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.get_name() == "request log"
