"""An API key does what its maker may, and ends with their membership."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import join
from institutions.members import outcome
from institutions.test_api_keys import FORBIDDEN, PATH, UNAUTHORIZED, make_key, use
from sqlalchemy import text
from testkit import Owner
from world import World

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


async def test_user_who_rotates_a_key_becomes_its_maker(
    world: World, new_owner: Callable[..., Any]
) -> None:
    admin = await new_owner("Admin")
    await world.join(admin, Role.ADMIN)
    key = await make_key(world.owner)
    fresh = await admin.ok("POST", f"{PATH}/{key['id']}/rotate")
    path, change = f"/api/products/{world.product['id']}", {"description": "By a key"}
    assert (await use(world.owner.client, fresh["secret"], "PUT", path, change)).is_success
    # It does no more than the Admin, though an Owner created it.
    members = f"/api/institutions/{world.owner.institution_id}/members/{admin.user_id}"
    await world.owner.ok("PUT", members, {"role": "Viewer"})
    assert outcome(await use(world.owner.client, fresh["secret"], "PUT", path, change)) == FORBIDDEN
    assert (await use(world.owner.client, fresh["secret"], "GET", path)).is_success
    # It ends with their membership, for good.
    await world.owner.ok("DELETE", members)
    assert outcome(await use(world.owner.client, fresh["secret"], "GET", path)) == UNAUTHORIZED
    [listed] = (await world.owner.ok("GET", PATH))["items"]
    assert listed["revokedAt"] is not None
    await world.join(admin, Role.ADMIN)
    assert outcome(await use(world.owner.client, fresh["secret"], "GET", path)) == UNAUTHORIZED


@pytest.mark.parametrize("_", range(5))
@pytest.mark.parametrize("action", ["create", "rotate"])
async def test_key_created_while_its_maker_is_removed_is_revoked(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform, action: str, _: int
) -> None:
    other = await new_owner("Other")
    await join(platform, owner, other, Role("Admin"))
    made = await make_key(owner, "Products.Read", institutionId=owner.institution_id)
    body = {"name": "CI", "scopes": ["Products.Read"], "institutionId": owner.institution_id}
    path = f"/api/institutions/{owner.institution_id}/members/{other.user_id}"
    answer, removed = await asyncio.gather(
        other.send("POST", PATH, body)
        if action == "create"
        else other.send("POST", f"{PATH}/{made['id']}/rotate"),
        owner.send("DELETE", path),
    )
    assert removed.status_code == 204
    assert answer.status_code < 500, answer.text
    async with platform.database.reading() as db:
        statement = text(
            "SELECT count(*) FROM api_keys WHERE maker_id = :id AND revoked_at IS NULL"
        )
        left = (await db.execute(statement, {"id": other.user_id})).scalar_one()
    assert left == 0
