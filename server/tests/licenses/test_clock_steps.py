"""However a test clock gets to an instant, the same has happened to its product by then."""

import asyncio
import signal
from collections import Counter
from typing import Any

import pytest
from e2e.forked import Forked
from hypothesis import given
from hypothesis import strategies as st
from licenses import advanced
from licenses.advanced import MOMENTS
from licenses.clocks import Clocked
from patience import PATIENCE_S, until_found
from statements import sent_statements
from testkit import FakeClock, Owner
from world import World

from licet_server.catalog.service.clocks import advance_clocks
from licet_server.kit.platform import Platform
from licet_server.worker import TIMED

END = "2030-06-01T00:00:00Z"
DAYS = 137
"""From the start of the clock to a little before `END`."""


async def filled(owner: Owner, platform: Platform, clock: FakeClock, name: str) -> Clocked:
    """A product with something due in each way: terms, a grace, a fallback, and sessions."""
    clocked = await Clocked.of(owner, platform, clock, name)
    await clocked.issue("Trial", expirationDate="2030-01-20T06:00:00Z")
    await clocked.issue("Subscription", expirationDate="2030-03-01T00:00:00Z", graceDays=5)
    floating = await clocked.issue("Floating", expirationDate="2030-05-01T00:00:00Z")
    for number in range(2):
        await clocked.connected(floating, f"machine-{number}")
    return clocked


def happened(told: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What time made due, without order where several things were due at one instant."""
    return sorted(item for item in told if item[1].startswith(("license.exp", "session.ended")))


async def test_one_step_is_many(owner: Owner, platform: Platform, clock: FakeClock) -> None:
    whole = await filled(owner, platform, clock, "Whole")
    await whole.advance(to=END)
    expected = happened(await whole.told())
    kinds = Counter(kind for _, kind in expected)
    assert (kinds["license.expired"], kinds["session.ended"]) == (3, 2), kinds
    stepped = await filled(owner, platform, clock, "Stepped")
    for days in (1, 4, 1, 39, 1, 1, 3, 60, 26):
        await stepped.advance(days=days)
        await advance_clocks(platform, TIMED)  # again, which is harmless
    await stepped.advance(to=END)
    assert happened(await stepped.told()) == expected
    to_each = await filled(owner, platform, clock, "From event to event")
    while (before := await to_each.stands())["now"] < END:
        if (await to_each.advance(until="NextEvent"))["now"] == before["now"]:
            break
    assert happened(await to_each.told()) == expected


@given(st.lists(st.integers(1, DAYS), min_size=1, max_size=6))
def test_every_way_of_going_visits_what_is_due(steps: list[int]) -> None:
    from datetime import UTC, datetime, timedelta

    from licet_server.catalog.rules.clocks import ClockStatus, ProductClock, advanced, moved

    start = datetime(2030, 1, 15, 12, tzinfo=UTC)
    dues = [start + timedelta(hours=hours) for hours in (1, 30, 31, 700, 2_000)]
    clock = ProductClock(
        institution_id=Any,  # type: ignore[arg-type]
        id=Any,  # type: ignore[arg-type]
        product_id=Any,  # type: ignore[arg-type]
        now=start,
        target=None,
        status=ClockStatus.READY,
        created_at=start,
        updated_at=start,
    )
    visited = []
    for days in steps:
        clock = advanced(clock, clock.now + timedelta(days=days))
        while clock.status is ClockStatus.ADVANCING:
            visited.append(clock.now)
            due = min((at for at in dues if at > clock.now), default=None)
            before, clock = clock, moved(clock, due)
            assert clock.now >= before.now
    assert [at for at in dict.fromkeys(visited) if at in dues] == [
        at for at in dues if at <= clock.now
    ]
    assert clock.now == start + timedelta(days=sum(steps))


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_clock_goes_on_after_a_kill(
    owner: Owner, platform: Platform, clock: FakeClock, moment: str
) -> None:
    untouched = await filled(owner, platform, clock, "Untouched")
    await untouched.advance(to=END)
    killed = await filled(owner, platform, clock, "Killed")
    await owner.ok("POST", f"{killed.path}/advance", {"to": END})
    settings, now = platform.settings, clock.now.isoformat()
    given_to = [str(settings.database_url), str(settings.data_dir), now, moment]
    said = settings.data_dir / "said.txt"
    process = Forked(advanced.main, *given_to, variables={}, output=said)
    ended = await asyncio.to_thread(process.wait, PATIENCE_S)
    assert ended == -signal.SIGKILL, said.read_text()
    assert (await killed.stands())["status"] == "Advancing"

    async def arrived() -> dict[str, Any] | None:
        await advance_clocks(platform, TIMED)
        stands = await killed.stands()
        return stands if stands["status"] == "Ready" else None

    assert (await until_found(arrived))["now"] == END  # the dead process may hold its lock a while
    assert happened(await killed.told()) == happened(await untouched.told())


async def test_live_products_pay_for_no_clock(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=5)
    metered = await world.issue("MeteredCount")
    session = await world.connected(made)
    clocks = "test_clocks"
    with sent_statements() as sent:
        await world.validate(made, "machine-1")
        await world.connected(made)
        await world.heartbeat(session)
        await world.consumed(metered)
        await world.activate(made, "machine-1")
    assert sent
    assert [text for text in sent if clocks in text and "CASE WHEN" not in text] == []
