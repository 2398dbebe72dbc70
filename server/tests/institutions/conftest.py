"""Fixtures of the tests of institutions."""

from collections.abc import AsyncIterator

import httpx
import pytest
from testkit import client_of, numbers

from licet_server.app import Application


@pytest.fixture
async def visitor(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    """A client that is not signed in, at its own IP address."""
    number = next(numbers)
    async with client_of(application, f"10.7.{number // 250}.{number % 250 + 1}") as client:
        yield client
