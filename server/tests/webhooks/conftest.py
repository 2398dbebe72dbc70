"""An application of its own for each test, whose webhooks may go to this machine."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from testkit import FakeClock, running, settings_for
from webhooks.receiver import Receiver, receiving

from licet_server.app import Application
from licet_server.kit.clock import system_clock
from licet_server.kit.passwords import Passwords


@pytest.fixture
def clock() -> FakeClock:
    """Begins now, since receivers hold the time of an attempt against their own clock."""
    made = FakeClock()
    made.now = system_clock()
    return made


@pytest.fixture
async def application(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock, fast_passwords: Passwords
) -> AsyncIterator[Application]:
    settings = settings_for(new_database(), tmp_path, webhooks_allow_private=True)
    async with running(settings, clock, fast_passwords) as app:
        yield app


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made
