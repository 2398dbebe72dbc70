"""What state machines of the service have in common: how they ask it, and how far they go."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, TypeVar

import hypothesis
from hypothesis.stateful import RuleBasedStateMachine
from testkit import FakeClock
from world import World

Result = TypeVar("Result")

TOKEN_LIVES = timedelta(minutes=14)
STEPS = hypothesis.settings(
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[hypothesis.Phase.generate],  # to shrink takes minutes; add it to look for a cause
)


class Machine(RuleBasedStateMachine):
    """Requests to the service, in the loop in which it runs."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.world, self.clock, self.loop = world, world.clock, loop
        self.clock.now = FakeClock.START
        self.signed_in_at = self.clock.now - TOKEN_LIVES  # the token of another example

    def run(self, asked: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(asked)

    def stay_signed_in(self) -> None:
        """Sign in again before the access token expires."""
        if self.clock.now - self.signed_in_at >= TOKEN_LIVES:
            self.run(self.world.owner.sign_in())
            self.signed_in_at = self.clock.now
