"""Processes are forked from what their parent had imported, and from a fresh interpreter if not."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is kept")

PROGRAM = """
import json, multiprocessing, os, signal, sys, threading

def look(channel):
    channel.send(["wave" in sys.modules, os.environ.get("LATER"), os.getcwd()])

if __name__ == "__main__":
    import wave
    from licet_server.kit.web import kept_imports

    case = sys.argv[1]
    ended = threading.Event()
    if case == "a thread runs":
        threading.Thread(target=ended.wait).start()
    kept_imports.keep_imports()
    kept = [one.process for one in kept_imports._kept]
    if case == "it was killed":
        os.kill(kept[0], signal.SIGKILL)
        os.waitid(os.P_PID, kept[0], os.WEXITED | os.WNOWAIT)
    if case == "it was asked to end":
        os.kill(kept[0], signal.SIGTERM)
    os.environ["LATER"] = "here"
    os.chdir("/")
    if case != "it was not needed":
        kept_imports.begin_fork_server()
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["json"])
        ours, theirs = context.Pipe()
        process = context.Process(target=look, args=(theirs,))
        process.start()
        kept.append(ours.recv())
        process.join()
    ended.set()
    print(json.dumps(kept))
"""


def outcome(case: str, folder: Path) -> Any:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    # Its output ends when the last process that has it does.
    ended = subprocess.run(
        [sys.executable, program, case], check=True, capture_output=True, text=True, timeout=120
    )
    assert ended.stderr == ""
    return json.loads(ended.stdout)


@pytest.mark.parametrize("case", ["it is there", "it was asked to end"])
def test_process_has_what_was_imported_and_what_changed_since(case: str, tmp_path: Path) -> None:
    assert outcome(case, tmp_path)[-1] == [True, "here", "/"]


@pytest.mark.parametrize("case", ["it was killed", "a thread runs"])
def test_process_comes_from_fresh_interpreter_if_nothing_was_kept(
    case: str, tmp_path: Path
) -> None:
    assert outcome(case, tmp_path)[-1] == [False, "here", "/"]


def test_kept_process_ends_with_its_parent(tmp_path: Path) -> None:
    [kept] = outcome("it was not needed", tmp_path)  # whose output it would keep open
    assert kept > 0
