"""Wire shapes of the service's releases."""

from datetime import datetime

from msgspec import Struct


class VersionView(Struct, rename="camel"):
    """A release of this service; `notesUrl` opens its notes."""

    version: str
    released_at: datetime | None
    notes_url: str


class UpgradeView(Struct, rename="camel"):
    """A newer release than the running one; null if none is known or no feed is set."""

    upgrade: VersionView | None
