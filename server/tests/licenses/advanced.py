"""Advances test clocks, and kills itself at a moment that the caller names."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

from archives.killed import dying

from licet_server.app import open_platform
from licet_server.catalog.service import clocks
from licet_server.catalog.storage import clocks as storage
from licet_server.kit.settings import Settings
from licet_server.licenses.storage import reminders
from licet_server.sessions.service import ending
from licet_server.worker import TIMED

MOMENTS: dict[str, tuple[Any, str, int, bool]] = {
    "before the first step": (storage, "lock_next_advancing", 1, False),
    "while sessions end": (ending, "_end_at", 1, True),
    "after a term was told": (reminders, "claim_due", 3, True),
    "before a step is committed": (storage.CLOCKS, "update", 2, True),
    "after a step is committed": (storage, "lock_next_advancing", 4, False),
}
"""Whose function is called then, its name, at which call, and whether it is done by then."""


def main(*given: str) -> None:
    """Advance and die; the arguments are those of `advance`."""
    asyncio.run(advance(*given))


async def advance(url: str, folder: str, now: str, moment: str) -> None:
    owner, name, at, done = MOMENTS[moment]
    setattr(owner, name, dying(getattr(owner, name), at, done=done))
    settings = Settings(data_dir=Path(folder), database_url=url)
    async with open_platform(settings, lambda: datetime.fromisoformat(now)) as platform:
        await clocks.advance_clocks(platform, TIMED)
