"""Claiming a seat on an event loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from licet._async_flow import run_async
from licet._async_session import AsyncSession
from licet._claim import ClaimEffect, ClaimFlow, CloseSession, RunFlow
from licet._flow import Done, step
from licet._session_options import SessionOptions
from licet._transport import AsyncTransport
from licet.errors import LicetError

T = TypeVar("T")


async def run_claim_async(
    flow: ClaimFlow[T],
    transport: AsyncTransport,
    make_session: Callable[[SessionOptions], AsyncSession],
    options: SessionOptions,
) -> T:
    """Run a claim to completion on the event loop."""

    async def perform(effect: ClaimEffect) -> Any:
        if isinstance(effect, RunFlow):
            return await run_async(effect.flow, transport)
        if isinstance(effect, CloseSession):
            return await effect.session.close()
        return await make_session(replace(options, cleanup=effect.cleanup)).open()

    outcome: Any = None
    while True:
        effect = step(flow, outcome)
        if isinstance(effect, Done):
            return effect.value  # type: ignore[no-any-return]
        try:
            outcome = await perform(effect)
        except LicetError as error:
            outcome = error
