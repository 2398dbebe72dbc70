"""What `make advisories` reads from the reports: silence is never taken for good news."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_wheel import module_of

advisories = module_of(Path(__file__).parents[2] / ".ci" / "advisories.py")

CLEAN: dict[str, Any] = {"name": "a", "version": "1", "vulns": []}
BAD: dict[str, Any] = {
    "name": "b",
    "version": "2",
    "vulns": [{"id": "CVE-2026-1", "fix_versions": ["2.1"]}, {"id": "X-2", "fix_versions": []}],
}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found and could not be audited: c (3)"}
VIA = {"title": "Runs code", "severity": "high", "range": "<5"}


def pip(*packages: dict[str, Any]) -> Any:
    return advisories.read_pip_audit(json.dumps({"dependencies": packages, "fixes": []}))


def npm(vulnerabilities: dict[str, Any]) -> Any:
    report = {
        "auditReportVersion": 2,
        "vulnerabilities": vulnerabilities,
        "metadata": {"dependencies": {"total": 400}},
    }
    return advisories.read_npm_audit(json.dumps(report))


def test_what_is_known_is_named() -> None:
    found = pip(CLEAN, BAD)
    assert (found.examined, found.missing) == (2, None)
    assert found.advisories == [
        "b 2: CVE-2026-1, fixed in 2.1",
        "b 2: X-2, fixed in no version yet",
    ]
    found = npm({"vite": {"via": [VIA, "esbuild"]}, "esbuild": {"via": ["vite"]}})
    assert found.advisories == ["vite <5: Runs code (high)"]
    assert advisories.exit_code([pip(CLEAN), found]) == 1


def test_nothing_known_is_success_only_with_data_about_everything() -> None:
    assert advisories.exit_code([pip(CLEAN), npm({})]) == 0
    partial = pip(CLEAN, SKIPPED)
    assert (partial.examined, partial.missing) == (1, "no data about 1: c")
    assert advisories.exit_code([partial, npm({})]) == 2


@pytest.mark.parametrize("report", ["", "no json", "[]", "{}", '{"error": {"summary": ""}}'])
def test_no_answer_is_no_good_news(report: str) -> None:
    for found in (advisories.read_pip_audit(report), advisories.read_npm_audit(report)):
        assert found.missing
        assert advisories.exit_code([found]) == 2
    assert pip(SKIPPED).missing == "no data from the advisory database"
