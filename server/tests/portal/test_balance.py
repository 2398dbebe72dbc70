"""The balance of a license, for the end user whose license it is."""

import pytest
from catalog.factories import join
from licenses.factories import make_product
from portal.people import NewEndUser
from testkit import Owner
from world import Vendor

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

NOT_FOUND, FORBIDDEN = (404, "NotFound"), (403, "Forbidden")


@pytest.mark.specification("mission-8")
async def test_the_end_user_reads_the_balance_of_their_license(
    owner: Owner, stranger: Owner, new_end_user: NewEndUser, platform: Platform
) -> None:
    vendor = Vendor(owner, await make_product(owner), {})
    user, other = await new_end_user(), await new_end_user()
    unverified = await new_end_user(verified=False)
    by_address = await vendor.issue("MeteredCount", issuedTo=user.email.upper())
    by_id = await vendor.issue("MeteredToken", issuedTo=user.user_id)
    of_unverified = await vendor.issue("MeteredCount", issuedTo=unverified.email)
    perpetual = await vendor.issue("Perpetual", issuedTo=user.email)
    for made, balance in ((by_address, 100), (by_id, 12.5)):
        found = await user.ok("GET", f"/api/meter/balance/{made['id']}")
        assert (found["licenseId"], found["balance"]) == (made["id"], balance)
    for caller, made, expected in (
        (other, by_address, NOT_FOUND),
        (unverified, by_address, NOT_FOUND),
        (unverified, of_unverified, NOT_FOUND),
        (stranger, by_address, NOT_FOUND),
        (user, of_unverified, NOT_FOUND),
        (user, perpetual, (400, "NotMeteredLicense")),
        (user, {"id": "01b92571-ea00-7032-a7e8-1d0429f5abbb"}, NOT_FOUND),
    ):
        answer = await caller.send("GET", f"/api/meter/balance/{made['id']}")
        assert (answer.status_code, answer.json()["errorCode"]) == expected
    # The ledger stays with the vendor, and so does every change.
    assert (await user.send("GET", f"/api/licenses/{by_id['id']}/ledger")).status_code == 404
    grant = {"licenseId": by_id["id"], "amount": 1}
    answer = await user.send("POST", "/api/meter/grant", grant)
    assert (answer.status_code, answer.json()["errorCode"]) == FORBIDDEN
    # Whoever is a Viewer of one vendor and the end user of another sees both.
    await join(platform, stranger, user, Role.VIEWER)
    assert (await user.ok("GET", f"/api/meter/balance/{by_id['id']}"))["balance"] == 12.5


async def test_an_api_key_is_no_end_user(owner: Owner, stranger: Owner) -> None:
    vendor = Vendor(owner, await make_product(owner), {})
    made = await vendor.issue("MeteredCount", issuedTo=stranger.email)
    path = f"/api/meter/balance/{made['id']}"
    body = {"name": "Shop", "scopes": ["Meter.Read"]}
    secret = (await stranger.ok("POST", "/api/api-keys", body))["secret"]
    answer = await owner.client.get(path, headers={"X-API-KEY": secret})
    assert (answer.status_code, answer.json()["errorCode"]) == NOT_FOUND
