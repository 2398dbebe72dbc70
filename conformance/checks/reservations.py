"""Credits that a device reserves, and spends without the server until it returns the rest."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

from conformance.checks.leases import NOWHERE, action, away_in, client_in, states
from conformance.proofs import open_receipt, read_proof
from conformance.requirements import proves
from conformance.vectors import credits_file, encoded, expect, load, parsed
from conformance.world import OTHER_HARDWARE, DriverHandle, World

LEASES, CONSUME = "/leases", "/meter/consume"
DAYS = 7
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def metered(world: World, **terms: Any) -> dict[str, Any]:
    """A license with 20 uses, of which 15 may be reserved for a month."""
    given = {"initialMeterBalance": 20, "maxBorrowDays": 30, "maxOfflineCredits": 15, **terms}
    return world.issue("MeteredCount", **given)


def reserve(
    world: World,
    license_: dict[str, Any],
    driver: DriverHandle | None = None,
    amount: str = "10",
) -> dict[str, Any]:
    driver = driver or world.driver
    client = client_in(world, license_, driver)
    found = driver.call("reserve", client=client, credits=amount, days=DAYS)
    return {"client": client, **found}


def spend(
    world: World,
    client: str,
    key: str,
    quantity: int = 1,
    driver: DriverHandle | None = None,
    **fields: Any,
) -> dict[str, Any]:
    charge = {"featureName": "export", "quantity": quantity, "idempotencyKey": key, **fields}
    return (driver or world.driver).call("consume", client=client, **charge)


def kept(world: World, suffix: str = ".credits") -> str:
    """The text of a file of the credits; empty if there is none."""
    return world.read(path_of(world, suffix)) or ""


def path_of(world: World, suffix: str) -> Path:
    return credits_file(world, world.product["productId"], suffix)


def mode_of(world: World, path: Path) -> str:
    mode: str = world.observer.observe(
        "disk", "mode", {}, lambda: f"{path.stat().st_mode & 0o777:o}" if path.exists() else ""
    )
    return mode


def lines(world: World) -> list[str]:
    """The lines of the journal, without the first."""
    return kept(world, ".journal").splitlines()[1:]


def balance(world: World, license_: dict[str, Any]) -> Decimal:
    return Decimal(world.state_of(license_)["balance"])


def hash_of(text: str) -> str:
    return encoded(sha256(text.encode()).digest())


@proves("LIC-RSV-004")
def check_reserving_credits(world: World) -> None:
    license_ = metered(world)
    found = reserve(world, license_)
    (entry,) = world.requests(LEASES)
    expect(entry["body"], {"days": DAYS, "kind": "Credits", "amount": 10, "sessionId": None})
    assert entry["body"].get("idempotencyKey"), "there is no idempotency key"
    read_proof(entry, world.config()["serverBaseEndpoint"])
    expect(found, {"seq": 1, "unreported": 0})
    amounts = [Decimal(found[name]) for name in ("amount", "spent", "remaining")]
    assert amounts == [10, 0, 10], f"the amounts are {amounts}"
    assert balance(world, license_) == 10, "they are still in the balance"
    assert "token" in json.loads(kept(world)), "the token is not kept"
    assert kept(world, ".journal") == f"{found['leaseId']}\n", "the journal begins otherwise"
    for suffix in (".credits", ".journal"):
        mode = mode_of(world, path_of(world, suffix))
        assert mode == "600", f"the mode of {suffix} is {mode}"


@proves("LIC-RSV-005")
def check_spending_without_the_server(world: World) -> None:
    license_ = metered(world)
    first = world.another_driver()
    lease = reserve(world, license_, first)
    first.end("kill")
    second = world.another_driver()
    away = away_in(world, license_, second)
    charge = spend(world, away, "order-1", 3, second)
    expect(charge, {"reserved": True, "replayed": False, "quantity": 3})
    assert Decimal(charge["balance"]) == 7, f"{charge['balance']} remain"
    assert charge["ledgerEntryId"] == f"{lease['leaseId']}/1", charge["ledgerEntryId"]
    second.end("kill")
    away = away_in(world, license_)
    for operation in ("verify_offline", "validate", "open"):
        expect(world.driver.call(operation, client=away), {"status": "Valid"})
    found = world.driver.call("reserved_credits", client=away)
    expect(found, {"leaseId": lease["leaseId"], "unreported": 1})
    assert Decimal(found["remaining"]) == 7, "the charge is lost"
    assert world.requests(CONSUME) == [], "the server was asked"


@proves("LIC-RSV-006")
def check_the_same_key_without_the_server(world: World) -> None:
    license_ = metered(world)
    reserve(world, license_)
    away = away_in(world, license_)
    made = spend(world, away, "order-1", 3)
    again = spend(world, away, "order-1", 3, case="again-reserved")
    assert again["replayed"] is True, "it was charged again"
    assert again["ledgerEntryId"] == made["ledgerEntryId"], "it is another charge"
    assert len(lines(world)) == 1, "it is in the journal twice"
    for fields in ({"quantity": 4}, {"featureName": "render", "quantity": 3}):
        charge = {"featureName": "export", "idempotencyKey": "order-1", **fields}
        error = world.driver.error("consume", client=away, **charge)
        expect(error, {"code": "IdempotencyKeyReused", "idempotencyKey": "order-1"})


@proves("LIC-RSV-007")
def check_a_charge_beyond_the_rest(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    away = away_in(world, license_)
    spend(world, away, "order-1", 8)
    charge = {"featureName": "export", "quantity": 3, "idempotencyKey": "order-2"}
    error = world.driver.error("consume", client=away, **charge)
    expect(error, {"code": "InsufficientBalance", "idempotencyKey": "order-2"})
    assert (Decimal(error["cost"]), Decimal(error["balance"])) == (3, 2), "cost or rest is wrong"
    online = world.driver.call("consume", client=lease["client"], **charge, case="online")
    expect(online, {"reserved": False})
    assert Decimal(online["balance"]) == 7, "it was not charged to the balance"
    assert spend(world, away, "order-3", 2)["reserved"] is True, "the rest is not spent"
    assert len(lines(world)) == 2, "the journal has other charges"


@proves("LIC-RSV-008")
def check_reporting_what_was_spent(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    jkt = world.driver.call("identity", client=lease["client"])["jkt"]
    for number in (1, 2):
        spend(world, lease["client"], f"order-{number}", number)
    reported = world.driver.call("report_credits", reserved=lease["reserved"], case="reported")
    expect(reported, {"unreported": 0})
    spend(world, lease["client"], "order-3", 3)
    world.driver.call("report_credits", reserved=lease["reserved"])
    first, second = (entry["body"] for entry in world.requests(action(lease, "report")))
    journal = lines(world)
    assert (first["journal"], second["journal"]) == (journal[:2], journal[2:]), "other lines"
    found = open_receipt(second["receipt"])
    assert found.pop("jkt") == jkt, "it is signed by another key"
    assert isinstance(found.pop("iat", None), int), "it has no time"
    expected = {
        "aud": world.product["productId"],
        "lease": lease["leaseId"],
        "seq": 1,
        "kind": "Used",
        "used": "6",
        "lines": 3,
        "head": hash_of(journal[2]),
    }
    assert found == expected, f"the receipt says {found}"
    assert balance(world, license_) == 10, "the charges went to the balance"
    (entry,) = world.state_of(license_)["leases"]
    assert (Decimal(str(entry["held"])), entry["settledLines"]) == (4, 3), "they are not settled"


@proves("LIC-RSV-009")
def check_returning_the_rest(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    spend(world, lease["client"], "order-1", 3)
    journal = lines(world)
    world.driver.call("return_credits", reserved=lease["reserved"])
    (entry,) = world.requests(action(lease, "return"))
    assert entry["body"]["journal"] == journal, "other lines are reported"
    expected = {"kind": "Returned", "used": "3", "lines": 1, "head": hash_of(journal[0])}
    expect(open_receipt(entry["body"]["receipt"]), expected)
    assert (kept(world), kept(world, ".journal")) == ("", ""), "the files are still there"
    found = world.driver.call("reserved_credits", client=lease["client"])
    expect(found, {"leaseId": None})
    assert balance(world, license_) == 17, "the rest is not in the balance"
    assert states(world, license_) == ["Returned"]


@proves("LIC-RSV-009")
def check_returning_the_rest_without_the_server(world: World) -> None:
    license_ = metered(world)
    first = world.another_driver()
    reserve(world, license_, first)
    away = away_in(world, license_, first)
    spend(world, away, "order-1", 3, first)
    lease = first.call("reserved_credits", client=away)
    first.error("return_credits", reserved=lease["reserved"])
    first.end("kill")
    content = json.loads(kept(world))
    assert content.get("returning"), "nothing is kept to be reported"
    assert "token" not in content, "the credits may still be spent"
    away = away_in(world, license_)
    expect(world.driver.call("reserved_credits", client=away), {"leaseId": None})
    world.driver.error(
        "consume", client=away, featureName="export", quantity=1, idempotencyKey="order-2"
    )
    world.driver.call("validate", client=client_in(world, license_))
    sent = [entry["body"]["receipt"] for entry in world.requests(action(lease, "return"))]
    assert sent == [content["returning"]], "it is not reported as it was written"
    assert balance(world, license_) == 17, "the rest is not in the balance"


@proves("LIC-RSV-010")
def check_a_long_journal(world: World) -> None:
    license_ = metered(world, initialMeterBalance=2000, maxOfflineCredits=2000)
    lease = reserve(world, license_, amount="1500")
    spend(world, lease["client"], "order-1")
    write_charges(world, 1203)
    world.driver.call("return_credits", reserved=lease["reserved"])
    reports = [entry["body"] for entry in world.requests(action(lease, "report"))]
    (returned,) = [entry["body"] for entry in world.requests(action(lease, "return"))]
    sizes = [len(body["journal"]) for body in (*reports, returned)]
    assert sum(sizes) == 1203, f"it has sent {sizes} lines"
    assert max(sizes) <= 500, f"it has sent {sizes} lines"
    assert balance(world, license_) == 2000 - 1203, "other charges were made"


def write_charges(world: World, number: int) -> None:
    """Let the journal have so many charges, as if the application had made them."""
    path = path_of(world, ".journal")

    def write() -> None:
        text = path.read_text(encoding="utf-8")
        last = text.splitlines()[-1]
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            for n in range(text.count("\n"), number + 1):
                content = {**json.loads(last), "n": n, "key": f"order-{n}", "prev": hash_of(last)}
                last = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
                stream.write(f"{last}\n")

    world.observer.observe("disk", "written charges", {}, write)


@proves("LIC-RSV-011")
def check_renewing_credits(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    spend(world, lease["client"], "order-1", 3)
    renewed = world.driver.call("renew_credits", reserved=lease["reserved"], days=20)
    expect(renewed, {"leaseId": lease["leaseId"], "seq": 2, "unreported": 0})
    assert Decimal(renewed["remaining"]) == 7, f"{renewed['remaining']} remain"
    assert parsed(renewed["endsAt"]) > parsed(lease["endsAt"]), "they do not end later"
    sent = [entry["path"] for entry in world.requests() if entry["path"].startswith(LEASES)]
    assert sent == [LEASES, action(lease, "report"), action(lease, "renew")], f"it sent {sent}"
    (entry,) = world.requests(action(lease, "renew"))
    expect(entry["body"], {"days": 20, "seq": 1})


@proves("LIC-RSV-012")
def check_the_lost_answer_of_a_reservation(world: World) -> None:
    license_ = metered(world)
    first = world.another_driver()
    client = client_in(world, license_, first)
    world.fault(LEASES, times=9, dropped=True, processed=True)
    first.error("reserve", client=client, credits="10", days=DAYS)
    first.end("kill")
    world.control("DELETE", "/faults")
    expect(reserve(world, license_), {"seq": 1})
    sent = {json.dumps(entry["body"], sort_keys=True) for entry in world.requests(LEASES)}
    assert len(sent) == 1, "it has asked for others after the lost answer"
    assert states(world, license_) == ["Open"]
    assert balance(world, license_) == 10, "they were reserved twice"


@proves("LIC-RSV-012")
def check_the_lost_answers_of_reports_and_returns(world: World) -> None:
    license_ = metered(world)
    first = world.another_driver()
    lease = reserve(world, license_, first)
    for name, operation in (("report", "report_credits"), ("return", "return_credits")):
        spend(world, lease["client"], f"order-{name}", 2, first)
        world.fault(action(lease, name), times=9, dropped=True, processed=True)
        first.error(operation, reserved=lease["reserved"])
        world.control("DELETE", "/faults")
    first.end("kill")
    client = client_in(world, license_)
    expect(world.driver.call("reserved_credits", client=client), {"leaseId": None})
    assert balance(world, license_) == 16, "charges were made twice, or the rest is lost"
    assert kept(world) == "", "the file is still there"


@proves("LIC-RSV-013")
def check_a_copied_folder_with_credits(world: World) -> None:
    license_ = metered(world)
    reserve(world, license_)
    elsewhere = client_in(world, license_, hardwareId=OTHER_HARDWARE, serverBaseEndpoint=NOWHERE)
    found = world.driver.call("reserved_credits", client=elsewhere, case="credits-elsewhere")
    expect(found, {"leaseId": None})
    other_key = load("leases")["keys"][0]["privateKey"]
    (world.folder / "device-key.json").write_text(json.dumps(other_key))
    away = away_in(world, license_)
    expect(world.driver.call("reserved_credits", client=away), {"leaseId": None})


@proves("LIC-RSV-013")
def check_copies_spend_the_same_credits(world: World) -> None:
    license_ = metered(world)
    reserve(world, license_)
    drivers = [world.another_driver(), world.another_driver()]
    away = [away_in(world, license_, driver) for driver in drivers]
    for number in range(1, 5):
        copy = number % 2
        charge = spend(world, away[copy], f"order-{number}", 2, drivers[copy])
        assert Decimal(charge["balance"]) == 10 - 2 * number, "it does not see the other's"
    again = spend(world, away[0], "order-1", 2, drivers[0], case="of-the-other-copy")
    assert again["replayed"] is True, "what the other copy has charged was charged again"
    found = world.driver.call("reserved_credits", client=away_in(world, license_))
    expect(found, {"unreported": 4})


@proves("LIC-RSV-014")
def check_refusals_of_reservations(world: World) -> None:
    license_ = metered(world)
    client = client_in(world, license_)
    for given in ({"credits": "16", "days": DAYS}, {"credits": "10", "days": 31}):
        error = world.driver.error("reserve", client=client, **given)
        expect(error, {"code": "LeaseRefused", "errorCode": "LeaseLimitReached"})
    reserve(world, license_)
    error = world.driver.error("reserve", client=client, credits="1", days=DAYS)
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseLimitReached"})
    for amount in ("0", "-1", "0.0000001"):
        error = world.driver.error("reserve", client=client, credits=amount, days=DAYS)
        expect(error, {"code": "InvalidArgument"})


@proves("LIC-RSV-014")
def check_a_restored_journal(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    saved = {suffix: kept(world, suffix) for suffix in (".credits", ".journal")}
    spend(world, lease["client"], "order-1", 2)
    world.driver.call("report_credits", reserved=lease["reserved"])
    for suffix, text in saved.items():
        path_of(world, suffix).write_text(text)
    client = client_in(world, license_)
    spend(world, client, "order-2", 3)
    found = world.driver.call("reserved_credits", client=client)
    error = world.driver.error("report_credits", reserved=found["reserved"])
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseForked"})
    assert states(world, license_) == ["Forked"]


@proves("LIC-RSV-014")
def check_a_refusal_while_credits_are_away(world: World) -> None:
    license_ = metered(world)
    lease = reserve(world, license_)
    world.vendor(license_, "recall")
    error = world.driver.error("renew_credits", reserved=lease["reserved"], days=20)
    expect(error, {"code": "LeaseRefused", "errorCode": "LeaseLimitReached"})
    assert spend(world, away_in(world, license_), "order-1")["reserved"] is True
    world.vendor(license_, "revoke")
    client = client_in(world, license_)
    for operation in ("validate_online", "verify_offline"):
        result = world.driver.call(operation, client=client)
        expect(result, {"status": "Revoked", "valid": False, "leaseEndsAt": None})
    expect(world.driver.call("reserved_credits", client=client), {"leaseId": None})


@proves("LIC-RSV-015")
def check_the_end_of_reserved_credits(world: World) -> None:
    world.reset()
    world.set_time(NOON.isoformat())
    license_ = metered(world)
    lease = reserve(world, license_)
    away = away_in(world, license_)
    spend(world, away, "order-1", 3)
    world.set_time((NOON + timedelta(days=DAYS)).isoformat())
    result = world.driver.call("verify_offline", client=away)
    expect(result, {"valid": False, "leaseEndsAt": None})
    expect(world.driver.call("reserved_credits", client=away), {"leaseId": None})
    world.driver.error(
        "consume", client=away, featureName="export", quantity=1, idempotencyKey="order-2"
    )
    world.driver.call("validate", client=client_in(world, license_))
    assert len(world.requests(action(lease, "return"))) == 1, "they were not returned"
    assert balance(world, license_) == 17, "the rest is not in the balance"


@proves("LIC-RSV-015")
def check_credits_under_a_clock_set_back(world: World) -> None:
    world.reset()
    world.set_time(NOON.isoformat())
    license_ = metered(world)
    reserve(world, license_)
    world.driver.call("set_clock", now=(NOON - timedelta(days=40)).isoformat())
    away = away_in(world, license_)
    result = world.driver.call("verify_offline", client=away)
    expect(result, {"status": "ClockTampered", "valid": False, "leaseEndsAt": None})
    world.driver.error(
        "consume", client=away, featureName="export", quantity=1, idempotencyKey="order-1"
    )
    assert lines(world) == [], "it was charged"
