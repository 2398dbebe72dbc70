"""Asks the advisory databases about every pinned package: Python's, the dashboard's, .NET's tools.

Exits with 0 if nothing is known, 1 if there are advisories, and 2 if an answer is missing, which is
no good news: no data came, or some packages were left out.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK_FILES = ("run.txt", "dev.txt", "docs.txt", "examples.txt", "dotnet.txt")
NPM_FOLDERS = ("dashboard", "sdks/dotnet/toolchain", "server/tests/dashboard/chromium-package")
TIMEOUT_S = 300


@dataclass(frozen=True)
class Finding:
    """What a database said of some packages; `missing` says why it said nothing of others."""

    examined: int = 0
    advisories: list[str] = field(default_factory=list)
    missing: str | None = None


def read_pip_audit(report: str) -> Finding:
    """Read the JSON report of pip-audit. It leaves out what the database did not answer about."""
    try:
        packages = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Finding(missing="no data from the advisory database")
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    examined = len(packages) - len(skipped)
    advisories = [
        f"{package['name']} {package['version']}: {found['id']}, "
        f"fixed in {', '.join(found['fix_versions']) or 'no version yet'}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    if examined == 0:
        return Finding(missing="no data from the advisory database")
    missing = f"no data about {len(skipped)}: {', '.join(skipped)}" if skipped else None
    return Finding(examined, advisories, missing)


def read_npm_audit(report: str) -> Finding:
    """Read the JSON report of `npm audit`, which is an error object if there is no answer."""
    try:
        given: dict[str, Any] = json.loads(report)
        found = given["vulnerabilities"]
        examined = int(given["metadata"]["dependencies"]["total"])
    except (ValueError, KeyError, TypeError):
        return Finding(missing="no data from the advisory database")
    return Finding(examined, list(_npm_advisories(found)))


def _npm_advisories(found: dict[str, Any]) -> Iterator[str]:
    for name, package in sorted(found.items()):
        sources = [via for via in package["via"] if isinstance(via, dict)]
        for via in sources:
            yield f"{name} {via['range']}: {via['title']} ({via['severity']})"


def _pip_audit(lock_file: str) -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
        options = ["--progress-spinner=off", "--format=json", f"--output={report}"]
        source = f"--requirement={ROOT / 'requirements' / lock_file}"
        _run([*command, *options, source], ROOT)
        return read_pip_audit(report.read_text() if report.exists() else "")


def _npm_audit(folder: str) -> Finding:
    return read_npm_audit(_run(["npm", "audit", "--json"], ROOT / folder))


def _run(command: list[str], folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    try:
        ended = subprocess.run(  # noqa: S603 - commands of this file
            command,
            check=False,
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout


def exit_code(findings: list[Finding]) -> int:
    """1 if there are advisories, else 2 if data is missing, else 0."""
    if any(finding.advisories for finding in findings):
        return 1
    return 2 if any(finding.missing for finding in findings) else 0


def main() -> int:
    """Ask about every lock file, and print what was said."""
    findings = {f"requirements/{name}": _pip_audit(name) for name in LOCK_FILES}
    findings |= {f"{folder}/package-lock.json": _npm_audit(folder) for folder in NPM_FOLDERS}
    for name, finding in findings.items():
        print(f"{name}: {len(finding.advisories)} advisories for {finding.examined} packages")
        for line in finding.advisories:
            print(f"  {line}")
        if finding.missing:
            print(f"  NOT CHECKED: {finding.missing}. This says nothing about safety.")
    return exit_code(list(findings.values()))


if __name__ == "__main__":
    sys.exit(main())
