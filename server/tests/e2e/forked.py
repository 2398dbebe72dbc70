"""Processes that are forked from one that has imported the service, so that a start is quick.

A fresh interpreter spends seconds of processor time on imports alone. Tests of the start itself
run `python -m licet_server` in a fresh one; the others take a fork, which is a process like any
other: it has its own number, signals, output and exit code.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Protocol
from unittest import mock

from e2e.environment import environment


class Started(Protocol):
    """A process, as tests use it; `subprocess.Popen` is one."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, sig: int, /) -> None: ...


class Forked:
    """A call of `main` in a process of its own."""

    def __init__(
        self,
        main: Callable[..., object],
        *arguments: object,
        variables: dict[str, str],
        output: Path,
        errors: Path | None = None,
        folder: Path | None = None,
    ) -> None:
        folder, errors = folder or output.parent, errors or output
        plan = (main, arguments, environment(**variables), folder, output, errors)
        self._process = _context().Process(target=_run, args=plan)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code: below zero, the number of the signal that ended the process.

        Raises:
            subprocess.TimeoutExpired: when it still runs.
        """
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return code

    def send_signal(self, sig: int, /) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)


def command_line(*arguments: str) -> None:
    """The command `licet-server`."""
    from licet_server.cli import main

    sys.argv = ["licet-server", *arguments]
    main()


def quick_command_line(*arguments: str) -> None:
    """The command `licet-server`, with passwords and keys that take no work.

    Each would take 0.1 to 0.3 s of a core.
    """
    from recycled_keys import recycling

    from licet_server.kit import passwords

    least = partial(passwords.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with mock.patch.object(passwords, "PasswordHasher", least), recycling():
        command_line(*arguments)


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["licet_server.cli", "licet_server.demo", "recycled_keys"])
    # Some libraries read the environment when they are imported.
    with mock.patch.dict(os.environ, environment(), clear=True):
        forkserver.ensure_running()
    return context


def _run(
    main: Callable[..., object],
    arguments: Sequence[object],
    variables: dict[str, str],
    folder: Path,
    output: Path,
    errors: Path,
) -> None:
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under `nohup`
    # Servers hand their standard input on to their workers, so it has to be a real one.
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.stdin = os.fdopen(0, closefd=False)
    for target, numbers in ((output, (1, 2) if errors == output else (1,)), (errors, (2,))):
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number in numbers:
            os.dup2(descriptor, number)
        os.close(descriptor)
    try:
        main(*arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
