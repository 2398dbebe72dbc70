"""What state machines of the service have in common: its world, and how far they go."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

import hypothesis
from testkit import FakeClock

from licet_server.kit.platform import Platform

Shop = TypeVar("Shop")
Result = TypeVar("Result")

TOKEN_LIVES = timedelta(minutes=14)
STEPS = hypothesis.settings(
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[hypothesis.Phase.generate],  # to shrink takes minutes; add it to look for a cause
)


@dataclass
class World(Generic[Shop]):
    """The service, its clock, and a loop to ask it in."""

    loop: asyncio.AbstractEventLoop
    shop: Shop
    platform: Platform
    clock: FakeClock

    def run(self, asked: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(asked)
