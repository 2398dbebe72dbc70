"""Running flows on an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, TypeVar

from licet._flow import Done, Flow, Outcome, Pause, Within, step
from licet._transport import AsyncTransport
from licet.errors import LicetError

T = TypeVar("T")


async def run_async(flow: Flow[T], transport: AsyncTransport) -> T:
    """Run a flow to completion on the event loop.

    Its steps read and sync small files, so they run in a thread and never block the loop.
    """
    try:
        return await _run(flow, transport)
    finally:
        # What a flow holds is free at once if it is canceled, unless a thread is still in a step.
        with contextlib.suppress(ValueError):
            flow.close()


async def _run(flow: Flow[T], transport: AsyncTransport) -> T:
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
            if isinstance(effect, Within):
                outcome = await _run_within(effect, transport)
            else:
                outcome = await transport.send(effect)
        except LicetError as error:
            outcome = error


async def _run_within(effect: Within, transport: AsyncTransport) -> Any:
    task = asyncio.create_task(run_async(effect.flow, transport), name="licet-answer")
    effect.running.add(task)
    task.add_done_callback(effect.running.discard)
    done, _ = await asyncio.wait([task], timeout=effect.seconds)
    return task.result() if done else None
