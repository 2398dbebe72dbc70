from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from examples import tryout
from examples.tests.kit import Copy, Fake, Running


@pytest.fixture
def fake() -> Iterator[Fake]:
    running = Fake()
    yield running
    running.close()


@pytest.fixture
def copy(fake: Fake, tmp_path: Path) -> Callable[..., Copy]:
    """Copies an example; ``terms`` replace those of its license.json."""

    def make(name: str, **terms: Any) -> Copy:
        issued = tryout.issue(fake.address, name, terms)
        folder = tmp_path / name
        tryout.copy(fake.address, name, folder, issued["licenseKey"])
        return Copy(fake, folder, issued["id"], issued["licenseKey"], tmp_path / "data")

    return make


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """Starts programs, which end with the test."""
    started: list[Running] = []

    def run(copy: Copy, *command: str) -> Running:
        started.append(Running(copy, *command))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            program.kill()
        program.end()
