"""Seats that a device borrows, and uses without the server until it returns them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from conformance.proofs import open_receipt, read_proof
from conformance.requirements import proves
from conformance.vectors import expect, load, parsed
from conformance.world import OTHER_HARDWARE, DriverHandle, World

LEASES, CONNECT, DISCONNECT = "/leases", "/sessions/connect", "/sessions/disconnect"
NOWHERE = "http://127.0.0.1:9/api"
DAYS = 14
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def lent(world: World, **terms: Any) -> dict[str, Any]:
    """A license with two seats, which are borrowed for a month at most."""
    return world.issue("Floating", maxActiveUsersCount=2, maxBorrowDays=30, **terms)


def client_in(
    world: World, license_: dict[str, Any], driver: DriverHandle | None = None, **changes: Any
) -> str:
    return world.client(license_, driver, stateFolder=str(world.folder), **changes)


def away_in(world: World, license_: dict[str, Any], driver: DriverHandle | None = None) -> str:
    """A client without a server."""
    return client_in(world, license_, driver, serverBaseEndpoint=NOWHERE)


def borrow(
    world: World, license_: dict[str, Any], driver: DriverHandle | None = None
) -> dict[str, Any]:
    """Borrow a seat; the answer also names the session."""
    driver = driver or world.driver
    session = driver.call("connect", client=client_in(world, license_, driver))["session"]
    return {"session": session, **driver.call("borrow", session=session, days=DAYS)}


def lease_file(world: World) -> Path:
    product = sha256(world.product["productId"].encode()).hexdigest()[:8]
    return world.folder / f"license-{product}.lease"


def kept(world: World) -> dict[str, Any]:
    """What the lease file says."""
    text = world.read(lease_file(world))
    content: dict[str, Any] = json.loads(text) if text else {}
    return content


def states(world: World, license_: dict[str, Any]) -> list[str]:
    return [item["state"] for item in world.state_of(license_)["leases"]]


def action(seat: dict[str, Any], name: str) -> str:
    return f"{LEASES}/{seat['leaseId']}/{name}"


@proves("LIC-LSE-002")
def check_borrowing_a_seat(world: World) -> None:
    license_ = lent(world)
    seat = borrow(world, license_)
    (entry,) = world.requests(LEASES)
    expect(entry["body"], {"days": DAYS, "kind": "Seat"})
    assert entry["body"].get("idempotencyKey"), "there is no idempotency key"
    (session,) = world.state_of(license_)["sessions"]
    assert entry["body"].get("sessionId") == session["id"], "it is another session"
    read_proof(entry, world.config()["serverBaseEndpoint"])
    state = world.driver.call("session_state", session=seat["session"])
    assert state["alive"] is True, "the session has lost its seat"
    world.driver.call("disconnect", session=seat["session"])
    assert world.requests(DISCONNECT) == [], "the session was disconnected"
    assert states(world, license_) == ["Open"]


@proves("LIC-LSE-002")
def check_the_lease_file_is_private(world: World) -> None:
    borrow(world, lent(world))
    assert "token" in kept(world), "the file has no token"
    path = lease_file(world)
    mode = world.observer.observe(
        "disk", "mode", {}, lambda: f"{path.stat().st_mode & 0o777:o}" if path.exists() else None
    )
    assert mode == "600", f"the mode is {mode}"


@proves("LIC-LSE-003")
def check_a_restart_without_the_server(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    seat = borrow(world, license_, first)
    first.end("kill")
    client = away_in(world, license_)
    for operation in ("verify_offline", "validate", "open"):
        result = world.driver.call(operation, client=client)
        expect(result, {"status": "Valid"})
        if operation == "open":
            assert result["seat"]["held"] is True, "the seat is not held"
        else:
            assert parsed(result["leaseEndsAt"]) == parsed(seat["endsAt"]), "it ends otherwise"
    found = world.driver.call("borrowed_seat", client=client)
    expect(found, {"leaseId": seat["leaseId"], "seq": 1})
    assert world.driver.call("connect", client=client)["alive"] is True, "it is not alive"


@proves("LIC-LSE-003")
def check_a_borrowed_seat_needs_no_session(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    borrow(world, license_, first)
    first.end()
    world.clear_log()
    client = client_in(world, license_)
    result = world.driver.call("validate_online", client=client)
    assert result["leaseEndsAt"], "the result does not say until when"
    session = world.driver.call("connect", client=client)["session"]
    world.driver.call("disconnect", session=session)
    sent = world.requests(CONNECT, DISCONNECT, "/sessions/heartbeat")
    assert sent == [], f"it has sent {[entry['path'] for entry in sent]}"
    assert states(world, license_) == ["Open"]


@proves("LIC-LSE-004")
def check_returning_a_seat(world: World) -> None:
    license_ = lent(world)
    seat = borrow(world, license_)
    jkt = world.driver.call("identity", client=client_in(world, license_))["jkt"]
    world.driver.call("return_seat", borrowed=seat["borrowed"])
    (entry,) = world.requests(action(seat, "return"))
    found = open_receipt(entry["body"]["receipt"])
    assert found.pop("jkt") == jkt, "it is signed by another key"
    at = found.pop("iat", None)
    assert isinstance(at, int), f"its time is {at}"
    expected = {
        "aud": world.product["productId"],
        "lease": seat["leaseId"],
        "seq": 1,
        "kind": "Returned",
    }
    assert found == expected, f"the receipt says {found}"
    assert kept(world) == {}, "the file is still there"
    client = client_in(world, license_)
    expect(world.driver.call("borrowed_seat", client=client), {"leaseId": None})
    assert states(world, license_) == ["Returned"]


@proves("LIC-LSE-005")
def check_returning_a_seat_without_the_server(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    borrow(world, license_, first)
    first.end()
    away = away_in(world, license_)
    seat = world.driver.call("borrowed_seat", client=away)
    world.driver.error("return_seat", borrowed=seat["borrowed"])
    content = kept(world)
    assert content.get("returning"), "nothing is kept to be reported"
    assert "token" not in content, "the seat may still be used"
    result = world.driver.call("verify_offline", client=away)
    assert result["leaseEndsAt"] is None, "the seat is still used"
    assert states(world, license_) == ["Open"]
    world.driver.call("validate", client=client_in(world, license_))
    sent = [entry["body"]["receipt"] for entry in world.requests(action(seat, "return"))]
    assert sent == [content["returning"]], "it is not reported as it was written"
    assert kept(world) == {}, "the file is still there"
    assert states(world, license_) == ["Returned"]


@proves("LIC-LSE-006")
def check_renewing_a_seat(world: World) -> None:
    license_ = lent(world)
    seat = borrow(world, license_)
    renewed = world.driver.call("renew", borrowed=seat["borrowed"], days=30)
    (entry,) = world.requests(action(seat, "renew"))
    expect(entry["body"], {"days": 30, "seq": 1})
    expect(renewed, {"leaseId": seat["leaseId"], "seq": 2})
    assert parsed(renewed["endsAt"]) > parsed(seat["endsAt"]), "it does not end later"


@proves("LIC-LSE-006")
def check_a_renewal_with_an_older_token(world: World) -> None:
    license_ = lent(world)
    seat = borrow(world, license_)
    first = kept(world)["token"]
    world.driver.call("renew", borrowed=seat["borrowed"], days=20)
    second = kept(world)["token"]
    world.fault(action(seat, "renew"), response={"lease": first})
    error = world.driver.error("renew", borrowed=seat["borrowed"], days=30)
    expect(error, {"code": "UnexpectedReply"})
    assert kept(world).get("token") == second, "the newer token was replaced"


@proves("LIC-LSE-007")
def check_the_lost_answer_of_a_renewal(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    seat = borrow(world, license_, first)
    path = action(seat, "renew")
    world.fault(path, times=9, dropped=True, processed=True)
    first.error("renew", borrowed=seat["borrowed"], days=30)
    first.end("kill")
    world.control("DELETE", "/faults")
    found = world.driver.call("borrowed_seat", client=client_in(world, license_))
    renewed = world.driver.call("renew", borrowed=found["borrowed"], days=30)
    expect(renewed, {"leaseId": seat["leaseId"], "seq": 2})
    sent = {json.dumps(entry["body"], sort_keys=True) for entry in world.requests(path)}
    assert len(sent) == 1, "it has asked for something else after the lost answer"
    assert states(world, license_) == ["Open"]


@proves("LIC-LSE-007")
def check_the_lost_answer_of_a_loan(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    session = first.call("connect", client=client_in(world, license_, first))["session"]
    world.fault(LEASES, times=9, dropped=True, processed=True)
    first.error("borrow", session=session, days=DAYS)
    first.end("kill")
    world.control("DELETE", "/faults")
    again = world.driver.call("connect", client=client_in(world, license_))["session"]
    seat = world.driver.call("borrow", session=again, days=DAYS)
    expect(seat, {"seq": 1})
    keys = {entry["body"]["idempotencyKey"] for entry in world.requests(LEASES)}
    assert len(keys) == 1, "it has borrowed another one after the lost answer"
    assert states(world, license_) == ["Open"]
    left = world.state_of(license_)["sessions"]
    assert len(left) == 1, f"{len(left)} seats are taken"


@proves("LIC-LSE-008")
def check_a_copied_folder(world: World) -> None:
    license_ = lent(world)
    first = world.another_driver()
    borrow(world, license_, first)
    first.end()
    elsewhere = client_in(world, license_, hardwareId=OTHER_HARDWARE)
    result = world.driver.call("verify_offline", client=elsewhere, case="a-copy-on-another-machine")
    expect(result, {"valid": False, "leaseEndsAt": None})
    other_key = load("leases")["keys"][0]["privateKey"]
    (world.folder / "device-key.json").write_text(json.dumps(other_key))
    result = world.driver.call("verify_offline", client=away_in(world, license_))
    expect(result, {"valid": False, "leaseEndsAt": None})


@proves("LIC-LSE-009")
def check_a_refusal_while_a_seat_is_away(world: World) -> None:
    license_ = lent(world)
    borrow(world, license_)
    client = client_in(world, license_)
    world.vendor(license_, "revoke")
    for operation in ("validate_online", "verify_offline"):
        result = world.driver.call(operation, client=client)
        expect(result, {"status": "Revoked", "valid": False, "leaseEndsAt": None})
    assert states(world, license_) == ["Open"], "the seat does not count any more"


@proves("LIC-LSE-009")
def check_refusals_of_leases(world: World) -> None:
    license_ = lent(world)
    session = world.driver.call("connect", client=client_in(world, license_))["session"]
    error = world.driver.error("borrow", session=session, days=31)
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseLimitReached"})
    seat = world.driver.call("borrow", session=session, days=DAYS)
    before = kept(world)
    world.driver.call("renew", borrowed=seat["borrowed"], days=20)
    lease_file(world).write_text(json.dumps(before))
    error = world.driver.error("renew", borrowed=seat["borrowed"], days=30)
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseForked"})


@proves("LIC-LSE-009")
def check_a_seat_that_is_recalled(world: World) -> None:
    license_ = lent(world)
    seat = borrow(world, license_)
    world.vendor(license_, "recall")
    error = world.driver.error("renew", borrowed=seat["borrowed"], days=30)
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseLimitReached"})
    result = world.driver.call("verify_offline", client=away_in(world, license_))
    expect(result, {"status": "Valid"})


@proves("LIC-LSE-010")
def check_the_end_of_a_lease(world: World) -> None:
    world.reset()
    world.set_time(NOON.isoformat())
    license_ = lent(world)
    seat = borrow(world, license_)
    client = client_in(world, license_)
    for days, ends in ((DAYS - 1, seat["endsAt"]), (DAYS, None)):
        world.set_time((NOON + timedelta(days=days)).isoformat())
        result = world.driver.call("verify_offline", client=client)
        found = result["leaseEndsAt"] and parsed(result["leaseEndsAt"])
        assert found == (ends and parsed(ends)), f"after {days} days it ends at {found}"
    assert result["valid"] is False, "it is valid after its end"
    expect(world.driver.call("borrowed_seat", client=client), {"leaseId": None})
    world.set_time((NOON + timedelta(days=DAYS, minutes=6)).isoformat())
    world.driver.call("connect", client=client)
    assert len(world.requests(CONNECT)) == 2, "it has no session of its own"


@proves("LIC-LSE-010")
def check_a_clock_set_back(world: World) -> None:
    world.reset()
    world.set_time(NOON.isoformat())
    license_ = lent(world)
    borrow(world, license_)
    world.driver.call("set_clock", now=(NOON - timedelta(days=40)).isoformat())
    result = world.driver.call("verify_offline", client=away_in(world, license_))
    expect(result, {"status": "ClockTampered", "valid": False, "leaseEndsAt": None})
