"""`issuedTo` as an id: only of users whom the institution knows, and nothing told of others."""

from collections.abc import Callable
from typing import Any

import pytest
from licenses.factories import license_body
from testkit import Owner
from world import World

from licet_server.identity.rules.memberships import Role

NOBODY = "01900000-0000-7000-8000-000000000000"


async def test_users_of_others_look_like_nobody(world: World, stranger: Owner) -> None:
    answers = [
        await world.owner.send(
            "POST", "/api/licenses", license_body(world.product, issuedTo=user_id)
        )
        for user_id in (stranger.user_id, NOBODY)
    ]
    told = [(item.status_code, item.json()["detail"], item.json()["errors"]) for item in answers]
    assert told[0] == told[1]
    assert told[0][0] == 400
    assert told[0][2][0]["field"] == "issuedTo"
    made = await world.issue()
    change = {"issuedTo": stranger.user_id}
    assert (await world.owner.send("PUT", f"/api/licenses/{made['id']}", change)).status_code == 400


@pytest.mark.parametrize("known_as", ["member", "end user"])
async def test_members_and_end_users_may_be_named_by_id(
    world: World, new_owner: Callable[..., Any], known_as: str
) -> None:
    other = await new_owner("Other")
    if known_as == "member":
        await world.join(other, Role.VIEWER)
    else:
        await world.issue(issuedTo=other.email.upper())
    assert (await world.issue(issuedTo=other.user_id))["issuedTo"] == other.user_id
