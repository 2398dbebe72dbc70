"""license.bin for end users: of active licenses, for bound machines; it never binds a license."""

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import state_of
from portal.people import EndUser
from world import World


async def test_the_file_equals_the_one_for_operators(world: World, user: EndUser) -> None:
    made = await world.issue("Perpetual", issuedTo=user.email, metadata={"tier": "gold"})
    mine = await user.file(made)
    assert mine.status_code == 200
    assert mine.headers["content-type"] == "application/octet-stream"
    assert mine.headers["content-disposition"] == 'attachment; filename="license.bin"'
    theirs = await world.owner.send("GET", f"/api/licenses/{made['id']}/file")
    one, other = await world.claims_of(mine.text), await world.claims_of(theirs.text)
    assert one.pop("jti") != other.pop("jti")
    assert one == other
    assert (one["sub"], one["license"]["metadata"]) == (made["id"], {"tier": "gold"})
    assert "hardwareIds" not in one
    for_one = await world.claims_of((await user.file(made, hardwareId="machine-1")).text)
    assert for_one["hardwareIds"] == ["machine-1"]
    protected = (await user.file(made, protected=True)).text
    assert protected.count(".") == 4
    assert made["licenseKey"] not in protected
    assert bad_fields(await user.file(made, hardwareId="a b")) == ["hardwareId"]


async def test_a_file_begins_a_term_that_starts_with_the_first_use(
    world: World, user: EndUser
) -> None:
    terms = {"type": "Subscription", "durationDays": 30, "termStarts": "FirstUse", "graceDays": 7}
    body = {"productId": world.product["id"], "name": "Prepaid", **terms}
    policy = await world.owner.ok("POST", "/api/policies", body)
    body = {"policyId": policy["id"], "issuedTo": user.email}
    made = await world.owner.ok("POST", "/api/licenses", body)
    seen = await user.license(made)
    assert (seen["expirationDate"], seen["termDays"], seen["inGraceUntil"]) == (None, 30, None)
    claims = await world.claims_of((await user.file(made)).text)
    assert claims["license"]["expirationDate"] == "2030-02-21T12:00:00Z"
    seen = await user.license(made)
    assert (seen["expirationDate"], seen["termDays"]) == ("2030-02-14T12:00:00Z", None)
    world.clock.advance(days=31)
    await user.sign_in()
    assert (await user.license(made))["inGraceUntil"] == "2030-02-21T12:00:00Z"


async def test_a_short_license_key_cannot_protect_a_file(world: World, user: EndUser) -> None:
    made = await world.issue("Perpetual", issuedTo=user.email, licenseKey="SHORT-KEY-1")
    assert refusal(await user.file(made, protected=True)) == (409, "Conflict")
    assert (await user.file(made)).status_code == 200


@pytest.mark.parametrize("action", ["suspend", "expire", "revoke"])
async def test_only_active_licenses_have_files(world: World, user: EndUser, action: str) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    if action == "expire":
        world.clock.advance(days=366)
        await user.sign_in()
    else:
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
    refused = await user.file(made)
    assert refusal(refused) == (409, "Conflict")
    assert "only available for active licenses" in refused.json()["detail"]


@pytest.mark.parametrize("mode", ["AutoBind", "OwnerApproval"])
async def test_a_download_binds_nothing(world: World, user: EndUser, mode: str) -> None:
    made = await world.issue("NodeLocked", issuedTo=user.email, deviceBindingMode=mode)
    before = await state_of(world.platform, made)
    for query in ({}, {"hardwareId": "machine-1"}):
        refused = await user.file(made, **query)
        assert refusal(refused) == (409, "Conflict")
        assert "Activate it in the application" in refused.json()["detail"]
    assert await state_of(world.platform, made) == before
    await world.validate(made, "machine-1")
    if mode == "OwnerApproval":
        for query in ({}, {"hardwareId": "machine-1"}):
            assert refusal(await user.file(made, **query)) == (409, "Conflict")
        [waiting] = await user.devices(made)
        await world.operate(waiting["id"], "approve")
    before = await state_of(world.platform, made)
    for query in ({}, {"hardwareId": "machine-1"}):
        claims = await world.claims_of((await user.file(made, **query)).text)
        assert claims["hardwareIds"] == ["machine-1"]
    refused = await user.file(made, hardwareId="machine-2")
    assert refusal(refused) == (409, "Conflict")
    assert "bound to another machine" in refused.json()["detail"]
    assert await state_of(world.platform, made) == before


@pytest.mark.parametrize("model", ["NodeLocked", "Concurrent"])
async def test_a_blocked_device_gets_no_file(world: World, user: EndUser, model: str) -> None:
    made = await world.issue(model, issuedTo=user.email)
    await world.activate(made, "machine-1")
    [device] = await user.devices(made)
    await world.operate(device["id"], "block")
    assert refusal(await user.file(made, hardwareId="machine-1")) == (403, "DeviceBlocked")
    whole = await user.file(made)
    assert whole.status_code == (403 if model == "NodeLocked" else 200)
    await world.operate(device["id"], "unblock")
    assert (await user.file(made, hardwareId="machine-1")).status_code == 200
