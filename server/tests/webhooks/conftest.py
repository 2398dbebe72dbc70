"""An application whose webhooks may go to this machine, without those of the tests before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
from testkit import FakeClock
from webhooks.receiver import Receiver, receiving

from licet_server.kit.clock import system_clock

if TYPE_CHECKING:
    from applications import ApplicationWith

    from licet_server.app import Application


@pytest.fixture
def clock(shared_clock: FakeClock) -> FakeClock:
    """Begins now, since receivers hold the time of an attempt against their own clock."""
    shared_clock.now = system_clock()
    return shared_clock


@pytest.fixture
async def application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    from applications import emptied

    return await emptied(await application_with(webhooks_allow_private=True))


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made
