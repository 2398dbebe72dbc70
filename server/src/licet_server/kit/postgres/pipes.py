"""Joins two programs by a pipe that ends when either of them does.

The bytes pass through this process, which is how it sees progress: there is no limit for the whole,
but one for the time without a byte.
"""

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from licet_server.kit.postgres.errors import Stalled, ToolFailed
from licet_server.kit.postgres.programs import Program, Running

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
