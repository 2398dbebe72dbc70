from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from licet_seat_server import Program, SeatServer, seat_options
from test_hardware import FakeMachine

from licet import LicenseClient
from licet._instance import acquire_instance

DESK = FakeMachine(name="desk")
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX alone")


def test_ids_are_stored_and_never_shared(tmp_path: Path) -> None:
    first = acquire_instance(tmp_path, DESK)
    second = acquire_instance(tmp_path, DESK)
    assert first.value != second.value
    kept = first.value
    first.release()
    first.release()
    again = acquire_instance(tmp_path, DESK)
    third = acquire_instance(tmp_path, DESK)
    assert again.value == kept
    assert len({again.value, second.value, third.value}) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"licet-instance-{number}.lock" for number in (1, 2, 3)
    ]


def test_the_folder_is_created(tmp_path: Path) -> None:
    taken = acquire_instance(tmp_path / "a" / "b", DESK)
    taken.release()
    assert acquire_instance(tmp_path / "a" / "b", DESK).value == taken.value


def test_a_file_that_holds_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "licet-instance-1.lock").write_bytes(b"\0" * 100)
    taken = acquire_instance(tmp_path, DESK)
    taken.release()
    assert acquire_instance(tmp_path, DESK).value == taken.value
    assert (tmp_path / "licet-instance-1.lock").read_bytes() == b"\0" * 100
    assert len((tmp_path / "licet-instance-2.lock").read_bytes()) == 32


def test_containers_of_one_image_do_not_share_an_id(tmp_path: Path) -> None:
    values = set()
    for host in ("4f2a91c0d7e1", "b81f0a3c55aa"):
        taken = acquire_instance(tmp_path, FakeMachine(name=host))
        values.add(taken.value)
        taken.release()
    assert len(values) == 2


def test_ci_stores_nothing(tmp_path: Path) -> None:
    env = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "o/r", "GITHUB_SERVER_URL": "https://g"}
    runner = FakeMachine(env=env)
    assert acquire_instance(tmp_path, runner).value != acquire_instance(tmp_path, runner).value
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    values = {acquire_instance(tmp_path / "file" / "x", DESK).value for _ in range(2)}
    assert len(values) == 2


@posix
def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("licet._instance.lock", no_locks)
    assert acquire_instance(tmp_path, DESK).value != acquire_instance(tmp_path, DESK).value
    assert len(list(tmp_path.iterdir())) == 1


def test_two_sessions_of_one_process(seats: SeatServer, tmp_path: Path) -> None:
    with LicenseClient(**seat_options(seats, tmp_path)) as client:
        with client.session(), client.session():
            assert len(set(seats.sessions.values())) == 2
        with client.session():
            pass
    ids = [request.body["instanceId"] for request in seats.all("connect")]
    assert ids[2] in ids[:2]


def test_a_failed_open_releases_the_id(seats: SeatServer, tmp_path: Path) -> None:
    from licet import SeatsExhaustedError

    seats.seats_total = 0
    with LicenseClient(**seat_options(seats, tmp_path)) as client:
        for _ in range(2):
            with pytest.raises(SeatsExhaustedError):
                client.session().open()
    assert len({request.body["instanceId"] for request in seats.all("connect")}) == 1


HOLD = """
session = LicenseClient(**options).session().open()
say(session.id)
wait()
"""


@posix
def test_a_killed_copy_reclaims_its_seat(seats: SeatServer, tmp_path: Path) -> None:
    seats.seats_total = 1
    with Program(seats, tmp_path, HOLD) as first:
        assert first.read_line() == "session-1"
        first.end(signal.SIGKILL)
    assert set(seats.sessions) == {"session-1"}, "the killed process did not disconnect"
    with Program(seats, tmp_path, HOLD) as second:
        assert second.read_line() == "session-2"
        assert set(seats.sessions) == {"session-2"}


@posix
def test_two_running_copies_take_two_seats(seats: SeatServer, tmp_path: Path) -> None:
    with Program(seats, tmp_path, HOLD) as first, Program(seats, tmp_path, HOLD) as second:
        assert {first.read_line(), second.read_line()} == {"session-1", "session-2"}
        assert len(set(seats.sessions.values())) == 2
