"""How many statements connecting costs."""

import pytest
from statements import sent_statements
from world import World


@pytest.mark.undivided
@pytest.mark.parametrize(("instance", "number"), [("another", 6), ("first", 7)])
async def test_a_connect_costs_six_statements_and_one_more_if_it_replaces_a_session(
    world: World, instance: str, number: int
) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=40)
    for _ in range(2):  # which ends a session, and leaves slots to be claimed
        await world.connected(made, "machine-1", instanceId="first")
    for n in range(8):
        await world.connected(made, f"crowd-{n}")
    with sent_statements() as sent:
        await world.connected(made, "machine-1", instanceId=instance)
    assert len(sent) == number
