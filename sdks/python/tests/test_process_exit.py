"""Processes that exit in different ways release their seats."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from licet_seat_server import Program, SeatServer, wait_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and forks of POSIX")

SYNC = "session = LicenseClient(**options{more}).session().open()\n"
ASYNC = """
async def main():
    session = await AsyncLicenseClient(**options{more}).session().open()
    say("open")
    while True:
        await asyncio.sleep(0.05)
asyncio.run(main())
"""
WAIT = "say('open')\nwait()\n"
PROGRAMS = {
    "sync": SYNC + WAIT,
    "sync, two": SYNC + SYNC.replace("session =", "other =") + WAIT,
    "sync, busy": SYNC + "say('open')\nwhile True: pass\n",
    "async": ASYNC,
}


def program(text: str, more: str = "") -> str:
    return text.replace("{more}", more)


def limited(name: str, seconds: float) -> str:
    """A line that changes a limit of the exit hooks, which must have it."""
    return f"from licet import _exit_hooks as hooks; hooks.{name}; hooks.{name} = {seconds}\n"


# SIGTERM.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_signal_releases_the_seat(
    seats: SeatServer, tmp_path: Path, text: str, number: signal.Signals
) -> None:
    with Program(seats, tmp_path, program(text)) as app:
        assert app.read_line() == "open"
        assert seats.sessions
        assert app.end(number) == -number
    assert seats.sessions == {}
    assert app.err == ""


@pytest.mark.parametrize("text", [SYNC + WAIT, ASYNC], ids=["sync", "async"])
def test_sigterm_does_not_wait_for_a_hanging_server(
    seats: SeatServer, tmp_path: Path, text: str
) -> None:
    brief = limited("SIGNAL_TIMEOUT_SECONDS", 0.2)
    with Program(seats, tmp_path, brief + program(text)) as app:
        assert app.read_line() == "open"
        seats.hang()
        begun = time.monotonic()
        assert app.end(signal.SIGTERM) == -signal.SIGTERM
        assert time.monotonic() - begun < 10


def test_a_second_sigterm_ends_the_process_at_once(seats: SeatServer, tmp_path: Path) -> None:
    text = limited("SIGNAL_TIMEOUT_SECONDS", 600) + SYNC
    # The thread is blocked in a heartbeat that hangs.
    text += "session._worker._transport.send = lambda _: time.sleep(600)\n" + WAIT
    with Program(seats, tmp_path, program(text)) as app:
        assert app.read_line() == "open"
        heartbeats = seats.count("heartbeat")
        time.sleep(3 * seats.interval)
        assert seats.count("heartbeat") <= heartbeats + 1
        app.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert app.process.poll() is None
        assert app.end(signal.SIGTERM) == -signal.SIGTERM


def test_process_1_of_a_container(seats: SeatServer, tmp_path: Path) -> None:
    unshare = ["unshare", "--pid", "--fork"]
    try:
        subprocess.run([*unshare, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a process namespace cannot be created here")
    text = program(SYNC) + "say(os.getpid())\nwait()\n"
    with Program(seats, tmp_path, text, prefix=unshare) as app:
        assert app.read_line() == "1"
        outer = app.process.pid
        inner = int(Path(f"/proc/{outer}/task/{outer}/children").read_text())
        os.kill(inner, signal.SIGTERM)
        assert app.end() == 128 + signal.SIGTERM
    assert seats.sessions == {}


def test_sigterm_while_a_lock_is_held(seats: SeatServer, tmp_path: Path) -> None:
    text = """
with session._worker._stop._cond:
    say("open")
    wait()
"""
    with Program(seats, tmp_path, program(SYNC) + text) as app:
        assert app.read_line() == "open"
        assert app.end(signal.SIGTERM) == -signal.SIGTERM


@pytest.mark.parametrize("text", [SYNC + WAIT, ASYNC], ids=["sync", "async"])
def test_handle_sigterm_turns_it_off(seats: SeatServer, tmp_path: Path, text: str) -> None:
    with Program(seats, tmp_path, program(text, ", handle_sigterm=False")) as app:
        assert app.read_line() == "open"
        assert app.end(signal.SIGTERM) == -signal.SIGTERM
    assert list(seats.sessions) == ["session-1"]
    assert seats.count("disconnect") == 0


def test_the_applications_own_handler_is_kept(seats: SeatServer, tmp_path: Path) -> None:
    text = """
def mine(*_):
    say("mine")
    sys.exit(7)
signal.signal(signal.SIGTERM, mine)
session = LicenseClient(**options).session().open()
assert signal.getsignal(signal.SIGTERM) is mine
say("open")
wait()
"""
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "open"
        assert app.end(signal.SIGTERM) == 7
    assert app.out.strip() == "mine"
    assert seats.sessions == {}, "the seat was released at interpreter exit"


def test_the_default_handler_is_restored(seats: SeatServer, tmp_path: Path) -> None:
    text = """
def is_default():
    return signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
client = LicenseClient(**options)
first, second = client.session(), client.session()
said = [is_default()]
first.open(); said.append(is_default())
second.open(); said.append(is_default())
first.close(); said.append(is_default())
second.close(); said.append(is_default())
first.open(); said.append(is_default())
signal.signal(signal.SIGTERM, lambda *_: None)
first.close(); said.append(is_default())
say(said)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with client.session():
    say(signal.getsignal(signal.SIGTERM) is signal.SIG_IGN)
