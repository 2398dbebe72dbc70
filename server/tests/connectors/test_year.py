"""A year of sales through the service ends the same, whether delivered well or badly."""

from collections.abc import Callable
from typing import Any

from connectors.simulation import BEGIN, customers
from connectors.year import begin_year
from testkit import FakeClock
from volumes import is_long

from licet_server.kit.platform import Platform

CUSTOMERS = 12 if is_long() else 6


async def test_year_has_the_same_result(
    new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    found = []
    for badly in (False, True):
        clock.now = BEGIN
        year = await begin_year(await new_owner(), platform, clock)
        found.append(await year.pass_with(customers(CUSTOMERS, seed=3), badly=badly))
        assert await year.failures() == []
    clean, bad = found
    assert bad == clean
    assert len(clean) == CUSTOMERS
    assert {status for status, _, _ in clean.values()} >= {"Fulfilled", "Canceled", "Refunded"}
    assert {problem for _, problem, _ in clean.values()} == {None}
