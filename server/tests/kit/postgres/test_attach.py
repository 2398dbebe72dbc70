"""Two processes, one data folder: one runs the server, the other attaches."""

import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kit.postgres.place import Eventually, Place, Rows
from patience import PATIENCE_S

from licet_server.kit.postgres import InUse, StartFailed, ToolFailed
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import running_server


def test_a_command_attaches_to_the_running_service(made: Place, rows: Rows) -> None:
    with made.postgres() as service:
        rows(service.address, "CREATE TABLE t (n int); INSERT INTO t VALUES (1);")
        with made.postgres() as command:
            assert command.attached
            assert not service.attached
            assert command.url == service.url
            assert rows(command.address, "SELECT n FROM t;") == [["1"]]
            assert command.wait_ready(1)
        assert rows(service.address, "SELECT n FROM t;") == [["1"]], "leaving stopped the server"


def test_attaching_from_another_process(made: Place, rows: Rows) -> None:
    _, pid = made.service()
    with made.postgres() as command:
        assert command.attached
        assert command.server_pid is None
        assert rows(command.address, "SELECT 1;") == [["1"]]
    assert pid > 0


def test_many_at_once_make_one_cluster(place: Place, rows: Rows) -> None:
    together = threading.Barrier(4)

    def enter() -> bool:
        with place.postgres() as cluster:
            try:
                assert rows(cluster.address, "SELECT 1;") == [["1"]]
                return cluster.attached
            finally:
                together.wait(PATIENCE_S)

    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(enter) for _ in range(4)]
        assert sorted(call.result() for call in calls) == [False, True, True, True]


def test_the_next_one_takes_over_when_the_first_is_gone(made: Place) -> None:
    with made.postgres():
        pass
    with made.postgres() as second:
        assert not second.attached


def test_an_attached_process_takes_over_when_the_first_one_stops(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    first = made.postgres()
    first.__enter__()
    with made.postgres() as second:
        url = second.url
        rows(second.address, "CREATE TABLE t (n int); INSERT INTO t VALUES (1);")
        first.__exit__(None, None, None)
        assert eventually(lambda: not second.attached, 60)
        assert second.url == url
        assert rows(second.address, "SELECT n FROM t;") == [["1"]]
        with made.postgres() as third:
            assert third.attached


def test_killed_again_and_again_nothing_acknowledged_is_lost(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    """Four processes on one folder; whoever runs the server is killed, and another one goes on."""
    services = {service.pid: service for service, _ in (made.service() for _ in range(4))}
    with made.postgres() as watching:
        rows(watching.address, "CREATE TABLE t (n int PRIMARY KEY);")
        stored: list[int] = []
        stop = threading.Event()

        def write() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                with contextlib.suppress(ToolFailed):
                    rows(watching.address, f"INSERT INTO t VALUES ({number});")
                    stored.append(number)

        def holder() -> int:
            words = (made.data / "postgres.lock").read_text().split()
            return int(words[0]) if words[1:] == ["ready"] else 0

        writer = threading.Thread(target=write)
        writer.start()
        try:
            servers = set()
            for _ in range(3):
                before, victim = len(stored), holder()
                if victim not in services:
                    break  # this process has taken over
                services.pop(victim).kill()
                assert eventually(lambda: holder() not in {0, victim}, 60)  # noqa: B023
                assert eventually(lambda: len(stored) > before + 3, 60)  # noqa: B023
                server = running_server(made.data / "postgres")
                assert server is not None
                servers.add(server.pid)
        finally:
            stop.set()
            writer.join()
        assert len(servers) >= 1
        found = {int(n) for [n] in rows(watching.address, "SELECT n FROM t;")}
        assert set(stored) <= found


def test_a_holder_that_never_gets_ready_is_named(place: Place) -> None:
    place.data.mkdir()
    with (
        FileLock(place.data / "postgres.lock"),
        pytest.raises(
            StartFailed,
            match=rf"process {os.getpid()} holds .*postgres\.lock, but .* not ready within 0\.3 s",
        ),
        place.postgres(start_timeout=0.3),
    ):
        pass


def test_a_lock_is_held_once_and_let_go(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    with first:
        assert not second.try_acquire()
        with pytest.raises(InUse, match="process"), second:
            pass
    assert second.try_acquire()
    second.release()
