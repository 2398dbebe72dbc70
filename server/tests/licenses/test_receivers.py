"""`issuedTo` as an id: only of users whom the institution knows, and nothing told of others."""

from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import join
from licenses.factories import issue, license_body, make_product
from testkit import Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

NOBODY = "01900000-0000-7000-8000-000000000000"


async def test_users_of_others_look_like_nobody(owner: Owner, stranger: Owner) -> None:
    product = await make_product(owner)
    answers = [
        await owner.send("POST", "/api/licenses", license_body(product, issuedTo=user_id))
        for user_id in (stranger.user_id, NOBODY)
    ]
    told = [(item.status_code, item.json()["detail"], item.json()["errors"]) for item in answers]
    assert told[0] == told[1]
    assert told[0][0] == 400
    assert told[0][2][0]["field"] == "issuedTo"
    made = await issue(owner, product)
    change = {"issuedTo": stranger.user_id}
    assert (await owner.send("PUT", f"/api/licenses/{made['id']}", change)).status_code == 400


@pytest.mark.parametrize("known_as", ["member", "end user"])
async def test_members_and_end_users_may_be_named_by_id(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform, known_as: str
) -> None:
    other = await new_owner("Other")
    product = await make_product(owner)
    if known_as == "member":
        await join(platform, owner, other, Role.VIEWER)
    else:
        await issue(owner, product, issuedTo=other.email.upper())
    assert (await issue(owner, product, issuedTo=other.user_id))["issuedTo"] == other.user_id
