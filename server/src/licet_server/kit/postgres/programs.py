"""Runs one program whose errors are kept, and which never outlives the block that runs it."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.errors import ToolFailed

_GRACE_S = 5.0
_QUOTED_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Program:
    """A command line, and what it runs with: only this environment, as `account` if given.

    It reads `stdin` from the beginning, if given.
    """

    command: Sequence[str | Path]
    environment: Mapping[str, str]
    account: Account | None = None
    stdin: IO[bytes] | None = None

    @property
    def name(self) -> str:
        """The name of the program, without its folder."""
        return Path(self.command[0]).name

    def _options(self) -> dict[str, Any]:
        if self.account is None:
            return {}
        return {"cwd": "/", "umask": 0o077, **self.account.subprocess_options()}

    @contextlib.contextmanager
    def running(
        self,
        *,
        stdin: int | None = None,
        stdout: int | IO[bytes] = subprocess.DEVNULL,
    ) -> Iterator["Running"]:
        """Run the program for the time of the block, and end it if it still runs then."""
        # Errors go to a file: a pipe without a reader fills up and blocks the program.
        with tempfile.TemporaryFile() as errors:
            if self.stdin is not None:
                # Its copy in the program shares the position.
                os.lseek(self.stdin.fileno(), 0, os.SEEK_SET)
            process = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
                self.command,
                stdin=stdin or self.stdin or subprocess.DEVNULL,
                stdout=stdout,
                stderr=errors,
                env=self.environment,
                **self._options(),
            )
            try:
                yield Running(self.name, process, errors)
            finally:
                _end(process)


@dataclass(frozen=True, slots=True)
class Running:
    """A program that was started."""

    name: str
    process: "subprocess.Popen[bytes]"
    errors: IO[bytes]

    @property
    def has_failed(self) -> bool:
        """Whether it has ended with an error."""
        return self.process.poll() not in {None, 0}

    def ends_within(self, seconds: float) -> bool:
        """Wait for its end, and return whether it has ended in time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.poll() is not None

    def reason(self) -> str:
        """Return the end of what it wrote about its errors, or its exit code."""
        size = self.errors.seek(0, 2)
        self.errors.seek(max(0, size - _QUOTED_BYTES))
        said = self.errors.read().decode(errors="replace").strip()
        return said or f"exit code {self.process.returncode}."

    def failure(self) -> ToolFailed:
        """Return its error, to raise."""
        return ToolFailed(self.name, self.reason())


def _end(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
