"""Searches, lists and look-ups, sales and activations send statements that were built before."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from connectors.factories import open_stall
from sqlalchemy import Engine, event
from testkit import FakeClock, Owner
from world import World

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.events.storage.recording import lock_undispatched, mark_dispatched
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.worker import SUBSCRIBERS, dispatch_events


@contextmanager
def executed() -> Iterator[list[Any]]:
    """Collect the statements that run while the block does, as the objects that they are."""
    run: list[Any] = []

    def note(_connection: Any, statement: Any, *_: Any) -> None:
        run.append(statement)

    event.listen(Engine, "before_execute", note)
    try:
        yield run
    finally:
        event.remove(Engine, "before_execute", note)


SEARCHES = [("Spring", "Winter"), ("two words", "five words"), ("1.2.3", "9.9"), ("QQQQ", "ZZZZ")]
LISTS = [
    ("", ""),
    ("page=2&sort=licenseName", "page=3&sort=licenseName"),
    ("status=Active", "status=Active&pageSize=3"),
    ("search=spring&type=Trial", "search=winter&type=Trial"),
    ("issuedTo=a%40example.com", "issuedTo=b%40example.com"),
    ("expiringBefore=2031-01-01T00:00:00Z", "expiringBefore=2032-01-01T00:00:00Z"),
    ("after=", "after=01900000-0000-7000-8000-000000000001"),
    ("search=spring&after=", "search=winter&after=01900000-0000-7000-8000-000000000001"),
]


@pytest.mark.parametrize(("first", "second"), SEARCHES)
async def test_a_search_builds_nothing_again(world: World, first: str, second: str) -> None:
    await world.issue()
    await _require_kept(world, f"/api/search?q={first}", f"/api/search?q={second}")


@pytest.mark.parametrize(("first", "second"), LISTS)
async def test_a_list_of_licenses_builds_nothing_again(
    world: World, first: str, second: str
) -> None:
    await world.issue()
    await _require_kept(world, f"/api/licenses?{first}", f"/api/licenses?{second}")


async def test_other_lists_and_look_ups_build_nothing_again(world: World, clock: FakeClock) -> None:
    owner, product = world.owner, world.product["id"]
    made = await world.issue("Concurrent")
    [customer] = (await owner.ok("GET", "/api/customers"))["items"]
    [release] = (await owner.ok("GET", f"/api/products/{product}/releases"))["items"]
    body = {"productId": product, "name": "Site", "type": "Perpetual"}
    policy = await owner.ok("POST", "/api/policies", body)
    await world.activate(made, "machine-1")
    license_ = made["id"]
    # What the activation leaves to be stored is stored now, and not during a request below.
    await owner.ok("GET", f"/api/licenses/{license_}/requests")
    for path in (
        "/api/products?search=a",
        f"/api/products/{product}",
        f"/api/products/{product}/releases",
        f"/api/products/{product}/features",
        f"/api/products/{product}/entitlement-sets",
        f"/api/releases/{release['id']}",
        f"/api/releases/{release['id']}/files",
        "/api/customers",
        "/api/customers?search=a",
        f"/api/customers/{customer['id']}",
        f"/api/customers/{customer['id']}/events",
        "/api/policies",
        f"/api/policies/{policy['id']}",
        f"/api/licenses/{license_}",
        f"/api/licenses/{license_}/activations",
        f"/api/licenses/{license_}/access-attempts",
        f"/api/licenses/{license_}/events",
        f"/api/institutions/{owner.institution_id}/home",
        f"/api/institutions/{owner.institution_id}/audit?kind=license.*",
        f"/api/institutions/{owner.institution_id}/invitations",
        "/api/api-keys",
        "/api/orders",
        "/api/webhooks",
        "/api/views",
        "/api/notifications",
        "/api/institutions",
    ):
        clock.advance(seconds=1)
        await _require_kept(world, path, path)


async def test_the_home_of_a_system_admin_builds_nothing_again(admin: Owner) -> None:
    looks: list[dict[str, set[int]]] = []
    kept: list[Any] = []  # an object that is gone may leave its id to another
    for _ in range(4):
        with executed() as run:
            await admin.ok("GET", f"/api/institutions/{admin.institution_id}/home")
        kept += run
        # What waits somewhere is asked of as many institutions as other tests have made.
        texts = {text for text in map(str, run) if "POSTCOMPILE" not in text}
        looks.append({text: {id(one) for one in run if str(one) == text} for text in texts})
    # What other tests do meanwhile may ask with a statement that another place keeps too.
    everywhere = set.intersection(*(set(look) for look in looks))
    assert everywhere
    never_kept = [
        text for text in everywhere if not set.intersection(*(look[text] for look in looks))
    ]
    assert never_kept == []


async def test_a_sale_builds_nothing_again(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)

    async def sell() -> None:
        shop = stall.shop()
        shop.buy()
        await stall.deliver(*shop.sent)
        await stall.work_off()

    await stall.work_off()  # what other tests have left
    await _require_built_once(sell, sell)
    assert [item["status"] for item in await stall.orders()] == ["Fulfilled", "Fulfilled"]


async def test_to_dispatch_events_builds_nothing_again(world: World, platform: Platform) -> None:
    await dispatch_events(platform)  # what other tests have left

    async def dispatch() -> None:
        await world.issue()
        async with platform.unit_of_work(Origin()) as work:
            events = await lock_undispatched(work.db, 1000)
            own = [
                item for item in events if str(item.institution_id) == world.owner.institution_id
            ]
            for subscriber in SUBSCRIBERS:
                await subscriber(work, own)
            await mark_dispatched(work.db, own)
        assert own

    await _require_built_once(dispatch, dispatch)


async def test_an_activation_builds_nothing_again(world: World) -> None:
    made = [await world.issue("Concurrent"), await world.issue("Concurrent")]
    first, second = (partial(world.activate, item, "machine-1") for item in made)
    await _require_built_once(first, second)


async def _require_kept(world: World, first: str, second: str) -> None:
    asked = (partial(world.owner.ok, "GET", path) for path in (first, second))
    await _require_built_once(*asked)


async def _require_built_once(
    first: Callable[[], Awaitable[object]], second: Callable[[], Awaitable[object]]
) -> None:
    with executed() as built:
        await first()
    with executed() as run:
        await second()
    assert run
    known = {id(statement) for statement in built}
    assert [str(item) for item in run if id(item) not in known] == []
