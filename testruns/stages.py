"""The stages of each run; CONTRIBUTING.md says what each run proves."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testruns.lanes import Stage
from testruns.outcomes import OPTION

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "testruns.outcomes"]
CORES = max(2, min(len(os.sched_getaffinity(0)), 4))
"""More are seldom there for one run, even where a container shows the cores of its host."""

_BROWSERS = ["server/tests/dashboard", "examples/tests/test_web_page.py"]
_PROCESSES = [
    *(f"server/tests/{name}" for name in ("e2e", "kit/backups", "kit/postgres")),
    *(f"server/tests/test_{name}.py" for name in ("benchmarks", "dashboard_size", "wheel")),
    "examples/tests",
]
"""They start processes and wait for them, or need what another stage builds."""
_PARTITIONED = [
    f"server/tests/{name}.py"
    for name in (
        *("audit/test_chain", "catalog/test_products", "devices/test_activations"),
        *("licenses/test_issue", "licenses/test_receivers", "metering/test_consume"),
        *("sessions/test_connect", "sessions/test_heartbeats", "test_fast_path"),
        *("validation/test_validate", "webhooks/test_claims"),
    )
]
"""The busiest routes."""


@dataclass(frozen=True)
class PytestStage:
    """A stage whose tests are known one by one."""

    name: str
    paths: Sequence[str]
    processes: int
    spread: str = "worksteal"
    options: Sequence[str] = ()
    """Of a second try as well."""
    choice: Sequence[str] = ()
    needs: Sequence[str] = ()

    def stage(self, folder: Path) -> Stage:
        spread = ["-n", str(self.processes), "--dist", self.spread]
        command = self._command(self.name, folder, [*spread, *self.choice, *self.paths])
        return Stage(self.name, command, self.needs)

    def second_try(self, folder: Path, tests: Sequence[str]) -> Stage:
        """Return the stage that runs these tests in one process."""
        name = f"{self.name}-again"
        return Stage(name, self._command(name, folder, ["-n", "0", *tests]))

    def _command(self, name: str, folder: Path, rest: Sequence[str]) -> list[str]:
        return [*PYTEST, OPTION, str(outcomes_file(folder, name)), *self.options, *rest]


def outcomes_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.jsonl"


def _make(name: str, *targets: str, needs: Sequence[str] = ()) -> Stage:
    return Stage(name, ["make", "--no-print-directory", *targets], needs)


_SERVER = PytestStage(
    "server",
    ["server/tests"],
    CORES + 1,  # a test often waits for its database
    choice=[f"--ignore={path}" for path in (*_BROWSERS, *_PROCESSES)],
)
_PYTHON = PytestStage("python", ["sdks/python/tests"], CORES)
_WITHOUT_BROWSERS = [f"--ignore={path}" for path in _BROWSERS]
_ON_PARTITIONS = ["--partitions"]
_FIRST_CASES = PytestStage(
    "partitions", _PARTITIONED, 1, options=_ON_PARTITIONS, choice=["--first-cases"]
)
_ALL_CASES = PytestStage("partitions", _PARTITIONED, 2, options=_ON_PARTITIONS)
_ALL_ON_PARTITIONS = PytestStage(
    "partitions",
    ["server/tests", "sdks/python/tests", "examples/tests"],
    CORES,
    options=_ON_PARTITIONS,
    choice=_WITHOUT_BROWSERS,
)

Lane = Sequence[Stage | PytestStage]


def _lanes(partitions: PytestStage) -> list[Lane]:
    """One lane computes, and the other one mostly waits."""
    computes: Lane = [
        _SERVER,
        PytestStage("browsers", _BROWSERS, CORES + 1, spread="loadfile", needs=["dashboard"]),
        _PYTHON,
    ]
    waits: Lane = [
        _make("dashboard", "dashboard"),
        _make("sdks", "sdk-tests", "dotnet"),
        PytestStage(
            "processes",
            _PROCESSES,
            2,
            choice=_WITHOUT_BROWSERS,
            needs=["dashboard", "sdks"],
        ),
        partitions,
        _make("typescript", "test-typescript"),
        _make("dotnet", "test-dotnet"),
        _make("docs", "docs"),
    ]
    return [computes, waits]


RUNS: dict[str, list[Lane]] = {
    "test": _lanes(_FIRST_CASES),
    "test-all": _lanes(_ALL_CASES),
    "test-partitions": [[_ALL_ON_PARTITIONS]],
}
LONG = "test-all"
