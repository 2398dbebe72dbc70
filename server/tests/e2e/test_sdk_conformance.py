"""The conformance suite of SDKs: the Python SDK against the running service."""

import sys

import pytest
from conformance.real import RealTarget
from conformance.report import as_text
from conformance.requirements import requirements
from conformance.run import run
from e2e.process import EMAIL, PASSWORD, Service

DRIVER = f"{sys.executable} -m conformance.drivers.python"
OFFLINE = {
    "clock", "hardware", "keys", "offline", "protected", "settings", "telemetry", "updates",
    "versions",
}  # fmt: skip


@pytest.mark.slow
def test_the_python_sdk_conforms_against_the_service(service: Service) -> None:
    chosen = [item for item in requirements() if item.capability not in OFFLINE]
    endpoint = f"{service.address}/api"
    report = run(DRIVER, chosen, lambda: RealTarget(endpoint, EMAIL, PASSWORD), workers=3)
    assert not report.failures, as_text(report, chosen)
    skipped = {item.id for item in chosen if report.verdict(item.id) == "skipped"}
    assert skipped == set()
