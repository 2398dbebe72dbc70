"""Network logic without I/O, shared by the sync and async clients.

A flow is a generator that yields effects (a request or a pause) and receives their outcomes. It
never blocks, so the sync client can run it in a loop and the async client on its event loop.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from licet._clock import monotonic
from licet._transport import Transport, TransportReply, TransportRequest
from licet.errors import LicetError

T = TypeVar("T")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait."""

    seconds: float


Effect = TransportRequest | Pause
Flow = Generator[Effect, Any, T]


@dataclass(frozen=True, slots=True)
class Done:
    """The flow has returned."""

    value: Any


Outcome = TransportReply | LicetError | None


def step(flow: Generator[E, Any, Any], outcome: Any) -> E | Done:
    """Run a flow up to its next effect."""
    try:
        if isinstance(outcome, LicetError):
            return flow.throw(outcome)
        return flow.send(outcome)
    except StopIteration as stop:
        return Done(stop.value)


def last_sent(flow: Flow[T]) -> Flow[tuple[T, float]]:
    """Return the result of a flow and the monotonic time at which its last request was sent."""
    sent, outcome = monotonic(), None
    while True:
        effect = step(flow, outcome)
        if isinstance(effect, Done):
            return effect.value, sent
        if isinstance(effect, TransportRequest):
            sent = monotonic()
        try:
            outcome = yield effect
        except LicetError as error:
            outcome = error


def run(flow: Flow[T], transport: Transport) -> T:
    """Run a flow to completion in this thread."""
    outcome: Outcome = None
    while True:
        effect = step(flow, outcome)
        if isinstance(effect, Done):
            return effect.value  # type: ignore[no-any-return]
        outcome = None
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            continue
        try:
            outcome = transport.send(effect)
        except LicetError as error:
            outcome = error
