"""Services in processes of their own."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from e2e.process import ADMIN, Service


@pytest.fixture
def new_service() -> Iterator[Callable[..., Service]]:
    """Makes a service that is not started; all are gone after the test."""
    made: list[Service] = []

    def make(**variables: str) -> Service:
        made.append(Service(**variables))
        return made[-1]

    yield make
    for service in made:
        service.remove()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A running service with an Owner, which the tests of a module share."""
    shared = Service(**ADMIN)
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
