"""`kill -9` of the service and of the server: nothing acknowledged is lost, no hand is needed."""

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from kit.postgres.place import Eventually, Place, Rows
from patience import PATIENCE_S

from licet_server.kit.postgres import Address, find_binaries
from licet_server.kit.postgres.account import owner_of
from licet_server.kit.postgres.process import running_server
from licet_server.kit.postgres.programs import tool_environment


def has_ended(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@contextmanager
def open_session(address: Address, rows: Rows) -> Iterator["subprocess.Popen[bytes]"]:
    session = subprocess.Popen(
        [find_binaries().program("psql"), "-X", "-c", "SELECT pg_sleep(60)"],
        env=tool_environment(address),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while rows(address, "SELECT 1 FROM pg_stat_activity WHERE query ~ 'leep.60'") == []:
        pass
    try:
        yield session
    finally:
        session.kill()
        session.wait()


def test_killing_the_service_leaves_no_orphan_and_loses_nothing(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    service, pid = made.service()
    with made.postgres() as command:
        rows(command.address, "CREATE TABLE t (n int);")
        for n in range(20):
            rows(command.address, f"INSERT INTO t VALUES ({n});")
        address = command.address
    service.kill()
    service.wait()
    with made.postgres(fsync=True) as cluster:  # at once, while the old server shuts down
        assert not cluster.attached
        assert cluster.server_pid != pid
        assert rows(cluster.address, "SELECT count(*) FROM t;") == [["20"]]
        assert cluster.address == address
    assert has_ended(pid)


def test_an_orphan_goes_although_a_worker_holds_a_session(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    service, pid = made.service()
    with made.postgres() as command, open_session(command.address, rows):
        assert not has_ended(pid)
        service.kill()
        assert eventually(lambda: has_ended(pid), 5)


def test_a_server_that_outlived_its_service_is_ended_first(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    service, pid = made.service()
    os.kill(pid, signal.SIGSTOP)
    service.kill()
    service.wait()

    def start_again() -> list[list[str]]:
        with made.postgres() as cluster:
            return rows(cluster.address, "SELECT 1;")

    with ThreadPoolExecutor(1) as pool:
        again = pool.submit(start_again)
        assert eventually(lambda: any(f"(process {pid})" in line for line in made.said))
        assert not again.done()
        os.kill(pid, signal.SIGCONT)
        assert again.result() == [["1"]]
    assert has_ended(pid)


def test_a_killed_server_comes_back_by_itself(
    made: Place, rows: Rows, eventually: Eventually
) -> None:
    with made.postgres(fsync=True) as cluster:
        rows(cluster.address, "CREATE TABLE t (n int);")
        for killed in range(2):
            rows(cluster.address, f"INSERT INTO t VALUES ({killed});")
            pid = cluster.server_pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            assert eventually(lambda pid=pid: cluster.server_pid not in {None, pid}, 20)
            assert cluster.wait_ready(10)
            found = rows(cluster.address, "SELECT count(*) FROM t;")
            assert found == [[str(killed + 1)]]
    assert sum("exited unexpectedly" in line for line in made.said) == 2
    assert made.said[-1] == "The database server is running again."


def test_the_number_of_a_dead_server_may_belong_to_another_process(made: Place, rows: Rows) -> None:
    with made.postgres() as cluster:
        rows(cluster.address, "CREATE TABLE t (n int);")
    cluster_dir = made.data / "postgres"
    owner = owner_of(cluster_dir)
    # Of the same user: the server takes the number of another user's process for a stale one.
    stranger = subprocess.Popen(["sleep", "60"], cwd="/", **owner.subprocess_options())
    try:
        pidfile = cluster_dir / "postmaster.pid"
        pidfile.write_text(f"{stranger.pid}\n{cluster_dir}\n1\n5432\n/nowhere\n\n\nready\n")
        os.chown(pidfile, owner.uid, owner.gid)
        assert running_server(cluster_dir) is None
        with made.postgres(start_timeout=PATIENCE_S) as cluster:
            assert rows(cluster.address, "SELECT count(*) FROM t;") == [["0"]]
        assert stranger.poll() is None, "an unrelated process was ended"
    finally:
        stranger.kill()
        stranger.wait()


def test_leaving_stops_the_server_though_sessions_are_open(made: Place, rows: Rows) -> None:
    with made.postgres() as cluster:
        pid = cluster.server_pid
        with open_session(cluster.address, rows) as session:
            cluster.__exit__(None, None, None)
            assert session.wait(PATIENCE_S) != 0
    assert pid is not None
    assert has_ended(pid)
