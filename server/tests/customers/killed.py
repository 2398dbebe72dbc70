"""Erases persons from archives and kills itself at a moment that the caller names."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

from archives.killed import dying

from licet_server.app import open_platform
from licet_server.archives.service import erasing
from licet_server.kit.settings import Settings
from licet_server.worker import erase_archived

MOMENTS: dict[str, tuple[Any, str, int, bool]] = {
    "after the new file is stored": (erasing.files, "store", 1, True),
    "after the archive is changed": (erasing.storage, "update_archive", 1, True),
    "after that is committed": (erasing.files, "delete_replaced", 1, False),
    "after the old file is deleted": (erasing.files, "delete_replaced", 1, True),
    "at the third archive": (erasing.files, "store", 3, True),
    "before the erasure is done": (erasing.storage, "delete_erasure", 1, False),
}
"""Whose function is called then, its name, at which call, and whether it is done by then."""


def main(*given: str) -> None:
    """Erase and die; the arguments are those of `erase`."""
    asyncio.run(erase(*given))


async def erase(url: str, folder: str, now: str, moment: str) -> None:
    owner, name, at, done = MOMENTS[moment]
    setattr(owner, name, dying(getattr(owner, name), at, done=done))
    settings = Settings(data_dir=Path(folder), database_url=url)
    async with open_platform(settings, lambda: datetime.fromisoformat(now)) as platform:
        await erase_archived(platform)
