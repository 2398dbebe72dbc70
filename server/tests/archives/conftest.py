"""An application on a database of its own: archiving concerns every institution of a database."""

from typing import Any

import pytest
from world import World

from licet_server.app import Application


@pytest.fixture(scope="module")
def shared_application(module_application: Application) -> Application:
    return module_application


@pytest.fixture
async def past(world: World) -> dict[str, dict[str, Any]]:
    """Licenses with charges, refusals, ended sessions and access attempts, over a few days."""
    metered = [await world.issue("MeteredCount", initialMeterBalance=20) for _ in range(2)]
    floating = await world.issue("Floating", expirationDate=None)
    bound = await world.issue("NodeLocked")
    await world.validate(bound, "machine-1")
    for day in range(3):
        for license_ in metered:
            await world.consumed(license_, quantity=2)
            await world.consumed(license_, "scan", quantity=1)
        answer = await world.consume(metered[0], quantity=900, idempotencyKey=f"much-{day}")
        assert answer.status_code == 402
        await world.grant(metered[0], 3)
        session = await world.connected(floating)
        await world.validate(bound, f"stranger-{day}")
        world.clock.advance(seconds=20)
        await world.disconnect(session)
        world.clock.advance(hours=20)
        await world.owner.sign_in()
    return {"metered": metered[0], "second": metered[1], "floating": floating, "bound": bound}
