"""Stages side by side: whole outputs, what needs what, and an end for all."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from patience import eventually
from testruns.lanes import Lanes, Stage, describe


def python(name: str, code: str, *needs: str) -> Stage:
    return Stage(name, [sys.executable, "-c", code], needs)


def until(condition: str) -> str:
    return f"import pathlib, time\nwhile not {condition}: time.sleep(0.01)\n"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def lanes(tmp_path: Path, said: list[str]) -> Lanes:
    return Lanes(tmp_path, say=said.append, progress_s=0.1)


def test_lanes_run_at_once_and_outputs_stay_whole(lanes: Lanes, said: list[str]) -> None:
    """Each of the two ends only when the other one has begun."""
    here, there = lanes.folder / "here", lanes.folder / "there"

    def meeting(mine: Path, other: Path) -> str:
        touch = f"pathlib.Path({str(mine)!r}).touch()\nprint('begun', flush=True)\n"
        wait = until(f"pathlib.Path({str(other)!r}).exists()")
        return f"import pathlib\n{touch}{wait}print('met')"

    lanes.run([python("a", meeting(here, there))], [python("b", meeting(there, here))])
    assert [lanes.ended[name].status for name in "ab"] == [0, 0]
    assert said.count("begun\nmet") == 2
    assert {"==> a begins", "==> b begins"} <= set(said)


def test_what_needs_a_stage_waits_for_it(lanes: Lanes) -> None:
    made = str(lanes.folder / "made")
    build = f"import pathlib, time; time.sleep(0.3); pathlib.Path({made!r}).touch()"
    use = f"import pathlib, sys; sys.exit(not pathlib.Path({made!r}).exists())"
    lanes.run([python("use", use, "build")], [python("build", build)])
    assert lanes.ended["use"].status == 0


def test_a_failure_stops_only_what_needs_the_stage(lanes: Lanes, said: list[str]) -> None:
    used = lanes.folder / "used"
    lanes.run(
        [
            python("build", "raise SystemExit(3)"),
            python("use", f"open({str(used)!r}, 'w')", "build"),
            python("other", "print('still here')"),
        ]
    )
    assert {name: ended.status for name, ended in lanes.ended.items()} == {
        "build": 3,
        "use": 1,
        "other": 0,
    }
    assert not used.exists()
    assert describe(lanes.ended["use"]) == "use did not run for want of build"
    assert "still here" in said


def test_a_command_that_is_not_there_fails(lanes: Lanes, said: list[str]) -> None:
    lanes.run([Stage("gone", ["/nowhere/to/be/found"])])
    assert lanes.ended["gone"].status != 0
    assert any("No such file" in line for line in said)


def test_progress_is_said_and_processor_time_counted(lanes: Lanes, said: list[str]) -> None:
    lanes.progress = lambda name: f"({name} is half done)"
    lanes.run([python("busy", "import time\nwhile time.process_time() < 0.5: pass")])
    assert "... running: busy (busy is half done)" in said
    assert lanes.ended["busy"].processor_s >= 0.5


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Take Ctrl-C as in a terminal; what runs in the background inherits that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_ends_all_stages_and_what_they_started(lanes: Lanes) -> None:
    pid, never = lanes.folder / "pid", lanes.folder / "never"
    code = (
        "import os, pathlib, subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {until('False')!r}])\n"
        f"pathlib.Path({str(pid)!r}).write_text(f'{{os.getpid()}} {{child.pid}}\\n')\n"
        "child.wait()\n"
    )

    def interrupt() -> None:
        eventually(lambda: pid.exists() and pid.read_text().endswith("\n"), "it has begun")
        os.kill(os.getpid(), signal.SIGINT)

    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    with pytest.raises(KeyboardInterrupt):
        lanes.run([python("endless", code), python("next", f"open({str(never)!r}, 'w')")])
    interrupting.join()
    for number in pid.read_text().split():
        eventually(partial(_has_ended, int(number)), "it has ended")
    assert not never.exists()


def _has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
