"""Credits that devices reserve, spend without a network, report and return."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from leases.reserver import TOKENS, Journal, Reserver, assert_c1, hashed, held_of
from metering.factories import new_key
from world import World

from licet_server.leases.service.ending import end_over_leases
from licet_server.metering.service.reconciling import reconcile_all

LIMIT = (409, "LeaseLimitReached")
FORKED = (409, "LeaseForked")
UNKNOWN = (404, "LeaseNotFound")
POOR = (402, "InsufficientBalance")
REUSED = (422, "IdempotencyKeyReused")


async def some_world(world: World, **terms: Any) -> tuple[dict[str, Any], Reserver]:
    await world.priced()
    return await world.issue("MeteredToken", **{**TOKENS, **terms}), Reserver.of(world)


async def types_of(world: World, license_: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(item["type"], item["amount"]) for item in await world.ledger(license_)]


async def assert_reconciled(world: World, license_: dict[str, Any]) -> None:
    await assert_c1(world.platform, license_)
    database = world.platform.database
    found = await reconcile_all(database, license_["id"], lambda _done, _total: None)
    assert found.mismatches == []


async def test_reserved_credits_leave_the_balance_and_come_back_unspent(world: World) -> None:
    license_, device = await some_world(world)
    await world.priced("Render", 4)
    journal = await device.reserved(license_, 500, deviceName="box")
    answer = dict(journal.lease)
    token, lease_id = answer.pop("lease"), answer["leaseId"]
    assert answer == {
        "leaseId": lease_id,
        "kind": "Credits",
        "seq": 1,
        "quantity": 500,
        "issuedAt": "2030-01-15T12:00:00Z",
        "endsAt": "2030-01-22T12:00:00Z",
        "sessionId": None,
        "seatsUsed": None,
        "seatsTotal": None,
        "balance": 500,
        "serverTime": "2030-01-15T12:00:00Z",
    }
    claims = await world.claims_of(token)
    assert {name: claims[name] for name in ("kind", "quantity", "mode", "prices")} == {
        "kind": "Credits",
        "quantity": "500",
        "mode": "Token",
        "prices": {"Render": "4", "export": "2.5"},
    }
    assert "anyFeature" not in claims
    journal.spend("EXPORT", 2)
    journal.spend("render", 3, "4")
    assert await device.reported(journal) == {
        "leaseId": lease_id,
        "state": "Open",
        "settled": 2,
        "held": 483,
        "balance": 500,
    }
    journal.spend(key="last")
    returned = {
        "leaseId": lease_id,
        "state": "Returned",
        "endedAt": "2030-01-15T12:00:00Z",
        "settled": 3,
        "refunded": 480.5,
        "balance": 980.5,
    }
    for _ in range(2):
        assert await device.handed_in(journal, 2) == returned
    ledger = await world.ledger(license_)
    assert [(item["type"], item["amount"]) for item in ledger] == [
        ("InitialGrant", 1000),
        ("LeaseHold", -500),
        ("LeaseSettle", 17),
        ("Consume", -5),
        ("Consume", -12),
        ("LeaseSettle", 483),
        ("Consume", -2.5),
    ]
    assert {item["leaseId"] for item in ledger[1:]} == {lease_id}
    assert [item["featureName"] for item in ledger if item["type"] == "Consume"] == [
        "export",
        "Render",
        "export",
    ]
    assert (ledger[-1]["idempotencyKey"], ledger[-1]["unitPrice"]) == ("last", 2.5)
    await assert_reconciled(world, license_)
    kinds = [event["kind"] for event in await world.events_of(lease_id)]
    assert kinds == ["lease.issued", "lease.returned"]
    replayed = await world.consumed(license_, idempotencyKey="last")
    assert (replayed["replayed"], replayed["balance"]) == (True, 980.5)


async def test_operators_see_what_is_reserved(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend(quantity=4)
    world.clock.advance(hours=1)
    await world.owner.sign_in()
    await device.reported(journal)
    assert await device.leases(license_, kind="Seat") == []
    [item] = await device.leases(license_, kind="Credits", state="Open")
    seen = ("quantity", "held", "spent", "settledLines", "lastReportAt", "settlesAt", "sessionId")
    assert {name: item[name] for name in seen} == {
        "quantity": 100,
        "held": 90,
        "spent": 10,
        "settledLines": 1,
        "lastReportAt": "2030-01-15T13:00:00Z",
        "settlesAt": "2030-02-21T12:00:00Z",
        "sessionId": None,
    }
    assert await held_of(world, license_) == 90
    path = f"/api/meter/balance?licenseKey={license_['licenseKey']}"
    answer = (await world.call("GET", path, None)).json()
    assert (answer["balance"], answer["held"]) == (900, 90)


async def test_limits_of_reserving(world: World) -> None:
    await world.priced()
    license_ = await world.issue("MeteredToken", initialMeterBalance=100)
    device, other = Reserver.of(world), Reserver.of(world)
    path = f"/api/licenses/{license_['id']}"
    assert refusal(await device.reserve(license_, 10)) == LIMIT, "not at all"
    await world.owner.ok("PUT", path, json={"maxOfflineCredits": 60})
    assert refusal(await device.reserve(license_, 10)) == LIMIT, "for no day"
    await world.owner.ok("PUT", path, json={"maxBorrowDays": 5})
    assert refusal(await device.reserve(license_, 10, days=6)) == LIMIT
    assert refusal(await device.reserve(license_, 60.000001, days=5)) == LIMIT
    await device.reserved(license_, 50, days=5)
    answer = await device.reserve(license_, 1, days=5)
    assert refusal(answer) == LIMIT
    assert "until 2030-01-20 12:00 UTC" in answer.json()["detail"]
    assert refusal(await other.reserve(license_, 11, "machine-2", days=5)) == LIMIT, "60 together"
    await world.owner.ok("PUT", path, json={"maxOfflineCredits": 1_000})
    answer = await other.reserve(license_, 51, "machine-2", days=5)
    assert refusal(answer) == POOR
    assert {name: answer.json()[name] for name in ("cost", "balance")} == {
        "cost": 51,
        "balance": 50,
    }
    await other.reserved(license_, 50, "machine-2", days=5)
    assert refusal(await world.consume(license_, idempotencyKey=new_key())) == POOR
    floating = await world.issue("Floating", maxActiveUsersCount=1, maxBorrowDays=1)
    answer = await device.reserve(floating, 1, days=1)
    assert refusal(answer)[1] == "NotMeteredLicense"
    assert refusal(await device.borrow(license_, days=1)) == LIMIT, "no seat of a metered license"


@pytest.mark.parametrize("amount", [0, -1, 0.0000001, 1e400, float("nan"), 10**15 + 1, "x", None])
async def test_an_amount_is_positive_and_exact(world: World, amount: Any) -> None:
    license_, device = await some_world(world)
    answer = await device.reserve(license_, amount)
    assert answer.status_code == 400, answer.text
    assert await held_of(world, license_) == 0


async def test_what_is_of_seats_is_refused_for_credits_and_the_other_way_round(
    world: World,
) -> None:
    license_, device = await some_world(world)
    assert bad_fields(await device.reserve(license_, sessionId=license_["id"])) == ["sessionId"]
    assert bad_fields(await device.reserve(license_, instanceId="i")) == ["instanceId"]
    assert bad_fields(await device.borrow(license_, amount=1)) == ["amount"]
    count = await world.issue("MeteredCount", **TOKENS)
    assert bad_fields(await device.reserve(count, 1.5)) == ["amount"]
    answer = await world.call(
        "POST",
        "/api/leases",
        {
            "licenseKey": license_["licenseKey"],
            "hardwareId": "m",
            "kind": "Credits",
            "amount": 1,
            "days": 1,
            "idempotencyKey": "k",
        },
    )
    assert refusal(answer) == (403, "DeviceProofRequired")


async def test_each_use_costs_one_in_count_mode(world: World) -> None:
    count, device = await world.issue("MeteredCount", **TOKENS), Reserver.of(world)
    journal = await device.reserved(count, 10)
    claims = await world.claims_of(journal.lease["lease"])
    assert (claims["mode"], claims["anyFeature"]) == ("Count", True)
    assert "prices" not in claims
    journal.spend("anything", 4, "1")
    assert (await device.handed_in(journal))["refunded"] == 6
    assert (await world.ledger(count))[-1]["unitPrice"] is None
    await assert_reconciled(world, count)


async def test_the_same_request_again_gets_the_same_reservation(world: World) -> None:
    license_, device = await some_world(world)
    key = new_key()
    journal = await device.reserved(license_, 100, idempotencyKey=key)
    again = await device.reserved(license_, 100, idempotencyKey=key)
    assert again.lease == journal.lease
    assert await held_of(world, license_) == 100
    assert refusal(await device.reserve(license_, 101, idempotencyKey=key)) == REUSED
    await world.price(await world.feature("later"), 1)
    renewed = await device.renewed(journal.lease, 20)
    assert (renewed["seq"], renewed["quantity"], renewed["endsAt"]) == (
        2,
        100,
        "2030-02-04T12:00:00Z",
    )
    claims = await world.claims_of(renewed["lease"])
    assert claims["prices"] == {"export": "2.5"}, "frozen"
    assert refusal(await device.renew(journal.lease, 20)) == FORKED


async def test_a_key_that_was_charged_online_is_not_charged_again(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend(key="one")
    journal.spend(key="two", quantity=2)
    journal.spend(key="two", quantity=2)
    await world.consumed(license_, idempotencyKey="one")
    await device.reported(journal)
    journal.spend(key="one")
    answer = await device.handed_in(journal, 3)
    assert (answer["settled"], answer["refunded"], answer["balance"]) == (4, 85, 992.5)
    await assert_reconciled(world, license_)
    assert await assert_c1(world.platform, license_) == Decimal("7.5")


async def test_a_key_under_which_a_charge_was_refused_is_charged(world: World) -> None:
    license_, device = await some_world(world, initialMeterBalance=100)
    journal = await device.reserved(license_, 100)
    assert refusal(await world.consume(license_, idempotencyKey="k")) == POOR
    journal.spend(key="k")
    assert (await device.handed_in(journal))["balance"] == 97.5
    assert (await world.ledger(license_))[-1]["idempotencyKey"] is None
    await assert_reconciled(world, license_)


async def test_a_journal_is_reported_in_parts_and_any_part_again(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_)
    parts = []
    for _ in range(3):
        journal.spend()
        journal.spend()
        parts.append(journal.copy())
    first = parts[0]
    assert (await device.reported(first))["settled"] == 2
    assert (await device.reported(first))["settled"] == 2, "the answer was lost"
    assert (await device.reported(parts[1], 1))["settled"] == 4, "one line again"
    assert (await device.reported(parts[1], 4))["settled"] == 4, "nothing new, no lines"
    answer = await device.report(journal, 5)
    assert bad_fields(answer) == ["journal"]
    assert "lacks lines" in answer.text
    assert (await device.reported(journal, 4))["held"] == 485
    assert await assert_c1(world.platform, license_) == 15


def _members(**members: Any) -> Any:
    return lambda journal: journal.spend(**members)


BAD_LINES = {
    "no JSON": lambda journal: journal.lines.append("{"),
    "a list": lambda journal: journal.lines.append("[]"),
    "empty": lambda journal: journal.lines.append(""),
    "too deep": lambda journal: journal.lines.append("[" * 2000),
    "too long": _members(feature="x" * 2_100),
    "a number that is skipped": _members(n=3),
    "a number that is a text": _members(n="2"),
    "a number that is a fraction": _members(n=2.0),
    "a quantity of none": _members(quantity=0),
    "a negative quantity": _members(quantity=-1),
    "a huge quantity": _members(quantity=10**9 + 1),
    "a flag as the quantity": lambda journal: journal.spend(at=True),
    "a wrong cost": _members(cost="2.4"),
    "a cost that is no text": _members(cost=2.5),
    "a cost with an exponent": _members(cost="25e-1"),
    "a cost with zeros": _members(cost="2.50"),
    "a cost that is none": _members(cost="NaN"),
    "a cost with seven places": _members(cost="2.5000001"),
    "another line before": _members(prev=hashed("x")),
    "no key": _members(key=""),
    "a long key": _members(key="k" * 129),
    "a key with NUL": _members(key="a\0b"),
    "half a pair": lambda journal: journal.lines.append(
        journal.spend().replace('"export"', '"\\ud800"')
    ),
    "an unknown feature": _members(feature="other"),
    "a further member": lambda journal: journal.spend(more=1),
    "too much": _members(quantity=200),
}


@pytest.mark.parametrize("name", BAD_LINES)
async def test_a_journal_with_a_bad_line_is_refused_as_a_whole(world: World, name: str) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend()
    before = journal.copy()
    BAD_LINES[name](journal)
    assert bad_fields(await device.report(journal)) == ["journal"]
    assert bad_fields(await device.hand_in(journal)) == ["journal"]
    assert await types_of(world, license_) == [("InitialGrant", 1000), ("LeaseHold", -100)]
    assert (await device.handed_in(before))["balance"] == 997.5


async def test_a_receipt_accounts_for_its_journal(world: World) -> None:
    license_, device = await some_world(world)
    other, journal = Reserver.of(world), await device.reserved(license_, 100)
    own = await other.reserved(license_, 100, "machine-2")
    journal.spend()
    wrong: list[dict[str, Any]] = [
        {"used": "2.4"},
        {"used": "2.50"},
        {"used": 2.5},
        {"used": "NaN"},
        {"used": "-2.5"},
        {"used": None},
        {"lines": None},
        {"lines": -1},
        {"head": None},
        {"kind": "Returned"},
        {"seq": 2},
    ]
    for claims in wrong:
        receipt = device.account(journal, "Used", **claims)
        assert bad_fields(await device.report(journal, receipt=receipt)) == ["receipt"], claims
    for claims in ({"head": hashed("x")}, {"lines": 2}):
        receipt = device.account(journal, "Used", **claims)
        assert bad_fields(await device.report(journal, receipt=receipt)) == ["journal"], claims
    receipt = device.account(own, "Used")
    assert bad_fields(await device.report(journal, receipt=receipt)) == ["receipt"], "another lease"
    receipt = other.account(journal, "Used")
    assert bad_fields(await device.report(journal, receipt=receipt)) == ["receipt"]
    assert refusal(await other.report(journal)) == UNKNOWN
    answer = await device.report(replace(journal, lines=["{}"] * 501))
    assert bad_fields(answer) == ["journal"]
    assert await held_of(world, license_) == 200
    seat = await world.issue("Floating", maxActiveUsersCount=1, maxBorrowDays=1)
    lease = Journal(await device.borrowed(seat, days=1))
    assert bad_fields(await device.report(lease)) == ["receipt"]


@pytest.mark.parametrize("act", ["report", "hand_in"])
async def test_a_restored_journal_is_a_fork(world: World, act: str) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend()
    restored = journal.copy()
    journal.spend()
    await device.reported(journal)
    restored.spend()
    assert refusal(await getattr(device, act)(restored)) == FORKED
    assert refusal(await device.hand_in(journal)) == FORKED
    assert refusal(await device.report(journal)) == FORKED
    assert refusal(await device.reserve(license_, 1)) == FORKED
    lease_id = journal.lease["leaseId"]
    kinds = [event["kind"] for event in await world.events_of(lease_id)]
    assert kinds == ["lease.issued", "lease.forked"]
    assert await held_of(world, license_) == 95, "held until the end"
    assert (await device.lease_act(journal.lease, "acknowledge")).is_success
    await device.reserved(license_, 1, days=30)
    world.clock.advance(days=37)
    await end_over_leases(world.platform)
    await world.owner.sign_in()
    assert await held_of(world, license_) == 1
    assert await assert_c1(world.platform, license_) == 100


@pytest.mark.parametrize("shorter", [True, False])
async def test_a_shorter_journal_and_a_new_one_are_forks(world: World, shorter: bool) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    again = Journal(journal.lease)
    journal.spend()
    await device.reported(journal)
    if not shorter:
        again.spend()
        again.spend()
    assert refusal(await device.report(again)) == FORKED


@pytest.mark.parametrize(
    ("terms", "balance", "last"),
    [({}, 900, "LeaseCharge"), ({"onUnreturned": "Refund"}, 997.5, "LeaseSettle")],
)
async def test_what_nobody_accounts_for_is_settled_after_thirty_days(
    world: World, terms: dict[str, Any], balance: Any, last: str
) -> None:
    license_, device = await some_world(world, **terms)
    journal = await device.reserved(license_, 100)
    journal.spend()
    world.clock.advance(days=36)
    await end_over_leases(world.platform)
    await world.owner.sign_in()
    assert (await device.reported(journal))["state"] == "Open", "after endsAt, too"
    journal.spend()
    world.clock.advance(days=1)
    await world.owner.sign_in()
    answer = await device.reported(journal)
    assert answer == {
        "leaseId": journal.lease["leaseId"],
        "state": "Ended",
        "settled": 1,
        "held": 0,
        "balance": balance,
    }
    stored = await types_of(world, license_)
    await end_over_leases(world.platform)
    assert await types_of(world, license_) == stored, "stored with the report"
    answer = await device.handed_in(journal)
    assert (answer["state"], answer["refunded"]) == ("Ended", 0 if last == "LeaseCharge" else 97.5)
    assert stored[-1][0] == last
    await assert_reconciled(world, license_)
    await device.reserved(license_, 1)


async def test_force_gives_back_the_rest_at_once(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend()
    await device.reported(journal)
    journal.spend()
    assert (await device.lease_act(journal.lease, "recall")).is_success
    assert refusal(await device.renew(journal.lease)) == LIMIT
    assert (await device.reported(journal))["held"] == 95, "a recalled one is reported"
    journal.spend()
    answer = await device.lease_act(journal.lease, "recall", force=True)
    assert (answer.json()["state"], answer.json()["held"]) == ("Ended", 0)
    assert (await device.reported(journal))["state"] == "Ended"
    answer = (await device.hand_in(journal)).json()
    assert (answer["state"], answer["settled"], answer["refunded"]) == ("Ended", 2, 95)
    assert answer["balance"] == 995, "what was spent after the last report is not charged"
    assert refusal(await device.lease_act(journal.lease, "recall", force=True))[1] == "Conflict"
    await assert_reconciled(world, license_)


async def test_a_license_with_reserved_credits_is_not_converted(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    path = f"/api/licenses/{license_['id']}/convert"
    answer = await world.owner.send("POST", path, json={"type": "Perpetual"})
    assert refusal(answer) == (409, "Conflict")
    assert "1 devices have reserved" in answer.json()["detail"]
    await device.handed_in(journal)
    converted = await world.owner.ok("POST", path, json={"type": "Perpetual"})
    assert (converted["maxOfflineCredits"], converted["onUnreturned"]) == (None, "Charge")
    assert converted["meterBalanceKept"] == 1000


async def test_a_deleted_license_takes_its_reservations_with_it(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    assert refusal(await device.report(journal)) == UNKNOWN
    assert (await world.ledger(license_))[-1]["balanceAfter"] == 1000
    kinds = [event["kind"] for event in await world.events_of(journal.lease["leaseId"])]
    assert kinds == ["lease.issued", "lease.ended"]


async def test_a_revoked_license_takes_reports_and_returns(world: World) -> None:
    license_, device = await some_world(world)
    journal = await device.reserved(license_, 100)
    journal.spend()
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    assert refusal(await device.renew(journal.lease))[1] == "LicenseInvalid"
    assert (await device.reported(journal))["settled"] == 1
    assert (await device.handed_in(journal))["refunded"] == 97.5


async def test_reserving_warns_of_a_low_balance(world: World) -> None:
    license_, device = await some_world(world)
    await world.warn_at(license_, 500)
    journal = await device.reserved(license_, 499)
    await device.handed_in(journal)
    await device.reserved(license_, 500)
    kinds = [event["kind"] for event in await world.events_of(license_["id"])]
    assert kinds.count("meter.low_balance") == 1
    assert "meter.granted" not in kinds


async def test_only_priced_features_that_the_license_has_are_in_its_token(world: World) -> None:
    await world.priced()
    included = await world.priced("included", 0.000001)
    unpriced = await world.feature("unpriced")
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    body = {"name": "s", "featureNames": [included["name"], unpriced["name"]]}
    chosen = await world.owner.ok("POST", path, body)
    license_ = await world.issue("MeteredToken", **TOKENS, entitlementSetId=chosen["id"])
    device = Reserver.of(world)
    journal = await device.reserved(license_)
    claims = await world.claims_of(journal.lease["lease"])
    assert claims["prices"] == {"included": "0.000001"}
    journal.spend("INCLUDED", 3, "0.000001")
    assert (await device.handed_in(journal))["balance"] == 999.999997
