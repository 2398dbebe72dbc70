"""Runs one program whose errors are kept, and which never outlives the block that runs it."""

import contextlib
import os
import re
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account, plain_environment
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError, Stalled, ToolFailed

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
    # It must not meet the end of its input, which stands for "that was all", while it still runs.
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


PATIENCE_S = 600.0
Filter = Callable[[Iterator[bytes]], Iterable[bytes]]
"""Changes a stream of bytes on its way; the pieces have any length."""

_PIECE_BYTES = 64 * 1024
_LOOK_S = 0.2
_OTHER_ENDS_S = 1.0


class _Broken(Exception):
    """One of the programs has ended with an error, or the reader before the end of the data."""


def pipe(
    writer: Program,
    reader: Program,
    *,
    through: Filter = iter,
    patience: float = PATIENCE_S,
) -> None:
    """Run both programs, and give the reader all that the writer writes.

    The reader sees the end of its input only if the writer has succeeded, so that it never takes
    half of the data for all of it. `patience` is how many seconds may pass without a byte moved.

    Raises:
        ToolFailed: when a program fails; it names the one that did, or both if both did.
        Stalled: when a program moves no byte in time; it names the one that was waited for.
    """
    with (
        writer.running(stdout=subprocess.PIPE) as source,
        reader.running(stdin=subprocess.PIPE) as target,
    ):
        try:
            _move(source, target, through, patience)
        except _Broken:
            raise _failure(source, target) from None


def _move(source: Running, target: Running, through: Filter, patience: float) -> None:
    into = target.process.stdin
    assert into is not None  # noqa: S101 - it is a pipe
    os.set_blocking(into.fileno(), False)
    for piece in through(_pieces(source, target, patience)):
        _write(piece, into, target, patience)
    if not source.ends_within(patience):
        raise Stalled(source.name, patience)
    if source.has_failed:
        raise _Broken
    into.close()
    if not target.ends_within(patience):
        raise Stalled(target.name, patience)
    if target.has_failed:
        raise _Broken


def _pieces(source: Running, target: Running, patience: float) -> Iterator[bytes]:
    out = source.process.stdout
    assert out is not None  # noqa: S101 - it is a pipe
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        while True:
            _await(selector, source, target, patience)
            piece = os.read(out.fileno(), _PIECE_BYTES)
            if not piece:
                return
            yield piece


def _write(piece: bytes, into: IO[bytes], target: Running, patience: float) -> None:
    rest = memoryview(piece)
    with selectors.DefaultSelector() as selector:
        selector.register(into, selectors.EVENT_WRITE)
        while rest:
            _await(selector, target, target, patience)
            try:
                rest = rest[os.write(into.fileno(), rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise _Broken from None


def _await(
    selector: selectors.BaseSelector, awaited: Running, target: Running, patience: float
) -> None:
    deadline = time.monotonic() + patience
    while not selector.select(_LOOK_S):
        if target.has_failed:
            raise _Broken
        if time.monotonic() >= deadline:
            raise Stalled(awaited.name, patience)


def _failure(source: Running, target: Running) -> ToolFailed:
    # Neither has noticed the end of the other yet: an error of both is the own one of each.
    both = source, target
    deadline = time.monotonic() + _OTHER_ENDS_S
    for side in both:
        side.ends_within(max(0, deadline - time.monotonic()))
    failed = [side for side in both if side.has_failed]
    if len(failed) == 1:
        return failed[0].failure()
    if not failed:
        return ToolFailed(target.name, "it ended before it had read everything.")
    reasons = "\n".join(f"{side.name}: {side.reason()[-900:]}" for side in failed)
    return ToolFailed(" and ".join(side.name for side in failed), reasons)


def tool_environment(address: Address) -> dict[str, str]:
    """Return an environment for a tool that contains only the address.

    HOME is kept, because libpq looks there for client certificates.
    """
    home = {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
    return {**plain_environment(), **home, **address.environment}


def query(binaries: Binaries, address: Address, sql: str) -> list[list[str]]:
    """Run statements through psql, each in its own transaction, and return the rows as text.

    Raises:
        ToolFailed: at the first statement that fails.
    """
    options = ["-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1"]
    result = subprocess.run(  # noqa: S603 - PostgreSQL's own program; statements go through stdin
        [binaries.program("psql"), *options],
        check=False,
        input=sql,
        capture_output=True,
        text=True,
        env=tool_environment(address),
    )
    if result.returncode != 0:
        raise ToolFailed("psql", result.stderr)
    return [line.split("\x1f") for line in result.stdout.splitlines()]


def identifier(name: str) -> str:
    """Quote the name of a database or role.

    Raises:
        PostgresError: when PostgreSQL does not allow the name.
    """
    if not re.fullmatch(r"[^\x00\n]{1,63}", name) or len(name.encode()) > 63:
        raise PostgresError(f"{name!r} is not a valid name for a database.")
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text value."""
    return "'" + text.replace("'", "''") + "'"
