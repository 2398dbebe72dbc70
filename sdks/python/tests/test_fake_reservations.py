"""Reserved credits on the fake server: the published settlements, and what becomes of a hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from licet._device_key import DeviceKey
from licet._jose import decode_segment, read_object
from licet._journal_line import genesis
from licet._transport import TransportRequest
from licet.testing import FakeLicense, FakeServer
from licet.testing._holds import set_aside
from licet.testing._problems import Refused
from licet.testing._reservations import read_spent, settle
from licet.testing._state import Hold, Lease
from licet.testing._wallet import record_entry

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
SETTLEMENTS = json.loads((VECTORS / "journals.json").read_text(encoding="utf-8"))["settlements"]
KEYS = json.loads((VECTORS / "leases.json").read_text(encoding="utf-8"))["keys"]
DEVICE, OTHER_DEVICE = (
    DeviceKey.parse(json.dumps(item["privateKey"]).encode()) for item in KEYS[:2]
)


def issue(server: FakeServer, **terms: Any) -> FakeLicense:
    """A license with 1000 credits, of which 600 may be reserved."""
    given: Any = {"max_borrow_days": 30, "max_offline_credits": 600, **terms}
    return server.issue("MeteredToken", **given)


def post(
    server: FakeServer,
    license_: FakeLicense,
    path: str,
    fields: Mapping[str, Any],
    key: DeviceKey = DEVICE,
) -> tuple[int, dict[str, Any]]:
    url = f"https://licet.test/api{path}"
    body = json.dumps(fields).encode()
    headers = {
        "X-API-KEY": server.api_key,
        "Content-Type": "application/json",
        "DPoP": key.proof("POST", url, body, server.now),
    }
    reply = server.transport.send(TransportRequest("POST", url, headers, body, 10))
    return reply.status, json.loads(reply.body)


def reserve(
    server: FakeServer, license_: FakeLicense, key: DeviceKey = DEVICE, **changes: Any
) -> tuple[int, dict[str, Any]]:
    fields = {
        "licenseKey": license_.key,
        "hardwareId": "machine-1",
        "kind": "Credits",
        "days": 7,
        "amount": 500,
        "idempotencyKey": "reserve-1",
        **changes,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    return post(server, license_, "/leases", given, key)


@pytest.mark.parametrize("case", SETTLEMENTS, ids=lambda case: case["name"])
def test_a_journal_is_settled_as_published(case: dict[str, Any]) -> None:
    server = FakeServer()
    license_ = issue(server)._license
    lease = Lease(
        id=case["leaseId"],
        license=license_,
        hardware_id="machine-1",
        jkt=case["jkt"],
        key_hash="",
        issue_key="k",
        issue_days=1,
        issued_at=server.now,
        signed_at=server.now,
        ends_at=server.now,
    )
    prices = {name: Decimal(price) for name, price in case["prices"].items()}
    amount, used = Decimal(case["quantity"]), Decimal(case["settledUsed"])
    hold = Hold(amount, amount, prices, any_feature=False, head=case["settledHead"])
    set_aside(lease, hold, server.now)
    hold.left, hold.used, hold.settled = amount - used, used, case["settled"]
    wallet = license_.wallet
    assert wallet is not None
    for key in case["ledgerKeys"]:
        record_entry(wallet, "Consume", Decimal(-1), server.now, idempotency_key=key)
    before, entries = wallet.balance, len(wallet.ledger)
    claims = read_object(decode_segment(case["receipt"].split(".")[1]))
    try:
        settle(lease, hold, read_spent(claims), case["journal"], server.now)
    except Refused as refused:
        outcome = "Forked" if refused.code == "LeaseForked" else "Refused"
        assert (outcome, len(wallet.ledger)) == (case["outcome"], entries)
        assert lease.forked == (outcome == "Forked")
        return
    assert case["outcome"] == "Settled"
    charged = [entry for entry in wallet.ledger[entries:] if entry.type == "Consume"]
    assert len(charged) == len(case["charged"])
    assert -sum(entry.amount for entry in charged) == Decimal(case["spent"])
    put_back = amount - used - hold.left
    assert wallet.balance == before + put_back - Decimal(case["spent"])


def test_reserved_credits_are_out_of_the_balance_and_the_same_request_gets_the_same_ones() -> None:
    server = FakeServer()
    license_ = issue(server, features=["export"])
    server.set_price("export", "2.5")
    server.set_price("render", 1)
    status, first = reserve(server, license_)
    again, second = reserve(server, license_)
    assert (status, again, second["leaseId"]) == (201, 200, first["leaseId"])
    claims = read_object(decode_segment(first["lease"].split(".")[1]))
    expected = {"kind": "Credits", "quantity": "500", "mode": "Token", "prices": {"export": "2.5"}}
    assert expected.items() <= claims.items()
    assert claims["jti"] == first["leaseId"]
    assert (first["quantity"], first["balance"], first["sessionId"]) == (500, 500, None)
    assert (license_.balance, license_.ledger[0].type) == (500, "LeaseHold")


@pytest.mark.parametrize(
    ("changes", "terms", "code"),
    [
        ({"amount": None}, {}, "InvalidRequest"),
        ({"amount": 0}, {}, "InvalidRequest"),
        ({"amount": 0.1234567}, {}, "InvalidRequest"),
        ({"amount": "500"}, {}, "InvalidRequest"),
        ({"kind": "Seat"}, {}, "InvalidRequest"),
        ({"instanceId": "one"}, {}, "InvalidRequest"),
        ({"days": 31}, {}, "LeaseLimitReached"),
        ({}, {"max_borrow_days": 0}, "LeaseLimitReached"),
        ({}, {"max_offline_credits": None}, "LeaseLimitReached"),
        ({"amount": 600.5}, {}, "LeaseLimitReached"),
        ({}, {"initial_meter_balance": 499}, "InsufficientBalance"),
        ({}, {"expires": timedelta(seconds=-1)}, "LicenseExpired"),
    ],
)
def test_what_is_not_reserved(changes: dict[str, Any], terms: dict[str, Any], code: str) -> None:
    server = FakeServer()
    license_ = issue(server, **terms)
    before = license_.balance
    assert reserve(server, license_, **changes)[1]["errorCode"] == code
    assert (license_.balance, license_.leases) == (before, [])


def test_all_devices_together_reserve_no_more_than_the_license_says() -> None:
    server = FakeServer()
    license_ = issue(server)
    reserve(server, license_)
    assert reserve(server, license_, idempotencyKey="two")[1]["errorCode"] == "LeaseLimitReached"
    fields = {"idempotencyKey": "three", "hardwareId": "machine-2"}
    refused = reserve(server, license_, OTHER_DEVICE, amount=101, **fields)[1]
    assert refused["errorCode"] == "LeaseLimitReached"
    assert reserve(server, license_, OTHER_DEVICE, amount=100, **fields)[0] == 201


@pytest.mark.parametrize(
    ("on_unreturned", "balance", "kinds"),
    [
        ("Charge", 500, ["LeaseCharge", "LeaseSettle", "LeaseHold"]),
        ("Refund", 1000, ["LeaseSettle", "LeaseHold"]),
    ],
)
def test_what_was_not_returned_is_settled_thirty_days_after_its_end(
    on_unreturned: str, balance: int, kinds: list[str]
) -> None:
    server = FakeServer()
    license_ = issue(server, on_unreturned=on_unreturned)
    reserve(server, license_)
    server.advance(days=36)
    assert (license_.balance, license_.leases[0].held) == (500, 500)
    server.advance(days=1)
    assert license_.balance == balance
    assert [entry.type for entry in license_.ledger][: len(kinds)] == kinds
    (lease,) = license_.leases
    assert (lease.state, lease.held) == ("Ended", 0)


def test_a_forced_recall_puts_the_rest_back_at_once_and_charges_nothing_after() -> None:
    server = FakeServer()
    license_ = issue(server)
    server.set_price("export", "2.5")
    _, lease = reserve(server, license_)
    license_.leases[0].recall(force=True)
    assert license_.balance == 1000
    spent = {"used": "0", "lines": 0, "head": genesis(lease["leaseId"])}
    receipt = DEVICE._sign(
        "receipt+jwt",
        {
            "aud": server.product_id,
            "lease": lease["leaseId"],
            "seq": 1,
            "kind": "Used",
            "iat": 1,
            **spent,
        },
    )
    path = f"/leases/{lease['leaseId']}/report"
    status, reported = post(server, license_, path, {"receipt": receipt})
    assert (status, reported["state"], reported["held"]) == (200, "Ended", 0)
