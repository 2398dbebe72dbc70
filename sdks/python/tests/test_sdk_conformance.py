"""The conformance suite of SDKs against the Python SDK, and against broken drivers."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

from conformance.drivers.python import Driver
from conformance.report import as_json, as_page, as_text
from conformance.requirements import requirements, scenario_ids
from conformance.run import run
from conformance.selftest.mutations import MUTATIONS
from conformance.selftest.replay import catchers
from conformance.targets import FakeTarget
from conformance.vectors import checks_of, named_cases

ROOT = Path(__file__).resolve().parents[3]
DRIVER = f"{sys.executable} -m conformance.drivers.python"
KNOWN = {item.id: item for item in requirements()}


def test_the_python_sdk_conforms_and_broken_drivers_are_caught() -> None:
    """One run, since it takes a minute: the SDK, the recorded outcome, and the broken drivers."""
    report = run(DRIVER, requirements(), FakeTarget, workers=4)
    assert not report.failures, as_text(report, requirements())
    recorded = json.loads((ROOT / "conformance" / "results" / "python.json").read_text())
    assert recorded == as_json(report, requirements()), "run `make conformance`"
    caught = {name: catchers(report.outcomes, KNOWN, item) for name, item in MUTATIONS.items()}
    assert caught == {name: {name} for name in MUTATIONS}


def test_there_is_a_broken_driver_for_each_requirement() -> None:
    assert set(MUTATIONS) == set(KNOWN)


def test_the_driver_has_the_operations_of_the_protocol() -> None:
    text = (ROOT / "conformance" / "PROTOCOL.md").read_text().partition("## Operations")[2]
    documented = set(re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\|$", text, re.MULTILINE))
    methods = {name.removeprefix("op_") for name in vars(Driver) if name.startswith("op_")}
    assert methods == documented | {"create_client"}


def test_each_requirement_is_proven_once_by_each_case() -> None:
    proven = Counter(label for item in requirements() for label, _ in checks_of(list(item.vectors)))
    assert proven == Counter(label for label, _ in named_cases())
    assert scenario_ids() == {item.id for item in requirements() if not item.vectors}


def test_each_pattern_selects_a_case() -> None:
    patterns = [pattern for item in requirements() for pattern in item.vectors]
    assert [pattern for pattern in patterns if not checks_of([pattern])] == []


def test_the_page_is_generated_from_the_recorded_outcomes() -> None:
    results = sorted((ROOT / "conformance" / "results").glob("*.json"))
    page = as_page([json.loads(item.read_text()) for item in results], requirements())
    assert (ROOT / "docs" / "sdk-conformance.md").read_text() == page, "run `make conformance`"
