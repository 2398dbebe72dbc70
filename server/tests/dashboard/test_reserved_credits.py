"""Credits that devices reserve: allowed, listed, recalled, and allowed again after a fork."""

import json
import re
from dataclasses import dataclass, field

import httpx
from dashboard.checks import examine
from dashboard.license_page import button, confirm, do, opened
from dashboard.vendor import Json, Workspace
from devices.proving import KeyOfDevice
from e2e.process import NO_TLS
from leases.reserver import Journal, plain
from playwright.sync_api import Locator, Page, expect

from licet_server.kit.clock import system_clock


@dataclass
class Box:
    """A machine with a key of its own, and what it reserved."""

    workspace: Workspace
    name: str
    key: KeyOfDevice = field(default_factory=KeyOfDevice)

    def send(self, path: str, **body: object) -> httpx.Response:
        url, content = str(self.workspace.owner.base_url.join(path)), json.dumps(body).encode()
        headers = {
            "x-api-key": self.workspace.api_key,
            "dpop": self.key.prove(system_clock(), "POST", url, content),
            "content-type": "application/json",
        }
        return httpx.post(
            url, content=content, headers=headers, trust_env=False, timeout=30, verify=NO_TLS
        )

    def reserve(self, license_: Json, amount: int) -> Journal:
        answer = self.send(
            "/api/leases",
            licenseKey=license_["licenseKey"],
            hardwareId=self.name,
            deviceName=self.name,
            kind="Credits",
            amount=amount,
            days=7,
            idempotencyKey=self.name,
        )
        assert answer.status_code == 201, answer.text
        return Journal(dict(answer.json()))

    def report(self, journal: Journal) -> int:
        """Report the whole journal; returns the status of the answer."""
        said = {
            "aud": self.workspace.product,
            "lease": journal.lease["leaseId"],
            "seq": journal.lease["seq"],
            "iat": 1,
            "kind": "Used",
            "used": plain(journal.used),
            "lines": len(journal.lines),
            "head": journal.head,
        }
        receipt = self.key.sign(json.dumps(said).encode(), typ="receipt+jwt")
        path = f"/api/leases/{journal.lease['leaseId']}/report"
        return self.send(path, receipt=receipt, journal=journal.lines).status_code


def row_of(page: Page, box: Box) -> Locator:
    return page.get_by_role("row", name=re.compile(box.name))


def ask(page: Page, box: Box, action: str) -> Locator:
    button(row_of(page, box), f"Actions for {box.name}").click()
    page.get_by_role("menuitem", name=action).click()
    return page.get_by_role("dialog")


def test_reserved_credits_are_allowed_listed_and_recalled_by_force(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.feature("render", cost=2.5)
    made = workspace.issue("MeteredToken", initialMeterBalance=100)
    opened(page, made, "meter/reserved")
    expect(page.get_by_text("Nothing is reserved")).to_be_visible()
    dialog = do(page, "Edit")
    dialog.get_by_label("Reserved credits at most").fill("50")
    dialog.get_by_label("Reserved for at most (days)").fill("14")
    dialog.get_by_label("Reserved, but not reported").click()
    page.get_by_role("option", name="Returned to the balance").click()
    confirm(dialog, "Save")

    box = Box(workspace, "Render box")
    journal = box.reserve(made, 40)
    journal.spend("render", 2)
    assert box.report(journal) == 200
    opened(page, made, "meter/reserved")
    balance = page.get_by_role("region", name="Balance")
    expect(balance).to_contain_text("60 credits")
    expect(balance).to_contain_text("devices have reserved 35 credits")
    for figure in ("40", "5", "35"):
        expect(row_of(page, box).get_by_role("cell", name=figure, exact=True)).to_be_visible()
    expect(row_of(page, box)).to_contain_text("Rest returned on")
    examine(page, "license-reserved")

    dialog = ask(page, box, "Recall by force")
    expect(dialog).to_contain_text("returns 35 credits to the balance")
    confirm(dialog, "Recall by force")
    expect(balance).to_contain_text("95 credits")
    expect(row_of(page, box)).to_contain_text("Rest returned by an operator")
    button(page, "Ledger").click()
    ledger = page.get_by_role("region", name="Ledger")
    expect(ledger.get_by_text("Reservation of Render box")).to_have_count(4)
    expect(ledger.get_by_role("row", name=re.compile("Reserved by a device"))).to_contain_text(
        "\u221240"
    )


def test_device_whose_copy_spent_too_may_reserve_again_once_that_is_acknowledged(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue(
        "MeteredCount", initialMeterBalance=100, maxBorrowDays=14, maxOfflineCredits=50
    )
    box = Box(workspace, "Render box")
    journal = box.reserve(made, 40)
    copy = journal.copy()
    journal.spend("render", 2, "1")
    copy.spend("render", 3, "1")
    assert box.report(journal) == 200
    assert box.report(copy) == 409
    opened(page, made, "meter/reserved")
    row = row_of(page, box)
    expect(row).to_contain_text("Used by a copy")
    expect(row).to_contain_text("The device reserves nothing else")
    dialog = ask(page, box, "Let it reserve again")
    confirm(dialog, "Let the device reserve again")
    expect(row).not_to_contain_text("The device reserves nothing else")
