"""Running flows on an event loop."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from licet._flow import Done, Flow, Outcome, Pause, step
from licet._transport import AsyncTransport
from licet.errors import LicetError

T = TypeVar("T")


async def run_async(flow: Flow[T], transport: AsyncTransport) -> T:
    """Run a flow to completion on the event loop.

    Its steps read and sync small files, so they run in a thread and never block the loop.
    """
    outcome: Outcome = None
    while True:
        effect = await asyncio.to_thread(step, flow, outcome)
        if isinstance(effect, Done):
            return effect.value  # type: ignore[no-any-return]
        outcome = None
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            continue
        try:
            outcome = await transport.send(effect)
        except LicetError as error:
            outcome = error
