"""`kill -9` of the service and of the server: nothing acknowledged is lost, no hand is needed."""

import os
import signal

from licet_server.kit.postgres.pidfile import living_server


def has_ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_killing_the_service_leaves_no_orphan_and_loses_nothing(place, rows, eventually) -> None:
    service, pid = place.service()
    with place.postgres() as command:
        rows(command.address, "CREATE TABLE t (n int);")
        for n in range(20):
            rows(command.address, f"INSERT INTO t VALUES ({n});")
        address = command.address
    service.kill()
    service.wait()
    with place.postgres(fsync=True) as cluster:  # at once, while the old server shuts down
        assert not cluster.attached
        assert cluster.server_pid != pid
        assert rows(cluster.address, "SELECT count(*) FROM t;") == [["20"]]
        assert cluster.address == address
    assert has_ended(pid)


def test_an_orphan_goes_without_a_next_start(place, eventually) -> None:
    service, pid = place.service()
    assert not has_ended(pid)
    service.kill()
    assert eventually(lambda: has_ended(pid), 5)


def test_a_server_that_outlived_its_service_is_ended_first(place, rows, eventually) -> None:
    # As on systems without a death signal, and when a session keeps the old server busy.
    service, pid = place.service()
    os.kill(pid, signal.SIGSTOP)
    service.kill()
    service.wait()
    assert not has_ended(pid)
    os.kill(pid, signal.SIGCONT)
    with place.postgres() as cluster:
        assert rows(cluster.address, "SELECT 1;") == [["1"]]
    assert has_ended(pid)


def test_a_killed_server_comes_back_by_itself(place, rows, eventually) -> None:
    with place.postgres(fsync=True) as cluster:
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
    assert sum("ended by itself" in line for line in place.said) == 2
    assert place.said[-1] == "The database server is back."


def test_the_number_of_a_dead_server_may_belong_to_another_process(place, rows) -> None:
    with place.postgres() as cluster:
        rows(cluster.address, "CREATE TABLE t (n int);")
    pidfile = place.data / "postgres" / "postmaster.pid"
    stranger = os.getppid()
    pidfile.write_text(f"{stranger}\n{place.data}/postgres\n1\n5432\n{place.data}\n\n\nready\n")
    owner = (place.data / "postgres").stat()
    os.chown(pidfile, owner.st_uid, owner.st_gid)
    assert living_server(place.data / "postgres") is None
    with place.postgres() as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM t;") == [["0"]]
    os.kill(stranger, 0)


def test_leaving_stops_the_server_though_sessions_are_open(place, rows) -> None:
    import subprocess

    from licet_server.kit.postgres.tools import tool_environment

    with place.postgres() as cluster:
        pid = cluster.server_pid
        session = subprocess.Popen(
            [cluster.binaries.program("psql"), "-X", "-c", "SELECT pg_sleep(60)"],
            env=tool_environment(cluster.address),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while rows(cluster.admin, "SELECT 1 FROM pg_stat_activity WHERE query ~ 'leep.60'") == []:
            pass
    assert pid is not None
    assert has_ended(pid)
    assert session.wait(5) != 0
