"""The SDK in C of docs/write-your-own-sdk.md, which shares no code with the others."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conformance.report import as_text
from conformance.requirements import requirements
from conformance.run import run
from conformance.targets import FakeTarget

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "conformance" / "drivers" / "c"
PAGE = (ROOT / "docs" / "write-your-own-sdk.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver, compiled by the command of the page."""
    if shutil.which("gcc") is None:
        pytest.skip("not installed: gcc")
    probe = ["gcc", "-E", "-include", "openssl/core_names.h", "-x", "c", "/dev/null"]
    if subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("not installed: the headers of OpenSSL 3")
    command = re.search(r"^gcc .*$", PAGE, re.MULTILINE)
    assert command is not None
    made = tmp_path_factory.mktemp("c") / "driver"
    told = command[0].replace("/tmp/driver", str(made))
    ended = subprocess.run(
        told, shell=True, check=False, capture_output=True, text=True, cwd=ROOT
    )  # the shell expands *.c, as for a reader of the page
    assert (ended.returncode, ended.stderr) == (0, "")
    return made


def test_it_conforms_in_all_that_it_declares(driver: Path) -> None:
    report = run(str(driver), requirements(), FakeTarget, workers=4)
    declared = set(report.hello["capabilities"])
    meant = {item.id for item in requirements() if set(item.needs) <= declared}
    passed = {item.id for item in requirements() if report.verdict(item.id) == "passed"}
    assert not report.failures, as_text(report, requirements())
    assert passed == meant
    assert f"It passes {len(passed)} requirements" in PAGE
    assert {f"`{name}`" for name in declared} <= set(re.findall(r"`\w+`", PAGE))
