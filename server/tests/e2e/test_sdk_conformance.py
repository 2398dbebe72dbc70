"""The conformance suite of SDKs, against the running service."""

import sys
from pathlib import Path

import pytest
from conformance.real import RealTarget
from conformance.report import as_text
from conformance.requirements import requirements
from conformance.run import run
from e2e.process import EMAIL, PASSWORD, Service

ROOT = Path(__file__).resolve().parents[3]
DOTNET = ".venv/lib/python3*/site-packages/dnv/net/runtime/.net/dotnet"
DOTNET_DRIVER = ROOT / ".venv/dotnet/Licet.Driver.dll"
# Receipts compared with the request.
NOT_YET = {"python": {"LIC-MET-006"}}
OFFLINE = {
    "clock", "hardware", "keys", "offline", "protected", "settings", "telemetry", "updates",
    "versions",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "dotnet"])
def test_the_sdks_conform_against_the_service(service: Service, language: str) -> None:
    chosen = [item for item in requirements() if item.capability not in OFFLINE]
    endpoint, driver = f"{service.address}/api", driver_of(language)
    report = run(driver, chosen, lambda: RealTarget(endpoint, EMAIL, PASSWORD), workers=3)
    failed = {item.requirement for item in report.failures}
    assert failed <= NOT_YET.get(language, set()), as_text(report, chosen)
    skipped = {item.id for item in chosen if report.verdict(item.id) == "skipped"}
    assert skipped == set()


def driver_of(language: str) -> str:
    if language == "python":
        return f"{sys.executable} -m conformance.drivers.python"
    runtime = next(ROOT.glob(DOTNET), None)
    if runtime is None or not DOTNET_DRIVER.exists():
        pytest.skip("the .NET SDK is not compiled: run `make dotnet`")
    return f"{runtime} {DOTNET_DRIVER}"
