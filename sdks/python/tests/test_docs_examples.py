"""Run the examples of docs/testing-your-application.md and of the docstrings."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

from licet.testing import FakeServer

MODULES = (
    "licet",
    "licet._license_models",
    "licet._metering",
    "licet._model",
    "licet._reserved_credits",
    "licet._session",
    "licet._watch",
    "licet.openfeature",
    "licet.testing",
)
EXAMPLES = (
    "licet",
    "licet._license_models.LicenseType",
    "licet._metering.Consumption",
    "licet._model.LicenseResult",
    "licet._reserved_credits.ReservedCredits",
    "licet._session.Session",
    "licet._watch.Watch",
    "licet.openfeature",
    "licet.testing",
)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "testing-your-application.md"


def test_the_examples_pass(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    code = "\n".join(blocks)
    (tmp_path / "test_examples.py").write_text(code)
    tests = len(re.findall(r"^def test_", code, re.MULTILINE))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_examples.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert f"{tests} passed" in run.stdout
    assert tests >= 15


def test_the_examples_in_docstrings_run(tmp_path: Path) -> None:
    found: list[str] = []
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for module in map(importlib.import_module, MODULES):
        for example in finder.find(module):
            if example.examples:
                found.append(example.name)
                run_example(example, runner, tmp_path / str(len(found)))
    assert runner.summarize().failed == 0
    assert sorted(found) == sorted(EXAMPLES)


def run_example(example: doctest.DocTest, runner: doctest.DocTestRunner, folder: Path) -> None:
    server = FakeServer()
    issued = {
        "client": server.issue("Subscription", features={"export": True, "projects": 5}),
        "metered": server.issue(
            "MeteredCount", initial_meter_balance=10, max_borrow_days=30, max_offline_credits=5
        ),
        "floating": server.issue("Floating", seats=2),
    }
    clients = {name: server.client(issued[name], folder=folder / name) for name in issued}
    options = server.options(issued["client"], folder=folder / "options")
    given = {"server": server, "tmp_path": folder, **clients}
    example.globs |= {**given, "options": {**options, "transport": server.transport}}
    runner.run(example)
    for client in clients.values():
        client.close()
