"""Services in processes of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from e2e.forked import quick_command_line
from e2e.process import ADMIN, NewService, Service
from testkit import with_options


@pytest.fixture
def new_service(new_database: Callable[[], str]) -> Iterator[NewService]:
    """Create a service, not started, on a database of the run's server."""

    def make(**more: str) -> Service:
        return Service(
            {"DATABASE_URL": with_options(new_database()), **more}, main=quick_command_line
        )

    yield from _services(make)


@pytest.fixture
def new_embedded_service(seed: Path) -> Iterator[NewService]:
    """Create a service, not started, that runs its own database server."""
    yield from _services(lambda **more: Service(more, seed=seed, main=quick_command_line))


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
    url = with_options(new_database())
    shared = Service({**ADMIN, "DATABASE_URL": url}, main=quick_command_line)
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
