"""The unit of work: what a use case needs to change something, in one transaction."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection, Database
from licet_server.kit.events import Event, Origin, record
from licet_server.kit.files import Files
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import Keyring
from licet_server.kit.metrics import Metrics
from licet_server.kit.settings import Settings


@dataclass(frozen=True, slots=True)
class Work:
    """One transaction, the instant it stands for, and who asked for it.

    `address` is where people reach the service, for the links in what is written to them.
    """

    db: Connection
    now: datetime
    origin: Origin
    keyring: Keyring
    address: str

    def new_id(self) -> UUID:
        """A fresh id for something that is made now."""
        return new_id(self.now)

    async def record(
        self,
        kind: str,
        *,
        institution_id: UUID,
        subject_id: UUID,
        data: Mapping[str, object],
        product_id: UUID | None = None,
        changes: Mapping[str, object] | None = None,
    ) -> UUID:
        """Record a domain event, which commits with the change or not at all; answers its id."""
        event = Event(kind, institution_id, subject_id, data, product_id, changes)
        return await record(self.db, event, self.origin, self.now)


@dataclass(frozen=True, slots=True)
class Platform:
    """What the process holds for as long as it runs: database, files, clock, keys, metrics."""

    settings: Settings
    clock: Clock
    database: Database
    keyring: Keyring
    files: Files
    metrics: Metrics = field(default_factory=Metrics)

    @asynccontextmanager
    async def work(self, origin: Origin) -> AsyncIterator[Work]:
        """A unit of work that commits when the block ends and rolls back when it raises."""
        async with self.database.transaction() as db:
            yield Work(db, self.clock(), origin, self.keyring, self.settings.address)
