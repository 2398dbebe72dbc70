"""Several processes behind one port.

The parent owns the port, accepts every connection, and hands it to the process that has fewest, so
that kept connections are spread evenly. A process serves until its channel to the parent ends, and
takes signals from nobody: the parent closes the port first, then the channels, in this order
whoever else has been signaled too. A parent that is killed ends its processes in the same way.

Processes are forked from one that has imported the service and does nothing else: it is imported
once, whatever their number; one that takes the place of another starts in a moment, and they share
the memory of what is imported. Usually `kept_imports` has forked it from the parent.
"""

import multiprocessing
import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from multiprocessing.process import BaseProcess
from types import FrameType

import structlog

from licet_server.kit.metrics import PROCESS_NUMBER, forget_process
from licet_server.kit.web.kept_imports import TO_ALL, begin_fork_server, signals_waiting
from licet_server.kit.web.server import (
    HttpServer,
    begin_listening,
    drop_new,
    waiting_connections,
)

TICK_SECONDS = 0.1
SILENT_SECONDS = 30
"""After so long without a sign of life, a process is killed and replaced."""
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_REPORT = struct.Struct("<q")
_CONNECTION = b"c"
_AT_ONCE = 256
_FORK_TRIES = 100
_LAST_IMPORT = "licet_server.kit.exempt_imports"
_log = structlog.get_logger("licet.processes")


class HandedServer(HttpServer):
    """Serves connections that the parent hands over, until the parent closes the channel.

    It reports how many of them it has closed: whenever that changes, and every second.
    """

    _taken = 0
    _reported: int | None = None

    def begin(self) -> None:
        self._source.setblocking(False)
        self.watch()

    async def end(self) -> None:
        self.unwatch()
        self._source.close()

    def waiting(self) -> Iterator[socket.socket]:
        while True:
            try:
                sent, files, _, _ = socket.recv_fds(self._source, len(_CONNECTION), 1)
            except BlockingIOError:
                return
            except ConnectionResetError:
                sent, files = b"", []
            if not sent:
                self.should_exit = True
                self.unwatch()
                return
            self._taken += 1
            for file in files:  # there is none if no more may be open
                yield socket.socket(fileno=file)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        for which in TO_ALL:
            signal.signal(which, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_ALL)
        yield

    async def on_tick(self, counter: int) -> bool:
        closed = self._taken - len(self.server_state.connections) - len(self._arriving)
        if closed != self._reported or counter % 10 == 0:
            with suppress(OSError):  # the parent is busy, or gone
                self._source.send(_REPORT.pack(closed))
                self._reported = closed
        return await super().on_tick(counter)


@dataclass(eq=False, slots=True)
class _Worker:
    process: BaseProcess
    channel: socket.socket
    number: int
    handed: int = 0
    closed: int = 0
    is_ready: bool = False
    is_gone: bool = False
    silent_seconds: int = 0

    @property
    def connections(self) -> int:
        return self.handed - self.closed

    def take(self, connection: socket.socket) -> bool:
        """Hand a connection over, unless the process is too busy to take it, or gone."""
        try:
            socket.send_fds(self.channel, [_CONNECTION], [connection.fileno()])
        except BlockingIOError:
            return False
        except OSError:
            self.is_gone = True
            return False
        self.handed += 1
        return True


