"""The market of the demonstration: the same each time, and one that grows."""

from collections import Counter
from datetime import date
from itertools import groupby

import pytest

from licet_server.demo.market import BUYERS, DAYS, history
from licet_server.demo.scenario import PLANS, STORIES

DAYS_OF_STARTS = (date(2026, 2, 1), date(2026, 8, 15), date(2028, 2, 29))


@pytest.mark.parametrize("today", DAYS_OF_STARTS, ids=str)
def test_a_market_of_two_years_grows_and_repeats_itself(today: date) -> None:
    found = history(today, PLANS)
    assert found == history(today, PLANS)
    paid = [event.day for event in found.events if event.change == "paid"]
    assert 0.8 * BUYERS < len(paid) < BUYERS, "some only try"
    assert min(paid) < 30 - DAYS
    assert max(paid) < 0
    assert sum(day > -DAYS / 2 for day in paid) > len(paid) / 2


@pytest.mark.parametrize("today", DAYS_OF_STARTS, ids=str)
def test_what_becomes_of_an_order_follows_its_sale(today: date) -> None:
    found = history(today, PLANS)
    by_order = sorted([*found.events, *STORIES], key=lambda event: (event.order, event.day))
    for order, events in groupby(by_order, key=lambda event: event.order):
        first, *others = events
        assert first.change == "paid", order
        assert all(event.change != "paid" for event in others), order
    changes = Counter(event.change for event in found.events)
    assert changes["renewed"] > 3 * changes["canceled"] > 0
    tried = Counter(lead.buyer.email for lead in found.leads)
    assert max(tried.values()) == 1, "customers who try are created once"
