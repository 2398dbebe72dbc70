"""A process that is forked early, keeps what was imported by then, and becomes the fork server.

multiprocessing starts its fork server as a fresh interpreter, which would import the service once
more: a third of the time of a start. The process is forked before the first thread is started,
because a lock that a thread holds at that moment would stay locked in it. Then it waits. When it
becomes the fork server, it takes on the environment, the folder and the user of its parent.

Where there is none, or if it has ended, multiprocessing starts a fresh interpreter as always.
"""

import json
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker, util
from typing import Any, NoReturn

if sys.platform != "win32":
    import fcntl

from licet_server.kit.process import exempt_heap

TO_ALL = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if sys.platform != "win32" else ()
"""What a terminal or a supervisor sends to all processes, and only the parent obeys."""
_BEGINNING = b"b"
_MOST_FILES = 16


@dataclass(frozen=True, slots=True)
class _Kept:
    """The process that waits, and our end of its channel."""

    process: int
    channel: socket.socket


_kept: list[_Kept] = []


@contextmanager
def signals_waiting() -> Iterator[None]:
    """Have signals to all processes wait; a process that is started meanwhile leaves them so."""
    signal.pthread_sigmask(signal.SIG_BLOCK, TO_ALL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_ALL)


def keep_imports() -> None:
    """Fork the process, unless threads run already, or the system may not fork like this."""
    if sys.platform != "linux" or threading.active_count() > 1 or _kept:
        return
    ours, theirs = socket.socketpair()
    with signals_waiting():
        process = os.fork()
        if process == 0:
            ours.close()
            _wait(theirs)
    theirs.close()
    _kept.append(_Kept(process, ours))


def begin_fork_server() -> None:
    """Have the process that waits become the fork server of multiprocessing, if there is one."""
    if not _kept:
        return
    kept = _kept.pop()
    with closing(kept.channel), signals_waiting():
        resource_tracker.ensure_running()
        spawn = util.spawnv_passfds

        def become(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
            try:
                _send(kept.channel, str(args[-1]), passfds)
            except OSError:  # it has ended
                return spawn(path, args, passfds)
            return kept.process

        util.spawnv_passfds = become
        try:
            forkserver.ensure_running()
        finally:
            util.spawnv_passfds = spawn


def _send(channel: socket.socket, code: str, files: Sequence[int]) -> None:
    """Send what the process takes on: all that may have changed since it was forked."""
    folder = os.open(".", os.O_PATH)
    try:
        socket.send_fds(channel, [_BEGINNING], [*files, folder])
    finally:
        os.close(folder)
    state = {
        "code": code,
        "files": list(files),
        "environment": dict(os.environ),
        "groups": os.getgroups(),
        "group": os.getresgid(),
        "user": os.getresuid(),
    }
    channel.sendall(json.dumps(state).encode())


def _wait(channel: socket.socket) -> NoReturn:
    code = 0
    try:
        for which in TO_ALL:
            signal.signal(which, signal.SIG_DFL)
        exempt_heap()
        begin = _received(channel)
        if begin is not None:
            begin()
    except SystemExit:  # with which the fork server ends
        pass
    except BaseException:  # noqa: BLE001 - nothing may return into the code of the parent
        traceback.print_exc()
        code = 1
    finally:
        os._exit(code)


def _received(channel: socket.socket) -> Callable[[], None] | None:
    """Wait for what to take on, and return the fork server; None when the parent has ended."""
    with channel:
        beginning, received, _, _ = socket.recv_fds(channel, len(_BEGINNING), _MOST_FILES)
        if not beginning:
            return None
        *files, folder = received
        with channel.makefile("rb") as rest:
            state = json.loads(rest.read())
    os.fchdir(folder)
    os.close(folder)
    os.environ.clear()
    os.environ.update(state["environment"])
    _place(files, state["files"])
    _become(state)
    compiled = compile(state["code"], "<fork server>", "exec")
    return lambda: exec(compiled, {"__name__": "__main__"})  # noqa: S102 - from our parent


def _place(files: Sequence[int], numbers: Sequence[int]) -> None:
    """Give files the numbers that they have in the parent, which its code contains."""
    above = max([*files, *numbers]) + 1
    aside = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, above) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(aside, numbers, strict=True):
        os.dup2(file, number, inheritable=False)
        os.close(file)


def _become(state: dict[str, Any]) -> None:
    """Leave root, if the parent has."""
    if tuple(state["user"]) != os.getresuid():
        os.setgroups(state["groups"])
        os.setresgid(*state["group"])
        os.setresuid(*state["user"])
