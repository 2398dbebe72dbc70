from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from examples.tests.kit import REASONS, Copy, Running

Start = Callable[..., Running]
WORKER = (sys.executable, "worker.py", "frames", "--pause", "0.2")
ENDLESS = ("--frames", "100000")


@pytest.fixture
def farm(copy: Callable[..., Copy]) -> Copy:
    made = copy("render-farm")
    (made.folder / "frames").mkdir()
    return made


def machine(farm: Copy, name: str) -> Copy:
    """The same program and license on another machine, which shares the folder."""
    return replace(farm, data=farm.data / name)


def test_workers_share_the_frames(farm: Copy, start: Start) -> None:
    workers = [start(machine(farm, name), *WORKER, "--frames", "6") for name in ("one", "two")]
    assert [worker.process.wait(180) for worker in workers] == [0, 0]
    frames = sorted((farm.folder / "frames").iterdir())
    assert [frame.name for frame in frames] == [f"{number:04}.pgm" for number in range(6)]
    assert all(frame.read_bytes().startswith(b"P5 96 64 255\n") for frame in frames)
    assert farm.license["sessions"] == []


def test_a_worker_waits_until_a_seat_is_free(farm: Copy, start: Start) -> None:
    first, second = (start(machine(farm, name), *WORKER, *ENDLESS) for name in ("one", "two"))
    first.wait_for(".pgm")
    second.wait_for(".pgm")
    third = start(machine(farm, "three"), *WORKER, *ENDLESS)
    third.wait_for("seats")
    assert len(farm.license["sessions"]) == 2
    first.end()
    third.wait_for(".pgm")
    assert len(farm.license["sessions"]) == 2


def test_the_seat_of_a_killed_worker_comes_back_by_time(farm: Copy, start: Start) -> None:
    first, second = (start(machine(farm, name), *WORKER, *ENDLESS) for name in ("one", "two"))
    first.wait_for(".pgm")
    second.wait_for(".pgm")
    second.kill()
    third = start(machine(farm, "three"), *WORKER, *ENDLESS)
    third.wait_for("seats")
    assert len(farm.license["sessions"]) == 2
    farm.fake.server.advance(seconds=90)
    third.wait_for(".pgm")


def test_a_killed_worker_that_starts_again_has_its_seat(farm: Copy, start: Start) -> None:
    places = [machine(farm, name) for name in ("one", "two")]
    first, second = (start(place, *WORKER, *ENDLESS) for place in places)
    first.wait_for(".pgm")
    second.wait_for(".pgm")
    second.kill()
    again = start(places[1], *WORKER, *ENDLESS)
    again.wait_for(".pgm")
    assert not any("seats" in line for line in again.printed)


@pytest.mark.parametrize("reason", REASONS)
def test_no_frame_is_rendered_without_a_license(farm: Copy, reason: str) -> None:
    told = farm.refuse(reason)
    assert told in farm.run(*WORKER, fails=True)
    assert list((farm.folder / "frames").iterdir()) == []


def test_a_worker_rests_while_the_license_is_suspended(
    copy: Callable[..., Copy], start: Start, farm: Copy
) -> None:
    farm.fake.reset(heartbeatIntervalSeconds=0.2, sessionTimeoutSeconds=5)
    resting = copy("render-farm")
    worker = start(resting, *WORKER, *ENDLESS)
    worker.wait_for(".pgm")
    resting.act("suspend")
    worker.wait_for("suspended")
    resting.act("reinstate")
    worker.wait_for(".pgm")
