"""`demo` prints commands to paste; they are run exactly as printed."""

import json
import re
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from e2e.environment import environment
from e2e.process import NewService, Service
from patience import PATIENCE_S, eventually

REPOSITORY = Path(__file__).parents[3]
Json = dict[str, Any]
LAST = "The data is kept for the next start."
LABELS = ("Dashboard", "API page", "Sign-in", "Product key", "License key", "License file")


def paste(text: str) -> str:
    """What a shell in the repository makes of it."""
    done = subprocess.run(
        ["/bin/sh", "-c", text],
        cwd=REPOSITORY,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def introduction(service: Service) -> str:
    """From the first label to the last sentence; the log may go on after it."""
    said = service.output()
    assert "Traceback" not in said
    return said[said.index("  Dashboard ") : said.index(LAST) + len(LAST)]


def all_of(owner: httpx.Client, path: str) -> list[Json]:
    """All pages of a list."""
    found: list[Json] = []
    while True:
        page = owner.get(path, params={"page": len(found) // 100 + 1, "pageSize": 100})
        found += page.raise_for_status().json()["items"]
        if len(found) >= page.json()["totalCount"]:
            return found


def at(owner: httpx.Client, path: str) -> Json:
    return dict(owner.get(path).raise_for_status().json())


def named(items: list[Json], field: str) -> set[str]:
    """The names of the licenses of which this holds."""
    return {item["licenseName"] for item in items if item[field]}


def says(service: Service, line: str) -> bool:
    return line in service.output()


def has_customers(service: Service, share: float) -> bool:
    """Whether the progress names so many of all customers."""
    counted = re.findall(r"licenses: (\d+) of (\d+) customers$", service.output(), re.MULTILINE)
    return any(int(came) >= share * int(all_) for came, all_ in counted)


def test_what_the_demonstration_prints_works(new_installation: NewService) -> None:
    service = new_installation()
    service.begin(subcommand="demo")
    eventually(partial(says, service, "Founding a sample vendor"), "it begins")
    for share in (1, 2, 3):
        waited = partial(has_customers, service, share / 4)
        eventually(waited, f"{share} quarters of the customers came")
    eventually(service.is_ready, "the service is ready")
    assert "\r" not in service.output(), "it is not on a terminal"
    printed = introduction(service)
    facts = dict(re.findall(rf"^  ({'|'.join(LABELS)}) +(.+)$", printed, re.MULTILINE))
    assert facts.keys() == set(LABELS)
    assert facts["Dashboard"] == service.address
    assert facts["Product key"].startswith("pk_")
    assert Path(facts["License file"]).is_file()
    email, password = facts["Sign-in"].split()

    with service.sign_in(email, password) as owner:
        listed = all_of(owner, "/api/licenses")
        assert len({item["type"] for item in listed}) == 8
        assert {item["status"] for item in listed} == {"Active", "Expired", "Revoked", "Suspended"}
        assert named(listed, "inFallback") == {"Pia Lang"}
        assert "Ana Silva" in named(listed, "updatesUntil")
        check_what_operators_did(owner, listed)
        assert at(owner, "/api/products")["totalCount"] == 4
        assert 380 <= at(owner, "/api/customers")["totalCount"] <= 440
        figures = at(owner, "/api/statistics/overview")
        assert figures["pendingActivations"] == 1
        institution = at(owner, "/api/auth/me")["memberships"][0]["institutionId"]
        members = at(owner, f"/api/institutions/{institution}/members")
        assert members["totalCount"] == 5
        check_team(members["items"])
        check_sales(owner)
        check_without_a_network(owner, listed)
        check_what_is_connected(owner, listed)
        check_what_to_try(owner, institution)
        usage = owner.get("/api/statistics/meter-usage").json()
        busy = [day["date"] for day in usage["dailyTrend"] if day["consumed"] > 0]
        assert len(busy) >= 29, "years lie behind the vendor"
        assert [item["licenseName"] for item in usage["lowBalanceLicenses"]] == ["Night renders"]
        assert owner.post("/api/meter/reconcile").json() == {
            "checked": sum(item["meterMode"] is not None for item in listed),
            "mismatches": [],
        }
        findings = owner.get("/api/doctor").json()["findings"]
        assert {item["name"]: item["examples"] for item in findings if item["count"]} == {}
        assert owner.get(facts["API page"]).is_success

    curl = re.search(r"^curl .*\\\n.*$", printed, re.MULTILINE)
    assert curl, printed
    if shutil.which("curl"):
        assert '"valid":true' in paste(curl[0])

    pattern = re.compile(r"^\.venv/bin/python (- <<'PY'\n.*?\nPY)$", re.MULTILINE | re.DOTALL)
    snippet = pattern.search(printed)
    assert snippet, printed
    python = ".venv/bin/python" if (REPOSITORY / ".venv/bin/python").exists() else sys.executable
    said = paste(f"{python} {snippet[1]}")
    assert re.match(r"opened: Valid .*'batch-export'.*\nseats: 1 of 5\nonline: Valid$", said)
    summary = json.loads((service.folder / "demo.json").read_text())
    assert summary["server"] == f"{service.address}/api"

    assert service.stop() == 0
    service.start(subcommand="demo")
    assert introduction(service) == printed
    with service.sign_in(email, password) as owner:
        assert at(owner, "/api/products")["totalCount"] == 4
        assert len(at(owner, f"/api/institutions/{institution}/home")["toTry"]) == 7


def check_what_operators_did(owner: httpx.Client, listed: list[Json]) -> None:
    """Tags of many licenses, a replaced key, a revocation that was undone, a key in advance, a
    term of a calendar month, a customer with a new address, and one trial per device.
    """
    assert {tag for item in listed for tag in item["tags"]} == {"renderer", "key account"}
    institution = listed[0]["institutionId"]
    for kind, name in (("license.rekeyed", "Sam Okafor"), ("license.restored", "Vera Popescu")):
        path = f"/api/institutions/{institution}/audit?kind={kind}"
        [entry] = at(owner, path)["items"]
        [changed] = [item for item in listed if item["id"] == entry["subjectId"]]
        assert (changed["licenseName"], changed["status"]) == (name, "Active")
    [studio] = {item["productId"] for item in listed if item["licenseName"] == "Sam Okafor"}
    assert at(owner, f"/api/products/{studio}/keys/status")["next"] is not None
    policies = at(owner, f"/api/policies?productId={studio}&pageSize=100")["items"]
    monthly = {item["id"] for item in policies if item["durationMonths"]}
    assert [item["licenseName"] for item in listed if item["policyId"] in monthly] == ["Zoe Marsh"]
    [moved] = [item for item in listed if item["licenseName"] == "Eva Lind"]
    assert moved["issuedTo"] == "eva@lind-retouching.example"
    [again] = [item for item in listed if item["licenseName"] == "Tom Weber, once more"]
    asked = at(owner, f"/api/licenses/{again['id']}/requests")["items"]
    assert {item["status"] for item in asked} == {"TrialAlreadyUsed"}


def check_team(members: list[Json]) -> None:
    """Colleagues who joined one by one; Members have products."""
    assert len({item["joinedAt"][:10] for item in members}) == 5
    assert all(item["productIds"] for item in members if item["role"] == "Member")


def check_sales(owner: httpx.Client) -> None:
    """Orders of two years: all kinds, with what was paid, and each year more than before."""
    orders = all_of(owner, "/api/orders")
    assert {item["status"] for item in orders} == {
        "Fulfilled",
        "Unmatched",
        "Canceled",
        "Refunded",
        "Open",
    }
    assert {item["currency"] for item in orders} >= {"EUR", "USD", "GBP", "JPY"}
    assert all(item["amount"] for item in orders)
    assert sum(item["testMode"] for item in orders) == 1
    [refunded] = [item for item in orders if item["refundedAmount"]]
    assert refunded["refundedAmount"] == refunded["amount"]
    days = sorted(datetime.fromisoformat(item["createdAt"]) for item in orders)
    assert days[-1] - days[0] > timedelta(days=700)
    assert days[-1] - days[len(days) // 2] < timedelta(days=365), "more and more is sold"
    renewals = at(owner, "/api/statistics/renewals")
    assert renewals["renewed"] > 0
    assert renewals["lapsed"] > 0


def check_without_a_network(owner: httpx.Client, listed: list[Json]) -> None:
    """One machine spends reserved credits and has reported, one is activated, and one waits."""
    [credits_] = [item for item in listed if item["licenseName"] == "Render credits"]
    [lease] = all_of(owner, f"/api/licenses/{credits_['id']}/leases")
    assert (lease["kind"], lease["state"], lease["quantity"]) == ("Credits", "Open", 150)
    assert (lease["settledLines"], lease["spent"], lease["held"]) == (5, 60, 90)
    assert at(owner, f"/api/meter/balance/{credits_['id']}")["held"] == 90
    asked = all_of(owner, "/api/offline/requests")
    assert {item["deviceName"]: item["state"] for item in asked} == {
        "Lock chamber": "Waiting",
        "Turbine hall": "Answered",
    }


def check_what_is_connected(owner: httpx.Client, listed: list[Json]) -> None:
    """A webhook whose receiver was down for a day, an API key in use, and two companies."""
    [webhook] = at(owner, "/api/webhooks")["items"]
    deliveries = all_of(owner, f"/api/webhooks/{webhook['id']}/deliveries")
    assert {item["status"] for item in deliveries} == {"Delivered"}
    assert {item["attempts"] for item in deliveries} == {1, 2}
    keys = at(owner, "/api/api-keys")["items"]
    assert {key["name"] for key in keys if key["lastUsedAt"]} == {
        "Nightly report",
        "Trials on the website",
    }
    companies = {item["customerInstitutionId"] for item in listed} - {None}
    assert len(companies) == 2
    [product] = {item["productId"] for item in listed if item["customerInstitutionId"]}
    associations = at(owner, f"/api/products/{product}/associations")["items"]
    assert sorted(item["status"] for item in associations) == [
        "Associated",
        "Associated",
        "Invited",
    ]


def check_what_to_try(owner: httpx.Client, institution: str) -> None:
    """Each situation is as its sentence on Home says."""
    found = at(owner, f"/api/institutions/{institution}/home")["toTry"]
    ids = {item["kind"]: item["id"] for item in found}
    licenses = {
        kind: at(owner, f"/api/licenses/{ids[kind]}")
        for kind in ("SuspendedLicense", "SharedKey", "FullPool", "OfflineSeat", "IdleFleet")
    }
    assert licenses["SuspendedLicense"]["status"] == "Suspended"
    assert licenses["SharedKey"]["unreviewedAccessAttempts"] >= 9
    pool = licenses["FullPool"]
    assert pool["seatsUsed"] == pool["maxActiveUsersCount"]
    assert pool["seatsAway"] == 1, "one of the seats is borrowed"
    assert licenses["OfflineSeat"]["activationMode"] == "Offline"
    path = f"/api/licenses/{ids['OfflineSeat']}/activations"
    assert sum(item["seatFreeAt"] is not None for item in all_of(owner, path)) == 1
    fleet = licenses["IdleFleet"]
    assert fleet["seatsUsed"] == fleet["maxActiveUsersCount"], "a new container takes an idle seat"
    counts = at(owner, f"/api/licenses/{fleet['id']}/counts")
    assert 0 < counts["reclaimableDevices"] < counts["activeDevices"]
    keys = all_of(owner, f"/api/licenses/{fleet['id']}/enrollment-keys")
    enrolled = sum(key["enrolledDevices"] for key in keys)
    assert enrolled > fleet["seatsUsed"], "some seats were reclaimed"
    assert at(owner, f"/api/orders/{ids['UnmatchedOrder']}")["status"] == "Unmatched"
    [disputed] = at(owner, f"/api/orders/{ids['DisputedOrder']}")["licenseIds"]
    assert at(owner, f"/api/licenses/{disputed}")["status"] == "Suspended"


def test_one_that_is_cut_off_says_so_at_the_next_start(
    new_embedded_service: NewService,
) -> None:
    """Ended in the middle of a request that it sends itself, where an exit could be swallowed."""
    service = new_embedded_service()
    service.begin(subcommand="demo")
    files = service.folder / "files"
    eventually(lambda: any(files.glob("*/*")), "the first release has its files")
    assert service.stop() == 0
    service.begin(subcommand="demo")
    assert service.process is not None
    assert service.process.wait(PATIENCE_S) == 1
    assert "was interrupted while it was being created. Remove the folder" in service.output()
