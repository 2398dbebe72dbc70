"""What the application tells the vendor of its use: nothing, unless it was switched on.

Telemetry never stands in the way. To track an event takes no lock and no disk; what cannot be sent
is tried again later, and given up where it becomes too much.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC
from itertools import count
from typing import Any

from licet._clock import read_clock
from licet._core import LicenseCore
from licet._exchange import call
from licet._flow import Flow, arun, run
from licet._retries import ONCE, is_passing
from licet._transport import AsyncTransport, Transport
from licet.errors import LicetError, ServerFaultError

TELEMETRY = "/telemetry"
MOST_WAITING, MOST_AT_ONCE = 1000, 100
SECONDS_BETWEEN = 10.0
SECONDS_AT_CLOSE = 2.0
LONGEST_PAUSE = 3600.0
LONGEST_NAME, LONGEST_KEY, LONGEST_TEXT, MOST_PROPERTIES = 100, 50, 500, 20
_LARGEST = 10**18

_log = logging.getLogger("licet")

Event = dict[str, Any]


def make_event(core: LicenseCore, name: str, properties: Mapping[str, object]) -> Event | None:
    """The event as servers take it: cut to size, and without what none would take."""
    told = str(name).replace("\0", "").strip()[:LONGEST_NAME]
    if not told:
        return None
    kept = ((key.replace("\0", "")[:LONGEST_KEY], value) for key, value in properties.items())
    fit = [(key, _fitting(value)) for key, value in kept if key and value is not None]
    now = read_clock(core.config.clock).astimezone(UTC)
    return {
        "name": told,
        "occurredAt": now.isoformat().replace("+00:00", "Z"),
        "properties": dict(fit[:MOST_PROPERTIES]),
    }


def _fitting(value: object) -> str | bool | int | float:
    if isinstance(value, int) and abs(value) < _LARGEST:
        return value
    if isinstance(value, float) and math.isfinite(value) and abs(value) < _LARGEST:
        return value
    return str(value).replace("\0", "")[:LONGEST_TEXT]


class Backlog:
    """Events that wait to be sent; beyond so many the oldest are let go."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque(maxlen=MOST_WAITING)

    def __len__(self) -> int:
        return len(self._events)

    def add(self, event: Event) -> None:
        self._events.append(event)

    def take(self) -> list[Event]:
        """The oldest, as many as one request carries."""
        taken: list[Event] = []
        while len(taken) < MOST_AT_ONCE:
            try:
                taken.append(self._events.popleft())
            except IndexError:
                break
        return taken

    def put_back(self, taken: list[Event]) -> None:
        """Let them wait on, the youngest of them where there is not room for all."""
        room = MOST_WAITING - len(self._events)
        self._events.extendleft(reversed(taken[max(0, len(taken) - room) :]))


def deliver(core: LicenseCore, backlog: Backlog) -> Flow[float | None]:
    """Send what waits; seconds to leave the server alone for, or ``None`` when all is gone."""
    while taken := backlog.take():
        fields = {
            "licenseKey": core.config.normal_key,
            "hardwareId": core.hardware_id,
            "events": taken,
        }
        try:
            yield from call(core.config, TELEMETRY, fields, good={202}, retries=ONCE)
        except LicetError as fault:
            if is_passing(fault):
                backlog.put_back(taken)
                return _pause(fault)
            _log.debug("%d events were refused (%s)", len(taken), type(fault).__name__)
    return None


def _pause(fault: LicetError) -> float:
    asked = fault.retry_after if isinstance(fault, ServerFaultError) else None
    return min(max(asked or 0.0, SECONDS_BETWEEN), LONGEST_PAUSE)


class _ByThread:
    """Sends from a daemon thread, which sleeps for as long as nothing is tracked."""

    def __init__(self, core: LicenseCore, connect: Callable[[], Transport]) -> None:
        self._core, self._connect = core, connect
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._backlog = Backlog()
        self._added = count()
        self._some, self._full, self._over = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._live, name="licet-telemetry", daemon=True)

    def add(self, event: Event) -> None:
        if self._process != os.getpid():  # in a forked child; what waits is its parent's
            self._begin()
        self._backlog.add(event)
        self._some.set()
        if len(self._backlog) >= MOST_AT_ONCE:
            self._full.set()
        if next(self._added) == 0:
            self._thread.start()

    def end(self) -> None:
        if self._process == os.getpid() and self._thread.ident is not None:
            for signal in (self._over, self._full, self._some):
                signal.set()
            self._thread.join(SECONDS_AT_CLOSE)

    def _live(self) -> None:
        transport = self._connect()
        try:
            while not self._over.is_set():
                self._some.wait()
                self._full.wait(SECONDS_BETWEEN)
                self._some.clear()
                self._full.clear()
                pause = self._deliver(transport)
                if pause is not None:
                    self._over.wait(pause)
                    self._some.set()
            self._deliver(transport)
        finally:
            transport.close()

    def _deliver(self, transport: Transport) -> float | None:
        try:
            return run(deliver(self._core, self._backlog), transport)
        except Exception as error:  # noqa: BLE001 - a transport may be anybody's
            _log.debug("events were not sent (%s)", type(error).__name__)
            return SECONDS_BETWEEN


