"""Seats that devices borrow, keep longer and return; and what operators do with them."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.proving import Prover
from leases.borrower import SEATS, Borrower
from metering.factories import new_key
from world import World

from licet_server.leases.service.ending import end_over_leases
from licet_server.sessions.service.ending import end_expired_sessions

LIMIT = (409, "LeaseLimitReached")
UNKNOWN = (404, "LeaseNotFound")
FORKED = (409, "LeaseForked")
FULL = (409, "MaxConcurrentSessionsReached")
REUSED = (422, "IdempotencyKeyReused")
UNPROVEN = (403, "DeviceProofRequired")


async def kinds_of(world: World, lease: dict[str, Any]) -> list[str]:
    return [event["kind"] for event in await world.events_of(lease["leaseId"])]


async def test_a_borrowed_seat_is_away_until_it_is_returned(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    session = await machine.connected(license_, deviceName="box", instanceId="i")
    lease = await machine.borrowed(license_, sessionId=session["sessionId"], deviceName="box")
    token = lease.pop("lease")
    lease_id = lease["leaseId"]
    assert lease == {
        "leaseId": lease_id,
        "kind": "Seat",
        "seq": 1,
        "quantity": 1,
        "issuedAt": "2030-01-15T12:00:00Z",
        "endsAt": "2030-01-29T12:00:00Z",
        "sessionId": session["sessionId"],
        "seatsUsed": 1,
        "seatsTotal": 2,
        "balance": None,
        "serverTime": "2030-01-15T12:00:00Z",
    }
    claims = await world.claims_of(token)
    verdict = await world.validate(license_, "machine-1", signed=True)
    seen = await world.claims_of(verdict["token"])
    now = int(world.clock().timestamp())
    assert claims == {
        "iss": claims["iss"],
        "jti": lease_id,
        "aud": world.product["id"],
        "sub": license_["id"],
        "seq": 1,
        "iat": now,
        "nbf": now - 300,
        "exp": now + 14 * 86_400,
        "cnf": {"jkt": machine.jkt},
        "kind": "Seat",
        "quantity": 1,
        "hardwareId": "machine-1",
        "licenseKeyHash": seen["licenseKeyHash"],
        "license": seen["license"],
        "product": {"id": world.product["id"], "name": world.product["name"]},
        "release": {"id": license_["softwareReleaseId"], "version": license_["releaseVersion"]},
    }
    world.clock.advance(days=13)
    await world.owner.sign_in()
    await end_expired_sessions(world.platform)  # silence does not end it
    [live] = await world.sessions(license_)
    assert (live["leaseId"], live["leaseEndsAt"]) == (lease_id, lease["endsAt"])
    assert (await world.read(license_))["seatsAway"] == 1
    await world.connected(license_, "machine-2")
    assert refusal(await world.connect(license_, "machine-3")) == FULL
    for _ in range(2):
        back = await machine.give_back(lease)
        assert back.json() == {
            "leaseId": lease_id,
            "state": "Returned",
            "endedAt": "2030-01-28T12:00:00Z",
            "settled": None,
            "refunded": None,
            "balance": None,
        }
    await world.connected(license_, "machine-3")
    [item] = await machine.leases(license_, state="Returned")
    assert (item["state"], item["endReason"], item["jkt"]) == ("Returned", "Returned", machine.jkt)
    assert await kinds_of(world, lease) == ["lease.issued", "lease.returned"]
    assert refusal(await machine.renew(lease)) == UNKNOWN


async def test_a_seat_is_taken_as_by_connect_where_no_session_is_named(world: World) -> None:
    license_ = await world.issue("Floating", **{**SEATS, "maxActiveUsersCount": 1})
    machine, other = Borrower.of(world), Borrower.of(world)
    lease = await machine.borrowed(license_)
    [live] = await world.sessions(license_)
    assert live["id"] == lease["sessionId"]
    assert refusal(await other.borrow(license_, "machine-2")) == FULL
    await machine.give_back(lease)
    await other.borrowed(license_, "machine-2")


async def test_the_same_request_again_gets_the_same_lease(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    key = new_key()
    lease = await machine.borrowed(license_, idempotencyKey=key)
    world.clock.advance(seconds=30)
    again = await machine.borrowed(license_, idempotencyKey=key)
    assert again == {**lease, "serverTime": again["serverTime"]}
    assert len(await world.sessions(license_)) == 1
    assert refusal(await machine.borrow(license_, days=3, idempotencyKey=key)) == REUSED
    renewal: dict[str, Any] = {"seq": 1, "idempotencyKey": new_key()}
    second = await machine.renewed(lease, 20, **renewal)
    assert (second["seq"], second["endsAt"]) == (2, "2030-02-04T12:00:30Z")
    world.clock.advance(seconds=30)
    again = await machine.renewed(lease, 20, **renewal)
    assert again == {**second, "serverTime": again["serverTime"]}, "a lost answer forks nothing"
    assert refusal(await machine.renew(lease, 21, **renewal)) == REUSED
    assert refusal(await machine.borrow(license_, idempotencyKey=key)) == REUSED, "renewed since"
    third = await machine.renewed(second, 1)
    assert (third["seq"], third["endsAt"]) == (3, second["endsAt"]), "never an earlier end"
    assert bad_fields(await machine.renew({**third, "seq": 4})) == ["seq"]


async def test_limits_of_borrowing(world: World) -> None:
    license_ = await world.issue("Floating", maxActiveUsersCount=3)
    machine, other = Borrower.of(world), Borrower.of(world)
    assert refusal(await machine.borrow(license_)) == LIMIT, "not borrowed at all"
    path = f"/api/licenses/{license_['id']}"
    await world.owner.ok("PUT", path, json={"maxBorrowDays": 5, "maxBorrowedSeats": 1})
    answer = await machine.borrow(license_, days=6)
    assert refusal(answer) == LIMIT
    assert "at most 5 days" in answer.json()["detail"]
    assert bad_fields(await machine.borrow(license_, days=0)) == ["days"]
    lease = await machine.borrowed(license_, days=5)
    answer = await machine.borrow(license_, days=5)
    assert refusal(answer) == LIMIT
    assert "until 2030-01-20 12:00 UTC" in answer.json()["detail"]
    assert refusal(await other.borrow(license_, "machine-2", days=1)) == LIMIT, "one away at most"
    assert len(await world.sessions(license_)) == 1, "what cannot be lent is not kept"
    end = "2030-01-16T00:00:00Z"
    await world.owner.ok("PUT", path, json={"expirationDate": end})
    assert (await machine.give_back(lease)).status_code == 200
    assert (await machine.borrowed(license_, days=5))["endsAt"] == end, "not beyond the term"


async def test_borrowing_is_for_models_whose_seats_are_sessions(world: World) -> None:
    body = {
        "productId": world.product["id"],
        "type": "Concurrent",
        "licenseName": "x",
        "maxActiveUsersCount": 1,
        "issuedTo": "a@example.com",
        "maxBorrowDays": 1,
        "maxBorrowedSeats": 1,
    }
    answer = await world.owner.send("POST", "/api/licenses", json=body)
    assert bad_fields(answer) == ["maxBorrowDays", "maxBorrowedSeats"]
    license_ = await world.issue("Floating", **SEATS, maxBorrowedSeats=1)
    lease = await (machine := Borrower.of(world)).borrowed(license_)
    change = {"type": "Perpetual"}
    path = f"/api/licenses/{license_['id']}/convert"
    answer = await world.owner.send("POST", path, json=change)
    assert refusal(answer) == (409, "Conflict")
    assert "Recall them" in answer.json()["detail"]
    await machine.lease_act(lease, "recall", force=True)
    converted = await world.owner.ok("POST", path, json=change)
    assert (converted["maxBorrowDays"], converted["maxBorrowedSeats"]) == (0, None)


async def test_only_the_key_of_the_device_speaks_for_its_lease(world: World) -> None:
    license_ = await world.issue("Floating", **SEATS)
    machine, thief = Borrower.of(world), Borrower.of(world)
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "m", "days": 1}
    plain = await world.call("POST", "/api/leases", {**body, "idempotencyKey": "k"})
    assert refusal(plain) == UNPROVEN
    session = await machine.connected(license_)
    for other in ("00000000-0000-7000-8000-000000000000", session["sessionId"]):
        answer = await machine.borrow(license_, "machine-2", sessionId=other)
        assert refusal(answer) == (404, "SessionNotFound")
    lease = await machine.borrowed(license_, sessionId=session["sessionId"])
    assert refusal(await thief.renew(lease)) == UNKNOWN
    assert refusal(await thief.give_back(lease, machine.receipt(lease))) == UNKNOWN
    assert bad_fields(await machine.give_back(lease, thief.receipt(lease))) == ["receipt"]
    path = f"/api/leases/{lease['leaseId']}/return"
    answer = await world.call("POST", path, {"receipt": machine.receipt(lease)})
    assert refusal(answer) == UNPROVEN, "a receipt alone is worth nothing"
    answer = await thief.borrow(license_, sessionId=session["sessionId"])
    assert refusal(answer) == (404, "SessionNotFound"), "the session is bound to the key"
    assert refusal(await machine.renew({**lease, "leaseId": license_["id"]})) == UNKNOWN


async def test_what_ends_sessions_leaves_a_borrowed_seat_held(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    lease = await machine.borrowed(license_)
    assert refusal(await machine.disconnect(lease)) == (409, "Conflict")
    assert refusal(await world.force_disconnect(lease)) == (409, "Conflict")
    assert (await machine.heartbeat(lease)).json()["expiresAt"] == "2030-01-29T12:05:00Z"
    path = f"/api/licenses/{license_['id']}"
    renewal: dict[str, Any] = {"seq": 1, "idempotencyKey": new_key()}
    await machine.renewed(lease, **renewal)
    for act in ("suspend", "reinstate", "revoke"):
        await world.owner.ok("POST", f"{path}/{act}")
        assert (await world.slots_of(license_))[0]["lease_id"] is not None, act
    second = await machine.renewed(lease, **renewal)
    assert second["seq"] == 2, "a lost answer is repeated, whatever has happened since"
    assert refusal(await machine.renew(second)) == (400, "LicenseInvalid")
    assert (await machine.give_back(second)).json()["state"] == "Returned"


async def test_blocking_its_device_leaves_a_borrowed_seat_held(world: World) -> None:
    license_ = await world.issue("Floating", **SEATS)
    machine = Borrower.of(world)
    await machine.activate(license_, "machine-1")
    lease = await machine.borrowed(license_)
    other = await machine.connected(license_, "machine-1")
    [device] = await world.devices(license_)
    await world.operate(device, "block")
    live = await world.sessions(license_)
    assert [item["id"] for item in live] == [lease["sessionId"]], f"{other} has ended"
    assert refusal(await machine.renew(lease)) == (403, "DeviceBlocked")


async def test_a_lease_is_over_five_minutes_after_its_end(world: World) -> None:
    license_ = await world.issue("Floating", **{**SEATS, "maxActiveUsersCount": 1})
    machine = Borrower.of(world)
    lease = await machine.borrowed(license_, days=1)
    world.clock.advance(days=1, seconds=299)
    await world.owner.sign_in()
    assert refusal(await world.connect(license_, "machine-2")) == FULL
    await end_over_leases(world.platform)
    assert await kinds_of(world, lease) == ["lease.issued"]
    world.clock.advance(seconds=1)
    [item] = await machine.leases(license_, state="Ended")
    assert (item["state"], item["endReason"], item["endedAt"]) == (
        "Ended",
        "Expired",
        lease["endsAt"],
    ), "true before it is stored"
    assert await machine.leases(license_, state="Open") == []
    await world.connected(license_, "machine-2")
    assert refusal(await machine.renew(lease)) == UNKNOWN
    assert (await machine.give_back(lease)).json()["state"] == "Ended"
    for _ in range(2):
        await end_over_leases(world.platform)
    assert await kinds_of(world, lease) == ["lease.issued", "lease.ended"]
    assert await machine.leases(license_) == [item]


async def test_a_lease_that_is_over_hinders_no_other(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    first = await machine.borrowed(license_, days=1)
    world.clock.advance(days=1, minutes=5)
    await world.owner.sign_in()
    second = await machine.borrowed(license_, days=1)
    assert await kinds_of(world, first) == ["lease.issued", "lease.ended"]
    assert [item["state"] for item in await machine.leases(license_)] == ["Open", "Ended"]
    await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    ended = (await world.events_of(second["leaseId"]))[-1]
    assert (ended["kind"], ended["data"]["endReason"]) == ("lease.ended", "LicenseDeleted")
    assert (await world.events_of(second["sessionId"]))[-1]["kind"] == "session.ended"


@pytest.mark.parametrize("act", ["renew", "return"])
async def test_a_copied_folder_is_seen_and_its_device_borrows_no_more(
    world: World, act: str
) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    first = await machine.borrowed(license_)
    await machine.renewed(first)
    answer = await (machine.renew(first) if act == "renew" else machine.give_back(first))
    assert refusal(answer) == FORKED
    for answer in (await machine.renew(first), await machine.give_back({**first, "seq": 2})):
        assert refusal(answer) == FORKED
    assert refusal(await machine.borrow(license_)) == FORKED
    assert (await world.read(license_))["seatsAway"] == 1, "held until its end"
    assert await kinds_of(world, first) == ["lease.issued", "lease.issued", "lease.forked"]
    for _ in range(2):
        item = (await machine.lease_act(first, "acknowledge")).json()
        assert (item["state"], item["acknowledgedAt"]) == ("Forked", "2030-01-15T12:00:00Z")
    second = await machine.borrowed(license_)
    assert refusal(await machine.lease_act(second, "acknowledge")) == (409, "Conflict")
    states = {item["id"]: item["state"] for item in await machine.leases(license_)}
    assert states == {first["leaseId"]: "Forked", second["leaseId"]: "Open"}


async def test_a_return_may_name_a_renewal_whose_answer_was_lost(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    lease = await machine.borrowed(license_)
    key = new_key()
    await machine.renewed(lease, idempotencyKey=key)
    back = await machine.give_back(lease, idempotencyKey=key)
    assert back.json()["state"] == "Returned"


async def test_a_recalled_lease_is_not_renewed_and_force_frees_its_seat(world: World) -> None:
    license_ = await world.issue("Floating", **{**SEATS, "maxActiveUsersCount": 1})
    machine = Borrower.of(world)
    lease = await machine.borrowed(license_)
    for _ in range(2):
        item = (await machine.lease_act(lease, "recall")).json()
        assert (item["state"], item["recalledAt"]) == ("Open", "2030-01-15T12:00:00Z")
    assert refusal(await machine.renew(lease)) == LIMIT
    assert refusal(await world.connect(license_, "machine-2")) == FULL
    item = (await machine.lease_act(lease, "recall", force=True)).json()
    assert (item["state"], item["endReason"]) == ("Ended", "Forced")
    await world.connected(license_, "machine-2")
    assert refusal(await machine.lease_act(lease, "recall")) == (409, "Conflict")
    assert (await machine.give_back(lease)).json()["state"] == "Ended"
    kinds = await kinds_of(world, lease)
    assert kinds == ["lease.issued", "lease.recalled", "lease.ended"]


async def test_a_lowered_cap_leaves_borrowed_seats_away(world: World) -> None:
    license_, machine = await world.issue("Floating", **SEATS), Borrower.of(world)
    await world.connected(license_, "machine-2", instanceId="a")
    lease = await machine.borrowed(license_)
    await world.set_cap(license_, 1)
    assert refusal(await world.connect(license_, "machine-3")) == FULL
    [first, _] = await world.sessions(license_, sort="connectedAt")
    await world.disconnect(first["id"])
    assert refusal(await world.connect(license_, "machine-3")) == FULL
    await machine.give_back(lease)
    await world.connected(license_, "machine-3")


async def test_a_borrowed_seat_that_moves_to_another_slot_stays_borrowed(world: World) -> None:
    license_ = await world.issue("Floating", **{**SEATS, "maxActiveUsersCount": 3})
    first = await world.connected(license_, "machine-2")
    second = await world.connected(license_, "machine-3")
    machine = Borrower.of(world)
    lease = await machine.borrowed(license_)
    await world.set_cap(license_, 2)
    await world.disconnect(first)
    await world.disconnect(second)
    await world.connected(license_, "machine-4")
    slots = [item for item in await world.slots_of(license_) if item["lease_id"] is not None]
    assert [(item["n"] <= 2, str(item["session_id"])) for item in slots] == [
        (True, lease["sessionId"])
    ]
    assert (await machine.give_back(lease)).json()["state"] == "Returned"
    assert len(await world.sessions(license_)) == 1


async def test_a_device_known_under_another_key_borrows_nothing(world: World) -> None:
    license_ = await world.issue("Floating", **SEATS)
    known, clone = Prover.of(world), Borrower.of(world)
    await known.activate(license_, "machine-1")
    assert refusal(await clone.borrow(license_)) == (403, "HardwareMismatch")
