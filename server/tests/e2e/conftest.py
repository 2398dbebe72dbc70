"""Services in processes of their own."""

import asyncio
import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from e2e.process import ADMIN, NewService, Service
from shared_postgres import SharedPostgres

from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.migrations import migrate


@pytest.fixture(scope="session")
def seed(postgres: SharedPostgres) -> Path:
    """A data folder whose embedded database is migrated and stopped: a start takes no time for it.

    All processes of the run share it.
    """
    folder = postgres.folder / "seed"
    with (postgres.folder / "seed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            partial = postgres.folder / "seed.partial"
            partial.mkdir()
            partial.chmod(postgres.folder.stat().st_mode)
            with EmbeddedPostgres(partial, log=lambda _: None, fsync=False) as cluster:
                asyncio.run(migrate(cluster.url))
            partial.rename(folder)
    return folder


@pytest.fixture
def new_service(new_database: Callable[[], str]) -> Iterator[NewService]:
    """Create a service, not started, on a database of the run's server."""
    yield from _services(lambda **more: Service({"DATABASE_URL": new_database(), **more}))


@pytest.fixture
def new_embedded_service(seed: Path) -> Iterator[NewService]:
    """Create a service, not started, that runs its own database server."""
    yield from _services(lambda **more: Service(more, seed=seed))


@pytest.fixture
def new_installation() -> Iterator[NewService]:
    """Create a service as it is first started: in a fresh interpreter, on an empty folder."""
    yield from _services(lambda **more: Service(more, in_fresh_interpreter=True))


def _services(make: NewService) -> Iterator[NewService]:
    made: list[Service] = []

    def make_and_note(**variables: str) -> Service:
        made.append(make(**variables))
        return made[-1]

    yield make_and_note
    for service in made:
        service.remove()


@pytest.fixture(scope="module")
def service(new_database: Callable[[], str]) -> Iterator[Service]:
    """A running service with an Owner, which the tests of a module share."""
    shared = Service({**ADMIN, "DATABASE_URL": new_database()})
    try:
        shared.start()
        yield shared
    finally:
        shared.remove()


@pytest.fixture(scope="module")
def owner(service: Service) -> Iterator[httpx.Client]:
    """The client of the Owner."""
    with service.sign_in() as client:
        yield client
