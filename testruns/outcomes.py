"""What became of each test: a plugin of pytest writes it to a file, line by line, as it happens.

A run that is killed, or whose processes crash, so leaves what it knew. `read` finds tests that
were collected and never ran.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

OPTION = "--outcomes"
_BADNESS = ["skipped", "passed", "failed"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, metavar="FILE", help="write what becomes of each test to this file")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption(OPTION)
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Writer(Path(path)))


class Writer:
    """Hears of all tests in the process that distributes them."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", buffering=1)
        self._collected: Sequence[str] = ()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._note_collected([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: Sequence[str]) -> None:
        self._note_collected(ids)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write(test=report.nodeid, outcome="failed", cause=_cause(report), when="collect")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A process that crashes has reported no phase: then `when` is neither of the three.
        if report.when not in {"setup", "teardown"} or not report.passed:
            self._write(test=report.nodeid, outcome=report.outcome, cause=_cause(report))

    def pytest_unconfigure(self) -> None:
        self._file.close()

    def _note_collected(self, ids: Sequence[str]) -> None:
        if ids and not self._collected:
            self._collected = ids
            self._write(collected=list(ids))

    def _write(self, **line: object) -> None:
        self._file.write(json.dumps(line) + "\n")


def _cause(report: pytest.CollectReport | pytest.TestReport) -> str:
    """Return the line of a failure that says most."""
    if not report.failed:
        return ""
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    said = crash.message if crash is not None else report.longreprtext.strip()
    lines: list[str] = said.splitlines() or [""]
    return lines[0] if crash is not None else lines[-1]


@dataclass
class Outcomes:
    """What is known of the tests of a run, ended or not."""

    collected: list[str] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    """The worst that each test went through: skipped, passed or failed."""
    causes: dict[str, str] = field(default_factory=dict)
    """Of those that failed, the first line of the failure."""
    unread: list[str] = field(default_factory=list)
    """Files whose tests are not known, since they could not be imported."""

    @property
    def failed(self) -> list[str]:
        return [test for test, outcome in self.seen.items() if outcome == "failed"]

    @property
    def never_ran(self) -> list[str]:
        return [test for test in self.collected if test not in self.seen]

    def count(self, outcome: str) -> int:
        return sum(found == outcome for found in self.seen.values())


def read(path: Path) -> Outcomes:
    """Return what a run has written so far."""
    found = Outcomes()
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    for line in map(json.loads, (line for line in lines if line.endswith("\n"))):
        if "collected" in line:
            found.collected = line["collected"]
            continue
        test, outcome = line["test"], line["outcome"]
        found.seen[test] = max(found.seen.get(test, outcome), outcome, key=_BADNESS.index)
        if outcome == "failed":
            found.causes.setdefault(test, line["cause"])
        if line.get("when") == "collect" and test not in found.unread:
            found.unread.append(test)
    return found