"""
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "[True, False, False, False, True, False, False]"
        assert app.read_line() == "True"
        assert app.end() == 0


def test_no_handler_is_installed_from_another_thread(seats: SeatServer, tmp_path: Path) -> None:
    text = """
def work():
    with LicenseClient(**options).session():
        say(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "True"
        assert app.end() == 0
        assert app.err == ""


# Interpreter exit.

ENDS = {
    "the last line": "",
    "exit": "sys.exit(0)",
    "an error": "raise SystemExit('broken')",
}
LOST_LOOP = """
loop = asyncio.new_event_loop()
session = loop.run_until_complete(AsyncLicenseClient(**options).session().open())
"""


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_interpreter_exit(seats: SeatServer, tmp_path: Path, end: str) -> None:
    with Program(seats, tmp_path, program(SYNC) + end) as app:
        app.end()
    assert seats.count("connect") == 1
    assert seats.sessions == {}


def test_interpreter_exit_without_an_event_loop(seats: SeatServer, tmp_path: Path) -> None:
    with Program(seats, tmp_path, LOST_LOOP) as app:
        assert app.end() == 0
    assert seats.count("connect") == 1
    assert seats.sessions == {}


def test_interpreter_exit_without_new_threads(seats: SeatServer, tmp_path: Path) -> None:
    text = """
def refuse(_):
    raise RuntimeError("can't create new thread at interpreter shutdown")
threading.Thread.start = refuse
"""
    with Program(seats, tmp_path, LOST_LOOP + text) as app:
        assert app.end() == 0
        assert app.err == ""
    assert seats.sessions == {}


@pytest.mark.parametrize("text", [SYNC, LOST_LOOP], ids=["sync", "async"])
def test_interpreter_exit_does_not_wait_for_a_hanging_server(
    seats: SeatServer, tmp_path: Path, text: str
) -> None:
    brief = limited("EXIT_TIMEOUT_SECONDS", 0.2)
    wait = "say('open')\nsys.stdin.close()\ntime.sleep(1)\n"
    with Program(seats, tmp_path, brief + program(text) + wait) as app:
        assert app.read_line() == "open"
        seats.hang()
        begun = time.monotonic()
        assert app.end() == 0
        assert time.monotonic() - begun < 15


def test_ctrl_c(seats: SeatServer, tmp_path: Path) -> None:
    with Program(seats, tmp_path, program(SYNC + WAIT)) as app:
        assert app.read_line() == "open"
        app.end(signal.SIGINT)
    assert seats.sessions == {}


# Forks.


def test_a_forked_child_does_not_share_the_session(seats: SeatServer, tmp_path: Path) -> None:
    text = """
session = LicenseClient(**options).session().open()
child = os.fork()
if child == 0:
    default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    say(f"child {session.alive} {default}")
    session.close()
    sys.exit(0)
os.waitpid(child, 0)
say(f"parent {session.alive}")
while True:
    time.sleep(1)
"""
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "child False True"
        assert app.read_line() == "parent True"
        assert seats.count("disconnect") == 0
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") >= heartbeats + 2)
        assert app.end(signal.SIGTERM) == -signal.SIGTERM
    assert seats.sessions == {}


def test_a_forked_child_does_not_share_an_async_session(seats: SeatServer, tmp_path: Path) -> None:
    text = """
async def main():
    session = await AsyncLicenseClient(**options).session().open()
    child = os.fork()
    if child == 0:
        asyncio.events._set_running_loop(None)
        asyncio.run(session.close())
        say(f"child {session.alive}")
        os._exit(0)
    await asyncio.to_thread(os.waitpid, child, 0)
    say(f"parent {session.alive}")
    await asyncio.sleep(60)
asyncio.run(main())
"""
    with Program(seats, tmp_path, text) as app:
        assert app.read_line() == "child False"
        assert app.read_line() == "parent True"
        assert seats.count("disconnect") == 0
        assert app.end(signal.SIGTERM) == -signal.SIGTERM
    assert seats.sessions == {}


def test_a_forked_child_can_open_its_own_session(seats: SeatServer, tmp_path: Path) -> None:
    text = """
client = LicenseClient(**options)
session = client.session().open()
child = os.fork()
if child == 0:
    with LicenseClient(**options).session() as own:
        say(own.id)
        time.sleep(0.5)
        say(own.alive)
    sys.exit(0)
os.waitpid(child, 0)
say(session.alive)
session.close()
"""
    with Program(seats, tmp_path, text) as app:
        assert [app.read_line() for _ in range(3)] == ["session-2", "True", "True"]
        assert app.end() == 0
    assert len({request.body["instanceId"] for request in seats.all("connect")}) == 2
    assert seats.sessions == {}


def test_a_surviving_child_does_not_hold_the_instance_id(seats: SeatServer, tmp_path: Path) -> None:
    text = """
session = LicenseClient(**options).session().open()
if os.fork() == 0:
    say(os.getpid())
    os.close(1); os.close(2)
    wait()
wait()
"""
    with Program(seats, tmp_path, text) as app:
        child = int(app.read_line())
        try:
            app.process.kill()
            app.process.wait()
            with Program(seats, tmp_path, program(SYNC + WAIT)) as again:
                assert again.read_line() == "open"
                assert len({request.body["instanceId"] for request in seats.all("connect")}) == 1
        finally:
            os.kill(child, signal.SIGKILL)