class _ByTask:
    """Sends from a task on the event loop, which lasts for as long as something waits."""

    def __init__(self, core: LicenseCore, transport: AsyncTransport) -> None:
        self._core, self._transport = core, transport
        self._backlog = Backlog()
        self._ended = False
        self._task: asyncio.Task[None] | None = None
        self._full, self._over = asyncio.Event(), asyncio.Event()

    def add(self, event: Event) -> None:
        self._backlog.add(event)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # it waits for a call on the loop, or for the end
            return
        if self._ended:
            return
        if self._task is None or self._task.done():
            self._full, self._over = asyncio.Event(), asyncio.Event()
            self._task = loop.create_task(self._live(), name="licet-telemetry")
        if len(self._backlog) >= MOST_AT_ONCE:
            self._full.set()

    async def end(self) -> None:
        self._ended = True
        task = self._task
        if task is None or task.done():
            task = asyncio.create_task(self._live(), name="licet-telemetry")
        self._full.set()
        self._over.set()
        await asyncio.wait([task], timeout=SECONDS_AT_CLOSE)
        task.cancel()
        await asyncio.wait([task], timeout=SECONDS_AT_CLOSE)

    async def _live(self) -> None:
        while len(self._backlog):
            await _is_set(self._full, SECONDS_BETWEEN)
            self._full.clear()
            pause = await self._deliver()
            if pause is not None:
                await _is_set(self._over, pause)
            if self._over.is_set():
                return

    async def _deliver(self) -> float | None:
        try:
            return await arun(deliver(self._core, self._backlog), self._transport)
        except Exception as error:  # noqa: BLE001 - a transport may be anybody's
            _log.debug("events were not sent (%s)", type(error).__name__)
            return SECONDS_BETWEEN


async def _is_set(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class Tracking:
    """Telemetry of :class:`licet.LicenseClient`."""

    _core: LicenseCore
    _connect: Callable[[], Transport]

    def track(self, name: str, /, **properties: object) -> None:
        """Tell the vendor of something that happened; does nothing unless ``telemetry`` is on.

        It returns at once, raises nothing, and may be called from any thread. Events are sent in
        the background every ten seconds or by the hundred; what a server cannot be told waits for
        the next time, the last 1,000 at most.

        Args:
            name: What happened; 100 characters are sent.
            properties: Up to 20 texts (of 500 characters), numbers and truths. Anything else is
                sent as its text; ``None`` is left out.
        """
        if _is_on(self._core):
            _track(self._core, name, properties, self._sender)

    @property
    def _sender(self) -> _ByThread:
        made: _ByThread | None = self.__dict__.get("_tracker")
        return made or self.__dict__.setdefault("_tracker", _ByThread(self._core, self._connect))

    def _end_tracking(self) -> None:
        """Send what waits, for two seconds at most."""
        if "_tracker" in self.__dict__:
            self._sender.end()


class AsyncTracking:
    """Telemetry of :class:`licet.AsyncLicenseClient`."""

    _core: LicenseCore
    _transport: AsyncTransport

    def track(self, name: str, /, **properties: object) -> None:
        """See :meth:`licet.LicenseClient.track`; there is nothing to await.

        Call it on the event loop: what other threads track waits until something is tracked there.
        """
        if _is_on(self._core):
            _track(self._core, name, properties, self._sender)

    @property
    def _sender(self) -> _ByTask:
        made: _ByTask | None = self.__dict__.get("_tracker")
        return made or self.__dict__.setdefault("_tracker", _ByTask(self._core, self._transport))

    async def _end_tracking(self) -> None:
        """Send what waits, for two seconds at most."""
        if "_tracker" in self.__dict__:
            await self._sender.end()


def _is_on(core: LicenseCore) -> bool:
    return core.config.telemetry and core.config.can_ask


def _track(
    core: LicenseCore, name: str, properties: Mapping[str, object], sender: _ByThread | _ByTask
) -> None:
    try:
        event = make_event(core, name, properties)
        if event is not None:
            sender.add(event)
    except Exception as error:  # noqa: BLE001 - telemetry never stands in the way
        _log.debug("an event was not tracked (%s)", type(error).__name__)
