"""Processes behind one port: an even spread, and the end of any of them."""

import asyncio
import os
import signal
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from e2e import handed
from e2e.forked import Forked
from e2e.process import children_of, descendants_of, free_port, lives
from e2e.wire import Gone, Wire
from patience import PATIENCE_S, eventually, until_found

from licet_server.kit.web import processes

Run = Callable[..., tuple[Forked, int]]
_AT_ONCE = 4


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Run processes on a free port; they end with the test."""
    running: list[Forked] = []

    def start(count: int, how: str = "serve") -> tuple[Forked, int]:
        port = free_port()
        parent = Forked(
            handed.main, str(count), str(port), how, variables={}, output=tmp_path / "output"
        )
        running.append(parent)
        return parent, port

    yield start
    children = [child for parent in running for child in descendants_of(parent.pid)]
    for parent in running:
        parent.send_signal(signal.SIGTERM)
        parent.wait(PATIENCE_S)
    eventually(lambda: not any(map(lives, children)), "the processes end")


async def _ask(wire: Wire, path: str = "/") -> int:
    """Return the number of the process that answers."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return int((await wire.request("GET", path, "", None))[1])
            except Gone:
                await asyncio.sleep(0.05)


async def _spread(port: int, connections: int) -> Counter[int]:
    """Open so many connections, each of which is kept, and count them by process.

    A few at a time: a process that is too busy to take one leaves it to another.
    """
    first = Wire(port)
    wires = [Wire(port) for _ in range(connections - 1)]
    spread = Counter([await _ask(first)])
    for start in range(0, len(wires), _AT_ONCE):
        spread.update(await asyncio.gather(*map(_ask, wires[start : start + _AT_ONCE])))
    for wire in [first, *wires]:
        await wire.close()
    return spread


@pytest.mark.parametrize("count", [2, 4])
def test_kept_connections_are_spread_evenly(run: Run, count: int) -> None:
    _, port = run(count)
    spread = asyncio.run(_spread(port, 64))
    assert len(spread) == count
    assert max(spread.values()) - min(spread.values()) <= _AT_ONCE, "by chance it would be more"


def test_closed_connections_make_room_for_others(run: Run) -> None:
    _, port = run(2)

    async def leave_one_process() -> None:
        spread = await _spread(port, 8)
        wires = [Wire(port) for _ in range(16)]
        pids = await asyncio.gather(*map(_ask, wires))
        left = min(spread)
        for wire, pid in zip(wires, pids, strict=True):
            if pid == left:
                await wire.close()

        async def newer_go_there() -> bool:
            newer = [Wire(port) for _ in range(8)]
            found = set(await asyncio.gather(*map(_ask, newer)))
            for wire in newer:
                await wire.close()
            return found == {left}

        await until_found(newer_go_there)  # it takes a moment until the room is reported
        for wire in wires:
            await wire.close()

    asyncio.run(leave_one_process())


def test_a_process_that_ends_is_replaced(run: Run) -> None:
    parent, port = run(2)

    async def kill_one() -> None:
        first = set(await _spread(port, 8))
        killed = min(first)
        os.kill(killed, signal.SIGKILL)
        second: set[int] = set()
        while killed in second or len(second) < 2:
            assert parent.poll() is None
            second = set(await _spread(port, 8))
        assert first & second == first - {killed}, "the other one stayed"

    asyncio.run(kill_one())
    assert parent.poll() is None


def test_processes_outlast_the_one_that_they_are_forked_from(run: Run) -> None:
    parent, port = run(2)
    first = set(asyncio.run(_spread(port, 8)))
    [forking] = [pid for pid in descendants_of(parent.pid) if first & set(children_of(pid))]
    os.kill(forking, signal.SIGKILL)

    async def until_replaced() -> None:
        second = first
        while first & second or len(second) < 2:
            assert parent.poll() is None
            second = set(await _spread(port, 8))

    asyncio.run(until_replaced())
    eventually(lambda: not any(map(lives, first)), "they end with their channels")


@pytest.mark.parametrize("failure", [ConnectionRefusedError, BrokenPipeError, EOFError])
def test_a_start_waits_until_the_process_that_it_is_forked_from_has_ended(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a moment it is neither able to fork nor replaceable."""
    monkeypatch.setattr(processes, "TICK_SECONDS", 0)
    refusals, channels = iter([failure, failure]), []
    read, write = os.pipe()

    class Process:
        sentinel, pid = read, 1

        def __init__(self, target: object, args: tuple[int, object, socket.socket]) -> None:
            channels.append(args[2])

        def start(self) -> None:
            for refusal in refusals:
                raise refusal

    started = processes.Processes(None, 1, lambda _: None, 1, module="none")  # type: ignore[arg-type]
    started._context = SimpleNamespace(Process=Process)  # type: ignore[assignment]
    started._start()
    [worker] = started._workers
    assert worker.number == 1
    assert len(channels) == 3, "each try has a channel of its own"
    assert all(channel.fileno() == -1 for channel in channels)
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    refusals = iter([failure] * 1000)
    with pytest.raises(failure):
        started._start()
    started._selector.close()
    worker.channel.close()
    os.close(read)
    os.close(write)


def test_processes_end_with_a_parent_that_is_killed(run: Run) -> None:
    parent, port = run(2)
    pids = set(asyncio.run(_spread(port, 8)))
    assert len(pids) == 2
    parent.send_signal(signal.SIGKILL)
    parent.wait(PATIENCE_S)
    eventually(lambda: not any(map(lives, pids)), "they end")


def test_signals_to_all_processes_at_once_stop_them_in_order(run: Run) -> None:
    parent, port = run(2)
    pids = set(asyncio.run(_spread(port, 8)))
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGINT)
    assert set(asyncio.run(_spread(port, 8))) == pids, "the parent decides"
    parent.send_signal(signal.SIGINT)
    assert parent.wait(PATIENCE_S) == 0
    assert not any(map(lives, pids))


def test_processes_that_cannot_start_end_the_parent(run: Run, tmp_path: Path) -> None:
    parent, _ = run(2, "fail")
    assert parent.wait(PATIENCE_S) == 3
    assert "It cannot start." in (tmp_path / "output").read_text()


def test_a_process_that_hangs_is_killed() -> None:
    killed: list[str] = []

    class Process:
        pid = 1

        def kill(self) -> None:
            killed.append("killed")

    worker = processes._Worker(Process(), None, 1, is_ready=True)  # type: ignore[arg-type]
    all_of_them = processes.Processes(None, 1, lambda _: None, 1, module="none")  # type: ignore[arg-type]
    all_of_them._workers.append(worker)
    for _ in range(processes.SILENT_SECONDS):
        all_of_them._kill_silent()
    assert not killed
    all_of_them._kill_silent()
    assert killed == ["killed"]
