"""Telemetry: usage events sent to the vendor, off by default.

Telemetry never blocks the application. Tracking an event takes no lock and writes nothing to disk.
Events that cannot be sent are retried later; when too many are queued, the oldest are dropped.
"""

from __future__ import annotations

import json
import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC
from itertools import count
from typing import Any

from licet._api import call
from licet._clock import read_clock
from licet._core import LicenseCore
from licet._flow import Flow, run
from licet._forks import watch_forks
from licet._retries import NO_RETRIES, is_transient
from licet._transport import Transport
from licet.errors import LicetError, ServerFaultError

TELEMETRY = "/telemetry"
MAX_QUEUED, MAX_BATCH = 1000, 100
MAX_BATCH_BYTES = 62 * 1024
"""Of the 64 kB of a request; the license key and the hardware ID take the rest."""
SEND_INTERVAL_SECONDS = 10.0
CLOSE_TIMEOUT_SECONDS = 2.0
MAX_PAUSE_SECONDS = 3600.0
MAX_NAME_LENGTH, MAX_KEY_LENGTH, MAX_VALUE_LENGTH, MAX_PROPERTIES = 100, 50, 500, 20
_MAX_NUMBER = 10**18

_log = logging.getLogger("licet")

Event = dict[str, Any]


def make_event(core: LicenseCore, name: str, properties: Mapping[str, object]) -> Event | None:
    """Build an event that the server accepts: truncates long values, omits invalid properties."""
    event_name = str(name).replace("\0", "").strip()[:MAX_NAME_LENGTH]
    if not event_name:
        return None
    named = ((key.replace("\0", "")[:MAX_KEY_LENGTH], value) for key, value in properties.items())
    properties_sent = [
        (key, _property_value(value)) for key, value in named if key and value is not None
    ]
    now = read_clock(core.config.clock).astimezone(UTC)
    return {
        "name": event_name,
        "occurredAt": now.isoformat().replace("+00:00", "Z"),
        "properties": dict(properties_sent[:MAX_PROPERTIES]),
    }


def _property_value(value: object) -> str | bool | int | float:
    if isinstance(value, int) and abs(value) < _MAX_NUMBER:
        return value
    if isinstance(value, float) and math.isfinite(value) and abs(value) < _MAX_NUMBER:
        return value
    return str(value).replace("\0", "")[:MAX_VALUE_LENGTH]


class EventQueue:
    """The queue of events to send. When it is full, the oldest events are dropped."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque(maxlen=MAX_QUEUED)

    def __len__(self) -> int:
        return len(self._events)

    def add(self, event: Event) -> None:
        self._events.append(event)

    def take_batch(self) -> list[Event]:
        """Remove and return the oldest events that one request may contain.

        An event that is too large for any request is dropped.
        """
        batch: list[Event] = []
        room = MAX_BATCH_BYTES
        while len(batch) < MAX_BATCH:
            try:
                event = self._events.popleft()
            except IndexError:
                break
            size = len(json.dumps(event)) + 2  # a comma and a space
            if size > MAX_BATCH_BYTES:
                _log.debug("an event of %d bytes is too large to be sent", size)
                continue
            if size > room:
                self.put_back([event])
                break
            room -= size
            batch.append(event)
        return batch

    def put_back(self, batch: list[Event]) -> None:
        """Return a batch to the queue; if there is no room for all, drop its oldest events."""
        room = MAX_QUEUED - len(self._events)
        self._events.extendleft(reversed(batch[max(0, len(batch) - room) :]))


def send_queued(core: LicenseCore, queue: EventQueue) -> Flow[float | None]:
    """Send the queued events.

    Returns ``None`` when the queue is empty, or the seconds to wait before trying again.
    """
    while batch := queue.take_batch():
        fields = {
            "licenseKey": core.normal_key,
            "hardwareId": core.hardware_id,
            "events": batch,
        }
        try:
            yield from call(core, TELEMETRY, fields, success={202}, retries=NO_RETRIES)
        except LicetError as error:
            if is_transient(error):
                queue.put_back(batch)
                return _pause(error)
            _log.debug("%d events were refused (%s)", len(batch), type(error).__name__)
    return None


def _pause(error: LicetError) -> float:
    retry_after = error.retry_after if isinstance(error, ServerFaultError) else None
    return min(max(retry_after or 0.0, SEND_INTERVAL_SECONDS), MAX_PAUSE_SECONDS)


class _ThreadSender:
    """Sends events from a daemon thread, which sleeps while the queue is empty."""

    def __init__(self, core: LicenseCore, connect: Callable[[], Transport]) -> None:
        self._core, self._connect = core, connect
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """Begin with an empty queue: the events are the parent's."""
        self._queue = EventQueue()
        self._added = count()
        self._pending, self._batch_ready, self._closing = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, name="licet-telemetry", daemon=True)

    def add(self, event: Event) -> None:
        self._queue.add(event)
        self._pending.set()
        if len(self._queue) >= MAX_BATCH:
            self._batch_ready.set()
        if next(self._added) == 0:
            self._thread.start()

    def close(self) -> None:
        if self._thread.ident is not None:
            for signal in (self._closing, self._batch_ready, self._pending):
                signal.set()
            self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def _run(self) -> None:
        transport = self._connect()
        try:
            while not self._closing.is_set():
                self._pending.wait()
                self._batch_ready.wait(SEND_INTERVAL_SECONDS)
                self._pending.clear()
                self._batch_ready.clear()
                pause = self._send_queued(transport)
                if pause is not None:
                    self._closing.wait(pause)
                    self._pending.set()
            self._send_queued(transport)
        finally:
            transport.close()

    def _send_queued(self, transport: Transport) -> float | None:
        try:
            return run(send_queued(self._core, self._queue), transport)
        except Exception as error:  # noqa: BLE001 - the application may supply the transport
            _log.debug("events were not sent (%s)", type(error).__name__)
            return SEND_INTERVAL_SECONDS


class Tracking:
    """Telemetry of :class:`licet.LicenseClient`."""

    _core: LicenseCore
    _connect: Callable[[], Transport]

    def track(self, name: str, /, **properties: object) -> None:
        """Send a usage event to the vendor. Does nothing unless ``telemetry`` is on.

        Returns at once, never raises, and may be called from any thread. Events are sent in the
        background every ten seconds, or as soon as 100 are queued. Events that cannot be sent are
        kept for the next attempt, up to the latest 1,000.

        Args:
            name: The event name; truncated to 100 characters.
            properties: Up to 20 strings (truncated to 500 characters), numbers and booleans. Other
                values are converted to strings; ``None`` is omitted.
        """
        if is_on(self._core):
            track(self._core, name, properties, self._sender.add)

    @property
    def _sender(self) -> _ThreadSender:
        sender: _ThreadSender | None = self.__dict__.get("_tracker")
        return sender or self.__dict__.setdefault(
            "_tracker", _ThreadSender(self._core, self._connect)
        )

    def _close_tracking(self) -> None:
        """Send the queued events, for at most two seconds."""
        if "_tracker" in self.__dict__:
            self._sender.close()


def is_on(core: LicenseCore) -> bool:
    """Whether events are sent."""
    return core.config.telemetry and core.config.has_server


def track(
    core: LicenseCore,
    name: str,
    properties: Mapping[str, object],
    add: Callable[[Event], None],
) -> None:
    """Queue an event; a failure is only logged."""
    try:
        event = make_event(core, name, properties)
        if event is not None:
            add(event)
    except Exception as error:  # noqa: BLE001 - telemetry never raises
        _log.debug("an event was not tracked (%s)", type(error).__name__)