class Processes:
    """Runs `serve(channel)` in `count` processes, and hands them the connections of the port."""

    def __init__(
        self,
        port: socket.socket,
        count: int,
        serve: Callable[[socket.socket], None],
        stop_seconds: float,
        *,
        module: str,
        on_listening: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare the processes; `module` is imported before they are forked.

        `on_listening` is called once clients can connect.
        """
        self._port = port
        self._count = count
        self._serve = serve
        self._stop_seconds = stop_seconds
        self._on_listening = on_listening
        self._workers: list[_Worker] = []
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([module, _LAST_IMPORT])
        self._selector = selectors.DefaultSelector()
        self._is_asked_to_stop = self._is_forced = False
        self._has_failed = False
        self._is_listening = False

    def run(self) -> bool:
        """Serve until SIGTERM or Ctrl-C; returns whether every process could start."""
        previous = {which: signal.signal(which, self._on_signal) for which in _SIGNALS}
        try:
            begin_fork_server()
            for _ in range(self._count):
                self._start()
            self._run()
            if self._is_listening:
                self._close_port()
        finally:
            self._stop()
            for which, handler in previous.items():
                signal.signal(which, handler)
        return not self._has_failed

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._is_forced = self._is_asked_to_stop and number == signal.SIGINT
        self._is_asked_to_stop = True

    def _run(self) -> None:
        checked = time.monotonic()
        while not self._is_asked_to_stop and not self._has_failed:
            self._look()
            if time.monotonic() - checked >= 1:
                checked = time.monotonic()
                self._kill_silent()

    def _look(self) -> None:
        for key, _ in self._selector.select(TICK_SECONDS):
            key.data()

    def _start(self) -> None:
        taken = {worker.number for worker in self._workers}
        number = next(each for each in count(1) if each not in taken)
        process, ours = self._fork(number)
        worker = _Worker(process, ours, number)
        self._workers.append(worker)
        self._selector.register(ours, selectors.EVENT_READ, partial(self._hear, worker))
        ended = partial(self._replace, worker)
        self._selector.register(process.sentinel, selectors.EVENT_READ, ended)

    def _fork(self, number: int) -> tuple[BaseProcess, socket.socket]:
        """Return a new process, and our end of its channel."""
        for _ in range(_FORK_TRIES):
            # The process that it is forked from may be about to end: its files are closed already,
            # but the system still lists it. Another one is started as soon as it has ended.
            with suppress(OSError, EOFError):
                return self._try_to_fork(number)
            time.sleep(TICK_SECONDS)
        return self._try_to_fork(number)

    def _try_to_fork(self, number: int) -> tuple[BaseProcess, socket.socket]:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        process = self._context.Process(target=_serve_as, args=(number, self._serve, theirs))
        try:
            # It ignores signals as soon as it can, and until then they wait.
            with signals_waiting():
                process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return process, ours

    def _hear(self, worker: _Worker) -> None:
        if worker not in self._workers:  # replaced in the same look
            return
        try:
            reports = worker.channel.recv(512 * _REPORT.size)
        except BlockingIOError:
            return
        except OSError:
            reports = b""
        if not reports:
            worker.is_gone = True
            self._selector.unregister(worker.channel)
            return
        [worker.closed] = _REPORT.unpack(reports[-_REPORT.size :])
        worker.is_ready, worker.silent_seconds = True, 0
        if not self._is_listening and all(each.is_ready for each in self._workers):
            self._is_listening = True
            begin_listening(self._port)
            self._on_listening()
            self._selector.register(self._port, selectors.EVENT_READ, self._accept)

    def _replace(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        self._selector.unregister(worker.process.sentinel)
        with suppress(KeyError):  # unless its end was heard before
            self._selector.unregister(worker.channel)
        worker.channel.close()
        worker.process.join()
        forget_process(worker.process.pid)
        code = worker.process.exitcode or 0
        if not worker.is_ready and code >= 0:  # another one would fail in the same way
            self._has_failed = True
            return
        _log.error("process_ended", process=worker.process.pid, code=code)
        self._start()

    def _kill_silent(self) -> None:
        """Kill processes that hang; they are replaced once they have ended."""
        for worker in self._workers:
            worker.silent_seconds += worker.is_ready
            if worker.silent_seconds > SILENT_SECONDS:
                _log.error("process_hangs", process=worker.process.pid)
                worker.process.kill()

    def _accept(self) -> None:
        if not self._able():
            time.sleep(TICK_SECONDS)
            return
        try:
            for connection in islice(waiting_connections(self._port), _AT_ONCE):
                with connection:
                    self._hand_over(connection)
        except OSError as error:  # no file is free
            _log.warning("connections_not_taken", reason=str(error))
            time.sleep(TICK_SECONDS)

    def _able(self) -> list[_Worker]:
        """Return the processes that serve, those with the fewest connections first."""
        able = (worker for worker in self._workers if worker.is_ready and not worker.is_gone)
        return sorted(able, key=lambda worker: worker.connections)

    def _hand_over(self, connection: socket.socket) -> None:
        """Hand the connection to the process that has fewest, once one can take it."""
        while able := self._able():
            if any(worker.take(connection) for worker in able):
                return
            time.sleep(TICK_SECONDS)

    def _close_port(self) -> None:
        drop_new(self._port)
        time.sleep(TICK_SECONDS)
        self._accept()
        self._port.close()

    def _stop(self) -> None:
        """Close the channels, and wait until the processes have finished what they have begun."""
        self._selector.close()
        for worker in self._workers:
            worker.channel.close()
        deadline = time.monotonic() + self._stop_seconds
        while any(worker.process.is_alive() for worker in self._workers):
            if time.monotonic() > deadline or self._is_forced:
                for worker in self._workers:
                    worker.process.kill()
            time.sleep(TICK_SECONDS / 2)
        for worker in self._workers:
            worker.process.join()


def _serve_as(number: int, serve: Callable[[socket.socket], None], channel: socket.socket) -> None:
    os.environ[PROCESS_NUMBER] = str(number)
    serve(channel)
