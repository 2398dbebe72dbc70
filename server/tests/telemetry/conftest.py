"""Fixtures of the tests of telemetry."""

import pytest
from telemetry.factories import TelemetryVendor, open_telemetry_vendor
from testkit import Owner


@pytest.fixture
async def vendor(owner: Owner) -> TelemetryVendor:
    return await open_telemetry_vendor(owner)
