"""Running the checks of the requirements against one SDK, several at a time."""

from __future__ import annotations

import contextlib
import queue
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.driver import DriverFailedError, DriverProcess
from conformance.requirements import Requirement, checks
from conformance.targets import Target, UnsupportedError
from conformance.vectors import Check
from conformance.world import DriverHandle, Live, Observation, World


@dataclass
class Outcome:
    """How one check ended: ``passed``, ``failed`` or ``skipped``, with the reason."""

    requirement: str
    label: str
    verdict: str
    reason: str = ""
    folder: str = ""
    observations: list[Observation] = field(default_factory=list, repr=False)


@dataclass
class Report:
    """The outcome of a run."""

    hello: Mapping[str, Any]
    outcomes: list[Outcome]

    def verdict(self, requirement: str) -> str:
        """``passed``, ``failed`` or ``skipped``; failed if one of the checks has failed."""
        verdicts = {item.verdict for item in self.outcomes if item.requirement == requirement}
        return next((word for word in ("failed", "passed") if word in verdicts), "skipped")

    @property
    def failures(self) -> list[Outcome]:
        return [item for item in self.outcomes if item.verdict == "failed"]


@dataclass
class Job:
    requirement: Requirement
    label: str
    check: Check


def run(
    command: str,
    selected: Iterable[Requirement],
    make_target: Callable[[], Target],
    *,
    workers: int = 2,
    progress: Callable[[Outcome], None] = lambda _: None,
) -> Report:
    """Run the checks of these requirements.

    Args:
        command: Starts a driver.
        selected: The requirements.
        make_target: Creates a server; each worker has one of its own.
        workers: How many checks run at once. Most of them wait.
        progress: Called with each outcome, from any thread.
    """
    jobs: queue.SimpleQueue[tuple[int, Job]] = queue.SimpleQueue()
    numbered = [
        Job(requirement, label, check)
        for requirement in selected
        for label, check in checks(requirement)
    ]
    for item in enumerate(numbered):
        jobs.put(item)
    crew = [_Worker(command, make_target, jobs, progress) for _ in range(workers)]
    threads = [threading.Thread(target=worker.run) for worker in crew]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for worker in crew:
        if worker.fault is not None:
            raise worker.fault
    done = {number: outcome for worker in crew for number, outcome in worker.done}
    return Report(crew[0].hello, [done[number] for number in sorted(done)])


class _Worker:
    """One driver and one server, replaced when a check has ended or broken them."""

    def __init__(
        self,
        command: str,
        make_target: Callable[[], Target],
        jobs: queue.SimpleQueue[tuple[int, Job]],
        progress: Callable[[Outcome], None],
    ) -> None:
        self._command, self._make_target = command, make_target
        self._jobs, self._progress = jobs, progress
        self._driver: DriverProcess | None = None
        self.hello: Mapping[str, Any] = {}
        self.done: list[tuple[int, Outcome]] = []
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            target = self._make_target()
            try:
                self._run_jobs(target)
            finally:
                target.close()
                self._drop_driver()
        except BaseException as error:  # noqa: BLE001 - raised again by the caller of the thread
            self.fault = error

    def _run_jobs(self, target: Target) -> None:
        self._start_driver()
        while True:
            try:
                number, job = self._jobs.get_nowait()
            except queue.Empty:
                return
            outcome = self._perform(job, target)
            self.done.append((number, outcome))
            self._progress(outcome)

    def _perform(self, job: Job, target: Target) -> Outcome:
        missing = set(job.requirement.needs) - set(self.hello.get("capabilities", ()))
        if missing:
            return Outcome(job.requirement.id, job.label, "skipped", f"no {', '.join(missing)}")
        observer = Live()
        with tempfile.TemporaryDirectory(prefix="licet-conformance-") as folder:
            handle = DriverHandle(observer, self._driver or self._start_driver(), job.label)
            world = World(handle, target, Path(folder), observer, self._start_another)
            verdict, reason = judge(job.check, world)
            world.close()
            self._reset(handle, failed=verdict == "failed")
        seen = observer.observations
        return Outcome(job.requirement.id, job.label, verdict, reason, folder, seen)

    def _reset(self, handle: DriverHandle, *, failed: bool) -> None:
        if failed or handle.process is None:
            self._drop_driver()
            return
        try:
            handle.process.call("reset", {})
        except DriverFailedError:
            self._drop_driver()

    def _start_driver(self) -> DriverProcess:
        self._driver = DriverProcess(self._command)
        self.hello = self._driver.hello
        return self._driver

    def _start_another(self, environment: Mapping[str, str]) -> DriverProcess:
        return DriverProcess(self._command, environment)

    def _drop_driver(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with contextlib.suppress(DriverFailedError):
                driver.kill()


FAULTS = (AssertionError, DriverFailedError, LookupError, TypeError, ValueError)
"""What a check raises when an SDK, or its driver, does not do what it should."""


def judge(check: Check, world: World) -> tuple[str, str]:
    """Run a check; returns its verdict and the reason."""
    try:
        check(world)
    except UnsupportedError as reason:
        return "skipped", str(reason)
    except (
        AssertionError,
        DriverFailedError,
        KeyError,
        TypeError,
        ValueError,
        IndexError,
    ) as error:
        return "failed", f"{type(error).__name__}: {error}".removeprefix("AssertionError: ")
    return "passed", ""
