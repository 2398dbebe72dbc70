"""Archives rows and kills itself at a moment that the caller names."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from licet_server.app import open_platform
from licet_server.archives.service import archiving
from licet_server.archives.service.events import EVENTS
from licet_server.devices.service.attempts import ATTEMPTS
from licet_server.kit.files import Files
from licet_server.kit.settings import Settings
from licet_server.metering.service.archiving import LEDGER
from licet_server.sessions.service.ending import SESSIONS

SOURCES = {item.kind.value: item for item in (EVENTS, LEDGER, SESSIONS, ATTEMPTS)}
MOMENTS: dict[str, tuple[Any, str, int, bool]] = {
    "before the file is stored": (Files, "write", 1, False),
    "before it is read back": (archiving.files, "read_stored_content", 1, False),
    "after the file is stored": (archiving.files, "store", 1, True),
    "after the archive is recorded": (archiving.storage, "insert_archive", 1, True),
    "after its event is recorded": (archiving, "record_event", 1, True),
    "after the first archive is committed": (archiving.storage, "lock_head", 2, False),
}
"""Whose function is called then, its name, at which call, and whether it is done by then."""
ROWS_DELETED = "after the rows are deleted"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying(call: Callable[..., Any], at: int, *, done: bool) -> Callable[..., Any]:
    """The call, during which the process dies."""
    calls = 0

    async def called(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at and not done:
            die()
        result = await call(*given, **named)
        if calls == at:
            die()
        return result

    return called


def main(*given: str) -> None:
    """Archive and die; the arguments are those of `archive`."""
    asyncio.run(archive(*given))


async def archive(url: str, folder: str, now: str, kind: str, moment: str) -> None:
    source = replace(SOURCES[kind], rows=2)
    if moment == ROWS_DELETED:
        source = replace(source, remove=dying(source.remove, 1, done=True))
    else:
        owner, name, at, done = MOMENTS[moment]
        setattr(owner, name, dying(getattr(owner, name), at, done=done))
    settings = Settings(data_dir=Path(folder), database_url=url)
    async with open_platform(settings, lambda: datetime.fromisoformat(now)) as platform:
        await archiving.archive_rows(platform, source, 400)
