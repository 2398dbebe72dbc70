"""`demo` prints commands to paste; they are run exactly as printed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
from e2e.environment import environment
from e2e.process import NewService, Service
from patience import PATIENCE_S, eventually

REPOSITORY = Path(__file__).parents[3]
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


def sold(owner: httpx.Client) -> list[str]:
    """The statuses of the orders of the web shop."""
    return sorted(item["status"] for item in owner.get("/api/orders").json()["items"])


def test_what_the_demonstration_prints_works(new_installation: NewService) -> None:
    service = new_installation()
    service.start(subcommand="demo")
    printed = introduction(service)
    facts = dict(re.findall(rf"^  ({'|'.join(LABELS)}) +(.+)$", printed, re.MULTILINE))
    assert facts.keys() == set(LABELS)
    assert facts["Dashboard"] == service.address
    assert facts["Product key"].startswith("pk_")
    assert Path(facts["License file"]).is_file()
    email, password = facts["Sign-in"].split()

    with service.sign_in(email, password) as owner:
        listed = owner.get("/api/licenses?pageSize=100").json()["items"]
        assert len({item["type"] for item in listed}) == 8
        assert {item["status"] for item in listed} == {"Active", "Expired", "Revoked", "Suspended"}
        assert [item["licenseName"] for item in listed if item["inFallback"]] == ["Pia Lang"]
        assert [item["licenseName"] for item in listed if item["updatesUntil"]] == ["Ana Silva"]
        assert owner.get("/api/products").json()["totalCount"] == 2
        figures = owner.get("/api/statistics/overview").json()
        assert (figures["pendingActivations"], figures["unreviewedAccessAttempts"]) == (1, 1)
        assert figures["liveSessions"] > 0
        usage = owner.get("/api/statistics/meter-usage").json()
        busy = [day["date"] for day in usage["dailyTrend"] if day["consumed"] > 0]
        assert len(busy) >= 29, "six weeks lie behind the vendor"
        assert [item["licenseName"] for item in usage["lowBalanceLicenses"]] == ["Night renders"]
        assert owner.post("/api/meter/reconcile").json() == {"checked": 3, "mismatches": []}
        findings = owner.get("/api/doctor").json()["findings"]
        assert {item["name"]: item["examples"] for item in findings if item["count"]} == {}
        assert owner.get(facts["API page"]).is_success
        eventually(lambda: sold(owner) == ["Fulfilled", "Fulfilled", "Unmatched"], "the shop sells")

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
    assert "Week 6 of 6" in service.output()

    assert service.stop() == 0
    service.start(subcommand="demo")
    assert introduction(service) == printed
    with service.sign_in(email, password) as owner:
        assert owner.get("/api/products").json()["totalCount"] == 2


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
