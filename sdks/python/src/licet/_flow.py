"""Network logic without I/O, shared by the sync and async clients.

A flow is a generator that yields effects (a request or a pause) and receives their outcomes. It
never blocks, so the sync client can run it in a loop and the async client on its event loop.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any, TypeVar

from licet._clock import monotonic
from licet._threads import start_thread
from licet._transport import Transport, TransportRequest
from licet.errors import LicetError

T = TypeVar("T")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Within:
    """Run a flow for as long as it takes, and wait no longer than some seconds for it.

    The outcome is that of the flow, or ``None`` if the flow is still running in the background.

    Attributes:
        running: Where the flow is kept while it is running.
    """

    flow: Flow[Any]
    seconds: float
    running: set[Any]


Effect = TransportRequest | Pause | Within
Flow = Generator[Effect, Any, T]


@dataclass(frozen=True, slots=True)
class Done:
    """The flow has returned."""

    value: Any


Outcome = Any


def step(flow: Generator[E, Any, Any], outcome: Any) -> E | Done:
    """Run a flow up to its next effect."""
    try:
        if isinstance(outcome, LicetError):
            return flow.throw(outcome)
        return flow.send(outcome)
    except StopIteration as stop:
        return Done(stop.value)


class Waiting:
    """How long a flow has been waiting for the answer to a request, pauses left out.

    Attributes:
        is_over: Whether the caller has gone on without the flow.
    """

    def __init__(self) -> None:
        self.is_over = False
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the last request was sent; 0 if there is no request under way."""
        since = self._since
        return 0.0 if since is None else monotonic() - since

    def note(self, flow: Flow[T]) -> Flow[T]:
        """Run a flow, and note when it waits."""
        outcome: Outcome = None
        while True:
            effect = step(flow, outcome)
            if isinstance(effect, Done):
                return effect.value  # type: ignore[no-any-return]
            self._since = monotonic() if isinstance(effect, TransportRequest) else None
            try:
                outcome = yield effect
            except LicetError as error:
                outcome = error
            self._since = None


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
            if isinstance(effect, Within):
                outcome = _run_within(effect, transport)
            else:
                outcome = transport.send(effect)
        except LicetError as error:
            outcome = error


def _run_within(effect: Within, transport: Transport) -> Any:
    future = start_thread(lambda: run(effect.flow, transport))
    effect.running.add(future)
    future.add_done_callback(effect.running.discard)
    done, _ = wait([future], effect.seconds)
    return future.result() if done else None
