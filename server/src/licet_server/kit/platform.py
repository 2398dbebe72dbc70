"""The resources that a process holds while it runs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from licet_server.kit.clock import Clock, product_instant
from licet_server.kit.clock_trust import ClockTrust
from licet_server.kit.database import Connection, Database
from licet_server.kit.files import Files
from licet_server.kit.keyring import Keyring
from licet_server.kit.metrics import Metrics
from licet_server.kit.origin import Origin
from licet_server.kit.settings import Settings
from licet_server.kit.tracing import UNTRACED, Tracing
from licet_server.kit.unit_of_work import UnitOfWork

Thing = TypeVar("Thing")


class Shared:
    """Objects of features, each created when it is first asked for."""

    def __init__(self) -> None:
        self._things: dict[Callable[[], Any], Any] = {}

    def of(self, create: Callable[[], Thing]) -> Thing:
        """Return what `create` returned at its only call."""
        if create not in self._things:
            self._things[create] = create()
        thing: Thing = self._things[create]
        return thing


@dataclass(frozen=True, slots=True)
class Platform:
    """Settings, clock, database, keys, files, metrics and traces of the process.

    `clock` is always the real time; licenses, devices, sessions and wallets go by `now`.
    `shared` is what its requests and jobs share besides. `clock_trust` is `None` where nothing is
    served.
    """

    settings: Settings
    clock: Clock
    database: Database
    keyring: Keyring
    files: Files
    metrics: Metrics = field(default_factory=Metrics)
    tracing: Tracing = UNTRACED
    shared: Shared = field(default_factory=Shared)
    clock_trust: ClockTrust | None = None

    def now(self) -> datetime:
        """Return the instant of the product at hand: that of its test clock, else the present."""
        return product_instant() or self.clock()

    @asynccontextmanager
    async def unit_of_work(self, origin: Origin) -> AsyncIterator[UnitOfWork]:
        """Open a unit of work that commits at the end of the block, or rolls back if it raises."""
        async with self.database.transaction() as db:
            yield self._work(db, origin)

    @asynccontextmanager
    async def keyed_work(self, origin: Origin) -> AsyncIterator[UnitOfWork]:
        """Open a unit of work whose statements find every row by its key, as `unit_of_work`."""
        async with self.database.changing_by_key() as db:
            yield self._work(db, origin)

    def _work(self, db: Connection, origin: Origin) -> UnitOfWork:
        work = UnitOfWork(db, self.clock(), origin, self.keyring, self.settings.address)
        return work.at(product_instant())
