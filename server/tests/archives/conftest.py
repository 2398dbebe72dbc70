"""An application on a database of its own: archiving concerns every institution of a database."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from licenses.factories import make_product, product_key
from metering.factories import MeterShop
from sessions.factories import SessionShop
from testkit import FakeClock, Owner, running, settings_for

from licet_server.app import Application
from licet_server.kit.passwords import Passwords


@pytest.fixture(scope="module")
async def shared_application(
    new_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    shared_clock: FakeClock,
    fast_passwords: Passwords,
) -> AsyncIterator[Application]:
    settings = settings_for(new_database(), tmp_path_factory.mktemp("data"))
    async with running(settings, shared_clock, fast_passwords) as app:
        yield app


@pytest.fixture
async def shop(owner: Owner) -> MeterShop:
    product = await make_product(owner)
    return MeterShop(owner, product, {"X-API-KEY": await product_key(owner, product)})


@pytest.fixture
async def past(shop: MeterShop, clock: FakeClock) -> dict[str, dict[str, Any]]:
    """Licenses with charges, refusals, ended sessions and access attempts, over a few days."""
    metered = [await shop.issue("MeteredCount", initialMeterBalance=20) for _ in range(2)]
    floating = await shop.issue("Floating", expirationDate=None)
    bound = await shop.issue("NodeLocked")
    await shop.validate(bound, "machine-1")
    sessions = SessionShop(shop.owner, shop.product, shop.key)
    for day in range(3):
        for license_ in metered:
            await shop.consumed(license_, quantity=2)
            await shop.consumed(license_, "scan", quantity=1)
        answer = await shop.consume(metered[0], quantity=900, idempotencyKey=f"much-{day}")
        assert answer.status_code == 402
        await shop.grant(metered[0], 3)
        session = await sessions.connected(floating)
        await shop.validate(bound, f"stranger-{day}")
        clock.advance(seconds=20)
        await sessions.disconnect(session)
        clock.advance(hours=20)
        await shop.owner.sign_in()
    return {"metered": metered[0], "second": metered[1], "floating": floating, "bound": bound}
