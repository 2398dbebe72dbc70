"""The commands of docs/automation.md, as they stand there, against a running service."""

import csv
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from e2e.process import Service
from e2e.vendor import Vendor, make_vendor

PAGE = Path(__file__).parents[3] / "docs" / "automation.md"
_BLOCK = re.compile(r"^```(sh|python) (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(language: str, program: str) -> str:
    """The blocks of a program, in the order of the page."""
    found = [
        text
        for kind, name, text in _BLOCK.findall(PAGE.read_text())
        if (kind, name) == (language, program)
    ]
    assert found
    return "\n".join(found)


@pytest.fixture(scope="module")
def vendor(owner: httpx.Client) -> Vendor:
    return make_vendor(owner)


def key_of(vendor: Vendor, *scopes: str) -> str:
    made = vendor.ok("POST", "/api/api-keys", {"name": "Automation", "scopes": scopes})
    return str(made["secret"])


def run(command: list[str], service: Service, vendor: Vendor, key: str, folder: Path) -> list[str]:
    """Run a program that has the API key and no other credential; return the lines it prints."""
    place = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {"LICET_URL": service.address, "LICET_API_KEY": key, "PRODUCT": vendor.product}
    ended = subprocess.run(
        command,
        env={"PATH": place, **variables},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout.splitlines()


def shell(script: str) -> list[str]:
    return ["bash", "-euo", "pipefail", "-c", script]


def issued(vendor: Vendor, order: str) -> dict[str, Any]:
    [found] = vendor.ok("GET", f"/api/licenses?search=Order%20{order}")["items"]
    return dict(found)


def ledger(vendor: Vendor, license_id: str) -> list[tuple[str, float, str | None]]:
    entries = vendor.ok("GET", f"/api/licenses/{license_id}/ledger")["items"]
    return [(item["type"], item["amount"], item["externalReference"]) for item in entries]


@pytest.mark.specification("mission-4")
def test_a_billing_system_needs_an_api_key_alone(
    service: Service, vendor: Vendor, tmp_path: Path
) -> None:
    key = key_of(vendor, "Licenses.Write", "Meter.Write")
    script = commands("sh", "billing")
    printed = run(shell(script), service, vendor, key, tmp_path)
    subscription, wallet = issued(vendor, "1001"), issued(vendor, "1002")
    assert subscription["expirationDate"] == "2042-01-01T00:00:00Z"
    assert subscription["metadata"] == {"order": "1001"}
    assert [printed[0], printed[1], printed[2]] == [subscription["licenseKey"], "Active", "150"]
    assert printed[-1] == "150"
    assert ledger(vendor, wallet["id"]) == [
        ("AdminGrant", 50, "INV-2077"),
        ("InitialGrant", 100, None),
    ]
    with (tmp_path / "ledger.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert sorted(float(row["amount"]) for row in rows) == [50, 100]
    # Run again, as after a lost answer: no second license, no second top-up.
    assert run(shell(script), service, vendor, key, tmp_path)[0] == subscription["licenseKey"]
    assert len(ledger(vendor, wallet["id"])) == 2


@pytest.mark.specification("mission-4")
def test_a_billing_system_in_python(service: Service, vendor: Vendor, tmp_path: Path) -> None:
    key = key_of(vendor, "Licenses.Write", "Meter.Write")
    program = [sys.executable, "-c", commands("python", "billing")]
    printed = run(program, service, vendor, key, tmp_path)
    assert float(printed[0]) == 150
    assert printed[1] == "[('InitialGrant', 100), ('AdminGrant', 50)]"
    assert issued(vendor, "2001")["expirationDate"] == "2042-01-01T00:00:00Z"
    assert run(program, service, vendor, key, tmp_path) == printed


@pytest.mark.specification("mission-4")
def test_a_build_server_publishes_with_an_api_key_alone(
    service: Service, vendor: Vendor, tmp_path: Path
) -> None:
    key = key_of(vendor, "Releases.Write")
    content = os.urandom(300_000)
    (tmp_path / "app.tar.gz").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    printed = run(shell(commands("sh", "build")), service, vendor, key, tmp_path)
    assert printed == [digest, "Published"]
    query = {"currentVersion": "2.1.0", "platform": "linux-x64"}
    with service.client() as application:
        headers = {"X-API-KEY": vendor.api_key}
        offer = application.get("/api/updates/latest", params=query, headers=headers).json()
        assert (offer["updateAvailable"], offer["version"]) == (True, "2.2.0")
        [file] = offer["files"]
        assert file["sha256"] == digest
        assert application.get(file["downloadUrl"]).content == content
        # It publishes, and does nothing else.
        with_key = {"X-API-KEY": key}
        for path in ("/api/licenses", "/api/products", "/api/webhooks"):
            assert application.get(path, headers=with_key).status_code == 403


def test_without_the_scope_the_walk_stops_with_a_reason(
    service: Service, vendor: Vendor, tmp_path: Path
) -> None:
    """A control: the commands fail where they must, and say why."""
    key = key_of(vendor, "Licenses.Write")
    with pytest.raises(AssertionError, match=r"scope Meter\.Write"):
        run(shell(commands("sh", "billing")), service, vendor, key, tmp_path)
