"""Rounds of `make drill-failover`: the primary loses its power, and the standby takes over."""

import asyncio
from collections.abc import Iterator

import pytest
from drills.cluster import PROGRAMS
from drills.failover import FREEZE, POWER, disrupt
from drills.installation import Installation, running_installation
from drills.network import Loopback
from outside_programs import required
from volumes import is_long

pytestmark = required(*PROGRAMS)


@pytest.fixture
def installation() -> Iterator[Installation]:
    with running_installation(Loopback()) as running:
        yield running


def test_the_power_of_the_primary_fails(installation: Installation) -> None:
    disruptions = [POWER, FREEZE] if is_long() else [POWER]
    result = asyncio.run(disrupt(installation, disruptions))
    for cut in result.rounds:
        print(f"{cut.disruption}: the standby took over after {cut.takeover_s:.1f} s")
    assert {item.kind: (item.lost, item.doubled) for item in result.comparisons} == {
        "consume": (0, 0),
        "connect": (0, 0),
        "issue": (0, 0),
        "wallets": (0, 0),
    }
    assert result.books.responses["503"], "the failure was felt"
