"""Two processes, one data folder: one runs the server, the other attaches."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kit.postgres.place import Place, Rows

from licet_server.kit.postgres import InUse, StartFailed
from licet_server.kit.postgres.lock import FileLock


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
                together.wait(30)

    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(enter) for _ in range(4)]
        assert sorted(call.result() for call in calls) == [False, True, True, True]


def test_the_next_one_takes_over_when_the_first_is_gone(made: Place) -> None:
    with made.postgres():
        pass
    with made.postgres() as second:
        assert not second.attached


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
