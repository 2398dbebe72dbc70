"""Works off the events of shops, and kills itself at a moment that the caller names."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

from archives.killed import dying

from licet_server.app import open_platform
from licet_server.connectors.service import fulfilling, linking, settling
from licet_server.kit.settings import Settings
from licet_server.worker import work_off_connector_events

MOMENTS: dict[str, tuple[Any, str, int, bool]] = {
    "before the events are read": (linking.inbox, "save_read", 1, False),
    "after the events are read": (linking.orders, "mark_due", 1, True),
    "before the first order": (settling.storage, "claim_due", 1, False),
    "after its first license is issued": (fulfilling.issuing, "issue", 1, True),
    "after its second license is stored": (fulfilling.storage, "save_license", 2, True),
    "after it is saved": (settling.storage.ORDERS, "save", 1, True),
    "after it is recorded": (settling, "record_order", 1, True),
    "after it is committed": (settling.storage, "claim_due", 2, False),
}
"""Whose function is called then, its name, at which call, and whether it is done by then."""


def main(*given: str) -> None:
    """Work off and die; the arguments are those of `work_off`."""
    asyncio.run(work_off(*given))


async def work_off(url: str, folder: str, now: str, moment: str) -> None:
    owner, name, at, done = MOMENTS[moment]
    setattr(owner, name, dying(getattr(owner, name), at, done=done))
    settings = Settings(data_dir=Path(folder), database_url=url)
    async with open_platform(settings, lambda: datetime.fromisoformat(now)) as platform:
        await work_off_connector_events(platform)
