"""Stages of a run, side by side in lanes: what waits runs beside what computes.

The output of a stage is kept whole and printed when the stage ends. A stage that fails stops only
those that need it.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

PROGRESS_S = 60.0
GRACE_S = 30.0
"""How long a stage may take to end after Ctrl-C."""


@dataclass(frozen=True)
class Stage:
    """A command of a run."""

    name: str
    command: Sequence[str]
    needs: Sequence[str] = ()
    """Stages of this run, whose success it waits for."""


@dataclass(frozen=True)
class Ended:
    """How a stage went."""

    name: str
    status: int
    wall_s: float = 0.0
    processor_s: float = 0.0
    """Of the command and of all descendants that were waited for; not of daemons that live on."""
    lacks: str = ""
    """The stage that it needed and that failed; then it never began."""


def say_at_once(text: str) -> None:
    print(text, flush=True)


@dataclass
class Lanes:
    """Runs lanes of stages at once, and the stages of each one after the other."""

    folder: Path
    """For the output of each stage."""
    say: Callable[[str], None] = say_at_once
    progress: Callable[[str], str] = lambda _: ""
    """Describes how far the stage with this name is."""
    variables: Mapping[str, str] = field(default_factory=dict)
    progress_s: float = PROGRESS_S
    ended: dict[str, Ended] = field(default_factory=dict)
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _done: dict[str, threading.Event] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: bool = False

    def run(self, *lanes: Sequence[Stage]) -> None:
        """Run all stages, and stop them if this process is interrupted."""
        self._done = {stage.name: threading.Event() for lane in lanes for stage in lane}
        threads = [threading.Thread(target=self._run_lane, args=(lane,)) for lane in lanes]
        for thread in threads:
            thread.start()
        try:
            self._wait_for(threads)
        except BaseException:
            self._stop(threads)
            raise

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def _wait_for(self, threads: Sequence[threading.Thread]) -> None:
        said = time.monotonic()
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(0.2 / len(threads))
            if time.monotonic() - said >= self.progress_s:
                said = time.monotonic()
                running = ", ".join(
                    f"{name} {self.progress(name)}".strip() for name in self._names()
                )
                self.say(f"... running: {running}")

    def _names(self) -> list[str]:
        with self._lock:
            return list(self._running)

    def _run_lane(self, lane: Sequence[Stage]) -> None:
        for stage in lane:
            for name in stage.needs:
                self._done[name].wait()
            if self._stopped:
                return
            lacks = [name for name in stage.needs if self.ended[name].status != 0]
            self._note(Ended(stage.name, 1, lacks=lacks[0]) if lacks else self._run_stage(stage))

    def _run_stage(self, stage: Stage) -> Ended:
        began = time.monotonic()
        with self.output(stage.name).open("wb") as file:
            try:
                process = self._start(stage, file)
            except OSError as error:
                file.write(f"{error}\n".encode())
                return Ended(stage.name, 127)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        with self._lock:
            del self._running[stage.name]
        took = time.monotonic() - began
        return Ended(stage.name, process.returncode, took, used.ru_utime + used.ru_stime)

    def _start(self, stage: Stage, output: BinaryIO) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise InterruptedError("The run was stopped.")
            process = subprocess.Popen(  # noqa: S603 - commands of this repository
                stage.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.variables},
                start_new_session=True,
            )
            self._running[stage.name] = process
        self.say(f"==> {stage.name} begins")
        return process

    def _note(self, ended: Ended) -> None:
        with self._lock:
            self.ended[ended.name] = ended
            if not ended.lacks:
                self.say(self.output(ended.name).read_text(errors="replace").rstrip())
            self.say(f"<== {describe(ended)}")
        self._done[ended.name].set()

    def _stop(self, threads: Sequence[threading.Thread]) -> None:
        """End every stage with its descendants, first as Ctrl-C does."""
        for signal_, patience_s in ((signal.SIGINT, GRACE_S), (signal.SIGKILL, GRACE_S)):
            with self._lock:
                self._stopped = True
                for done in self._done.values():
                    done.set()
                for process in self._running.values():
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal_)
            until = time.monotonic() + patience_s
            for thread in threads:
                thread.join(max(0.0, until - time.monotonic()))


def describe(ended: Ended) -> str:
    if ended.lacks:
        return f"{ended.name} did not run for want of {ended.lacks}"
    verdict = "passed" if ended.status == 0 else f"FAILED with status {ended.status}"
    return f"{ended.name} {verdict} in {ended.wall_s:.0f} s, {ended.processor_s:.0f} s of processor"
