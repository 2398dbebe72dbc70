"""Stops functions of the service midway, so that concurrent requests meet where a race would be."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest
from patience import PATIENCE_S


class Pause:
    """Where a request waits until the test goes on."""

    def __init__(self) -> None:
        self._reached, self._go_on = asyncio.Event(), asyncio.Event()

    async def wait(self) -> None:
        self._reached.set()
        await self._go_on.wait()

    async def reached_by(
        self, call: Coroutine[Any, Any, httpx.Response]
    ) -> "asyncio.Task[httpx.Response]":
        """Begin a request, and return once it waits here."""
        task = asyncio.create_task(call)
        async with asyncio.timeout(PATIENCE_S):
            await self._reached.wait()
        return task

    def end(self) -> None:
        self._go_on.set()


def pause_before(patch: pytest.MonkeyPatch, owner: Any, name: str) -> Pause:
    """Let whoever calls a function wait before it does anything."""
    function, pause = getattr(owner, name), Pause()

    async def paused(*arguments: Any) -> Any:
        await pause.wait()
        return await function(*arguments)

    patch.setattr(owner, name, paused)
    return pause


def pause_after(patch: pytest.MonkeyPatch, owner: Any, name: str) -> Pause:
    """Let whoever calls a function wait before they get its result."""
    function, pause = getattr(owner, name), Pause()

    async def paused(*arguments: Any) -> Any:
        found = await function(*arguments)
        await pause.wait()
        return found

    patch.setattr(owner, name, paused)
    return pause


def meet_after(patch: pytest.MonkeyPatch, owner: Any, name: str, at_once: asyncio.Barrier) -> None:
    """Let callers of a function go on with its results together only."""
    function = getattr(owner, name)

    async def met(*arguments: Any) -> Any:
        found = await function(*arguments)
        async with asyncio.timeout(PATIENCE_S):
            await at_once.wait()
        return found

    patch.setattr(owner, name, met)


async def lock_nothing(*_: Any) -> bool:
    """Stand in for a function that locks, in a control."""
    return True
