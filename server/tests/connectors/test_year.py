"""A year of sales ends the same, delivered badly in real time, or well on test clocks."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from connectors.shops import Shop
from connectors.simulation import BEGIN, END, customers
from connectors.year import begin_year, begin_year_on_clocks
from testkit import FakeClock
from volumes import is_long

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

CUSTOMERS = 12 if is_long() else 6


def buyers() -> list[Shop]:
    """Those of a year, and one who stops paying at its end, whom nothing but time suspends."""
    late = END - timedelta(days=38)
    behind = Shop(ConnectorKind.GENERIC, "behind", "behind@example.com", late)
    behind.buy()
    behind.fail()
    return [*customers(CUSTOMERS, seed=3), behind]


async def test_year_has_the_same_result(
    new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    clock.now = BEGIN
    of_tests = await begin_year_on_clocks(await new_owner(), platform, clock)
    clean = await of_tests.pass_with(buyers(), badly=False)
    assert await of_tests.failures() == []
    assert clock.now == BEGIN
    year = await begin_year(await new_owner(), platform, clock)
    bad = await year.pass_with(buyers(), badly=True)
    assert await year.failures() == []
    assert bad == clean
    assert len(clean) == CUSTOMERS + 1
    assert "Suspended" in str(clean["behind"])
    assert {status for status, _, _ in clean.values()} >= {"Fulfilled", "Canceled", "Refunded"}
    assert {problem for _, problem, _ in clean.values()} == {None}
