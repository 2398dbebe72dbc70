"""What users received: notifications and emails."""

from dataclasses import dataclass
from typing import Any

from events.factories import event_of
from events.factories import record as record_events
from testkit import Owner

from licet_server.kit.mail import Mail, list_waiting
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events


@dataclass
class Inbox:
    """The notifications and emails of one user."""

    user: Owner
    platform: Platform

    async def notifications(self, **query: Any) -> list[dict[str, Any]]:
        """Newest first, after all events were dispatched."""
        await dispatch_events(self.platform)
        query = {"pageSize": 100, **query}
        return list((await self.user.ok("GET", "/api/notifications", params=query))["items"])

    async def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [item for item in await self.notifications() if item["kind"] == kind]

    async def mails(self) -> list[Mail]:
        """Oldest first, after all events were dispatched."""
        await dispatch_events(self.platform)
        async with self.platform.database.reading() as db:
            waiting = await list_waiting(db, self.platform.keyring)
        return [item for item in waiting if item.recipient == self.user.email]

    async def unread(self) -> int:
        answer = await self.user.ok("GET", "/api/notifications/unread-count")
        return int(answer["unread"])


async def record(platform: Platform, owner: Owner, *events: tuple[str, dict[str, Any]]) -> None:
    """Record events about the institution itself."""
    await record_events(platform, *(event_of(owner, kind, data) for kind, data in events))
