"""The unit of work: what a use case needs to make a change in one transaction."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction, its instant, and its origin.

    `now` is the present, or the instant of the test clock of the product that is changed, and
    `recorded_at` always the present: the time of IDs and events. `address` is the public address of
    the service, for links in emails.
    """

    db: Connection
    now: datetime
    origin: Origin
    keyring: Keyring
    address: str
    present: datetime | None = None

    @property
    def recorded_at(self) -> datetime:
        """When this happens in real time."""
        return self.present or self.now

    @property
    def clock(self) -> datetime | None:
        """Where the test clock of the product at hand stands; `None` in real time."""
        return None if self.present is None else self.now

    def at(self, instant: datetime | None) -> "UnitOfWork":
        """Return this unit of work at the instant of a test clock; `None` changes nothing."""
        if instant is None:
            return self
        return replace(self, now=instant, present=self.recorded_at)

    def new_id(self) -> UUID:
        """Return a new ID for something created now."""
        return new_id(self.recorded_at)
