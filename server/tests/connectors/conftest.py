"""Fixtures of the tests of connectors."""

import pytest
from connectors.factories import Stall, open_stall
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform


@pytest.fixture(params=ConnectorKind)
async def stall(
    request: pytest.FixtureRequest, owner: Owner, platform: Platform, clock: FakeClock
) -> Stall:
    """A connector of each kind."""
    return await open_stall(owner, platform, clock, request.param)
