"""A license and its tabs, while applications use it."""

import json
import re

import pytest
from dashboard.checks import LIGHT, PHONE, examine
from dashboard.conftest import NewPage, signed_in
from dashboard.license_page import button, confirm, do, opened, refusal, tab
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from dashboard.watching import expecting, watch_of
from patience import eventually
from playwright.sync_api import Page, Route, expect


def test_a_device_waits_is_approved_and_then_validates(
    owner_page: Page, owner_account: Person, workspace: Workspace
) -> None:
    made = workspace.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    opened(owner_page, made, "activations")
    expect(owner_page.get_by_text("No devices yet")).to_be_visible()
    assert workspace.validate(made, "Ada's laptop")["status"] == "PendingApproval"
    waiting = owner_page.get_by_role("alert").filter(
        has_text="Ada's laptop is waiting for approval"
    )
    expect(waiting).to_be_visible()
    strip = owner_page.get_by_role("region", name="Verdict")
    expect(strip).to_contain_text("1 device is rejected until you approve it")
    examine(owner_page, "license-pending")
    button(waiting, "Approve").click()
    dialog = owner_page.get_by_role("dialog")
    expect(dialog).to_contain_text("all other devices are rejected")
    confirm(dialog, "Approve device")
    expect(waiting).to_be_hidden()
    expect(owner_page.get_by_role("row", name=re.compile("Ada's laptop"))).to_contain_text("Active")
    assert workspace.validate(made, "Ada's laptop")["status"] == "Valid"
    tab(owner_page, "Events").click()
    approved = f"{owner_account.name} approved Ada's laptop"
    expect(owner_page.get_by_text(approved)).to_be_visible()


def test_a_note_is_added_by_keyboard_and_stands_in_the_timeline_with_its_author(
    owner_page: Page, owner_account: Person, workspace: Workspace
) -> None:
    made = workspace.issue("NodeLocked", licenseName="Marmot")
    opened(owner_page, made).keyboard.press("n")
    field = owner_page.get_by_role("textbox", name="Add a note")
    expect(field).to_be_focused()
    owner_page.keyboard.type("Paul called.")
    owner_page.keyboard.press("Shift+Enter")
    owner_page.keyboard.type("He waits.")
    owner_page.keyboard.press("Enter")
    expect(field).to_have_value("")
    note = owner_page.get_by_role("listitem").filter(has_text="Paul called.\nHe waits.")
    expect(note).to_contain_text(owner_account.name)
    owner_page.keyboard.press("Escape")
    go(owner_page, "/licenses")
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type("note marmot")
    offers = owner_page.get_by_role("group", name="Do it").get_by_role("option")
    expect(offers).to_have_text([re.compile("Add a note: Marmot")])
    owner_page.keyboard.press("Enter")
    expect(field).to_be_focused()
    expect(owner_page).not_to_have_url(re.compile("act="))
    examine(owner_page, "license-note")


def test_what_applications_requested_is_listed_with_its_result(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("NodeLocked")
    opened(owner_page, made, "diagnose")
    expect(owner_page.get_by_text("No requests yet")).to_be_visible()
    workspace.validate(made, "Ada's laptop")
    for _ in range(3):
        assert workspace.validate(made, "Other laptop")["status"] == "HardwareMismatch"
    owner_page.reload()
    table = owner_page.get_by_role("table", name="Recent requests")
    denied = table.get_by_role("row", name=re.compile("Hardware mismatch"))
    expect(denied).to_contain_text("The license is bound to another device.")
    expect(denied).to_contain_text("Validate")
    expect(denied).to_contain_text("Othe…ptop")
    expect(denied.get_by_role("cell", name="3", exact=True)).to_be_visible()
    # What the sentence advises is done beside it.
    button(denied, "Deactivate Ada's laptop").click()
    expect(owner_page.get_by_role("dialog", name="Deactivate device")).to_be_visible()
    owner_page.keyboard.press("Escape")
    # Of several strangers, none is helped by it: they share the key.
    workspace.validate(made, "Third laptop")
    owner_page.reload()
    expect(denied).to_have_count(2)
    expect(button(owner_page, "Deactivate Ada's laptop")).to_have_count(0)
    owner_page.get_by_role("region", name="Result").get_by_role("link", name="Replace key").click()
    expect(owner_page.get_by_role("dialog", name="Replace license key")).to_be_visible()
    owner_page.keyboard.press("Escape")
    tab(owner_page, "Diagnose").click()
    expect(table.get_by_role("row", name=re.compile("The license is valid"))).to_be_visible()
    expect(table.get_by_role("row")).to_have_count(4)
    examine(owner_page, "license-requests")


def test_a_device_is_blocked_unblocked_and_removed(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Concurrent", maxActiveUsersCount=1)
    workspace.activate(made, "Anna's laptop", os="Debian 13", appVersion="2.1.0")
    opened(owner_page, made, "activations")
    row = owner_page.get_by_role("row", name=re.compile("Anna's laptop"))

    def choose(action: str) -> None:
        button(row, "Actions for Anna's laptop").click()
        owner_page.get_by_role("menuitem", name=action).click()
        confirm(owner_page.get_by_role("dialog"), f"{action} device")

    choose("Block")
    expect(row).to_contain_text("Blocked")
    asked = {"licenseKey": made["licenseKey"], "hardwareId": "Anna's laptop"}
    assert refusal(workspace, "/api/activations", asked) == "DeviceBlocked"
    button(owner_page, "Active").click()
    expect(owner_page.get_by_text("Nothing matches these filters.")).to_be_visible()
    button(owner_page, "All").click()
    owner_page.get_by_placeholder("Name or hardware ID").fill("ben's")
    expect(owner_page.get_by_text("Nothing matches these filters.")).to_be_visible()
    owner_page.get_by_placeholder("Name or hardware ID").fill("ANNA")
    choose("Unblock")
    expect(row).to_contain_text("Active")
    examine(owner_page, "license-activations")
    choose("Deactivate")
    expect(row).to_be_hidden()
    assert workspace.activate(made, "Ben's desktop")["status"] == "Active"


def test_many_devices_are_deactivated_at_once_and_those_that_are_gone_are_named(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue("Concurrent", maxActiveUsersCount=5)
    for name in ("Lab 1", "Lab 2", "Lab 3", "Gone 1", "Gone 2"):
        workspace.activate(made, name)
    listed = f"/api/licenses/{made['id']}/activations"
    opened(page, made, "activations")
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("checkbox", name="Select Lab 3").uncheck()
    bar = page.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("4 selected")
    button(bar, "Deactivate").click()
    dialog = page.get_by_role("dialog", name="Deactivate 4 devices?")
    expect(dialog.get_by_role("listitem")).to_have_count(4)
    examine(page, "license-activations-bulk", (LIGHT, PHONE))
    for gone in workspace.ok("GET", f"{listed}?search=Gone")["items"]:
        workspace.ok("POST", f"/api/activations/{gone['id']}/deactivate")
    with expecting(page, 404, path="/deactivate"):
        button(dialog, "Deactivate 4 devices").click()
        expect(page.get_by_role("status")).to_have_text("2 devices deactivated, 2 failed.")
    reason = page.get_by_role("dialog").get_by_role("listitem")
    expect(reason).to_have_count(1)
    expect(reason).to_contain_text(re.compile("Gone [12], Gone [12]: "))
    page.get_by_role("button", name="Close").click()
    left = workspace.ok("GET", listed)["items"]
    assert [device["deviceName"] for device in left] == ["Lab 3"]


def test_access_attempts_warn_until_they_are_reviewed(
    owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    made = workspace.issue("NodeLocked")
    for machine in ("Workstation", "Stranger one", "Stranger two"):
        workspace.validate(made, machine)
    opened(owner_page, made)
    # In the verdict itself, and in no second box.
    verdict = owner_page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("but 2 other devices tried its key")
    expect(owner_page.get_by_text("tried to use this license")).to_have_count(0)
    expect(tab(owner_page, "Access attempts")).to_contain_text("2")
    verdict.get_by_role("link", name="Review").click()
    rows = owner_page.get_by_role("row").filter(has_text="127.0.0.1")
    expect(rows).to_have_count(2)
    examine(owner_page, "license-attempts")
    button(rows.filter(has_text="Stranger two"), "Mark as reviewed").click()
    expect(verdict).to_contain_text("but 1 other device tried its key")
    expect(tab(owner_page, "Access attempts")).to_contain_text("1")
    button(owner_page, "Mark all as reviewed").click()
    expect(verdict).not_to_contain_text("tried its key")
    expect(tab(owner_page, "Access attempts")).to_have_text("Access attempts")
    expect(button(owner_page, "Mark as reviewed")).to_have_count(0)

    workspace.validate(made, "Stranger three")
    viewer = signed_in(new_page(), workspace.member("Viewer").email)
    opened(viewer, made)
    expect(tab(viewer, "Overview")).to_be_visible()
    expect(tab(viewer, "Access attempts")).to_be_hidden()
    expect(viewer.get_by_text("tried")).to_have_count(0)


def test_a_live_session_appears_by_itself_and_is_cut(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Floating", maxActiveUsersCount=3)
    opened(owner_page, made, "sessions")
    expect(owner_page.get_by_text("No live sessions")).to_be_visible()
    session = workspace.connect(made, "Ada's laptop", appVersion="2.1.0")
    row = owner_page.get_by_role("row", name=re.compile("Ada's laptop"))
    expect(row).to_be_visible()
    expect(owner_page.get_by_text("1 of 3 used")).to_be_visible()
    told = owner_page.get_by_role("status").filter(has_text="Ada's laptop connected")
    expect(told).to_have_count(1)
    examine(owner_page, "license-sessions")
    button(row, "Disconnect Ada's laptop").click()
    dialog = owner_page.get_by_role("dialog")
    expect(dialog).to_contain_text("frees its seat")
    confirm(dialog, "Disconnect session")
    expect(row).to_be_hidden()
    expect(owner_page.get_by_text("0 of 3 used")).to_be_visible()
    beat = {"sessionId": session["sessionId"]}
    assert refusal(workspace, "/api/sessions/heartbeat", beat) == "SessionNotFound"
    button(owner_page, "Past").click()
    expect(owner_page.get_by_text("Disconnected by an operator")).to_be_visible()
    examine(owner_page, "license-past-sessions")


def test_a_seat_of_a_full_pool_is_freed_from_the_session_idle_for_longest(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue("Floating", maxActiveUsersCount=2)
    workspace.connect(made, "Quiet desk")
    workspace.connect(made, "Busy desk")
    opened(page, made)
    page.get_by_role("link", name="Free a seat").click()
    cut = button(page, "Disconnect Quiet desk")
    expect(cut).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(button(page, "Disconnect Busy desk")).to_be_focused()
    page.get_by_role("link", name="Free a seat").click()
    expect(cut).to_be_focused()
    page.keyboard.press("?")
    told = page.get_by_role("region", name="In lists")
    expect(told).not_to_contain_text("Open the menu of the row")
    expect(told).not_to_contain_text("Select the row")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    confirms = button(page.get_by_role("dialog"), "Disconnect session")
    expect(confirms).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Session on Quiet desk disconnected.")).to_be_visible()


def test_a_tab_opens_at_its_address_while_roles_are_still_unknown(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Floating", maxActiveUsersCount=3)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    owner_page.route("**/api/auth/me", hold, times=1)
    opened(owner_page, made, "sessions")
    held[0].continue_()
    expect(owner_page.get_by_text("No live sessions")).to_be_visible()


def test_a_balance_is_granted_used_up_and_adjusted(owner_page: Page, workspace: Workspace) -> None:
    workspace.feature("export", cost=2.5)
    made = workspace.issue("MeteredToken", initialMeterBalance=5)
    opened(owner_page, made, "meter")
    balance = owner_page.get_by_role("region", name="Balance")
    ledger = owner_page.get_by_role("region", name="Ledger")
    button(owner_page, "Grant").click()
    dialog = owner_page.get_by_role("dialog")
    amount = dialog.get_by_label("Amount (credits)")
    amount.fill("0")
    button(dialog, "Grant").click()
    expect(dialog.get_by_text("Enter an amount above 0.")).to_be_visible()
    amount.fill("2.5")
    expect(dialog.get_by_text("New balance: 7.5 credits")).to_be_visible()
    dialog.get_by_label("External reference").fill("INV-7")
    confirm(dialog, "Grant")
    expect(balance).to_contain_text("7.5 credits")
    expect(ledger.get_by_role("row", name=re.compile("INV-7"))).to_contain_text("+2.5")

    workspace.consume(made, "export", 3)
    use = {"licenseKey": made["licenseKey"], "featureName": "export", "idempotencyKey": "last"}
    assert refusal(workspace, "/api/meter/consume", use) == "InsufficientBalance"
    owner_page.reload()
    expect(balance).to_contain_text("0 credits")
    expect(balance).to_contain_text("Empty")
    used = ledger.get_by_role("row", name=re.compile("export"))
    expect(used).to_contain_text("\u22127.5")
    expect(used).to_contain_text("3\u00d7")

    button(owner_page, "Adjust").click()
    dialog.get_by_label("Amount (credits)").fill("-1")
    dialog.get_by_label("Reason").fill("Counted by hand")
    expect(dialog.get_by_text("The balance cannot go below 0")).to_be_visible()
    button(dialog, "Adjust").click()
    expect(dialog.get_by_label("Amount (credits)")).to_be_focused()
    dialog.get_by_label("Amount (credits)").fill("10")
    confirm(dialog, "Adjust")
    expect(balance).to_contain_text("10 credits")

    button(owner_page, "Set warning").click()
    dialog.get_by_label("Warn at (credits)").fill("12")
    confirm(dialog, "Save")
    expect(balance).to_contain_text("Low")
    verdict = owner_page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("Works, but the balance is low: 10, threshold 12.")
    trend = owner_page.get_by_role("region", name="Last 30 days", exact=True)
    button(trend, "Show as table").click()
    expect(trend.get_by_role("row").last).to_contain_text("7.5")
    button(trend, "Show as chart").click()
    expect(trend.get_by_role("img")).to_be_visible()
    examine(owner_page, "license-meter")
    with owner_page.expect_download() as saved:
        button(owner_page.get_by_role("region", name="Ledger"), "Export CSV").click()
    assert "INV-7" in saved.value.path().read_text()


def test_diagnose_tells_which_rule_fails(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("NodeLocked")
    opened(owner_page, made, "diagnose")
    answer = owner_page.get_by_role("region", name="Result")
    verdict = answer.get_by_role("status")
    expect(verdict).to_contain_text("No device has used the license yet")
    expect(answer.get_by_text("this is why")).to_have_count(0)
    # Asked about is the device that was seen last.
    workspace.validate(made, "workstation-7")
    opened(owner_page, made, "diagnose")
    expect(verdict).to_contain_text("As workstation-7, last seen")
    expect(verdict).to_contain_text("The license is valid")
    # What other devices were refused is why somebody asks.
    workspace.validate(made, "stranger-9")
    path = f"/api/licenses/{made['id']}/requests"
    eventually(lambda: "HardwareMismatch" in json.dumps(workspace.ok("GET", path)), "it is counted")
    opened(owner_page, made, "diagnose")
    expect(verdict).to_contain_text(
        "Valid on workstation-7. Rejected 1 other device in the last 7 days: "
        "the license is bound elsewhere."
    )
    button(answer, "Deactivate workstation-7").click()
    button(owner_page.get_by_role("dialog", name="Deactivate device"), "Cancel").click()
    owner_page.get_by_label("Hardware ID").fill("another-machine")
    button(owner_page, "Test").click()
    expect(verdict).to_contain_text("Hardware mismatch")
    rule = answer.get_by_role("listitem").filter(has_text="Not the bound device")
    expect(rule).to_contain_text("failed")
    answer.get_by_text("checks passed").click()
    expect(answer.get_by_role("listitem").filter(has_text="Not expired")).to_contain_text("passed")
    link = answer.get_by_role("link")
    expect(link).to_have_attribute("href", "/help/error-codes#HardwareMismatch")
    owner_page.get_by_label("Hardware ID").fill("workstation-7")
    owner_page.get_by_label("Application version").fill("3.0.0")
    button(owner_page, "Test").click()
    expect(verdict).to_contain_text("Release not allowed")
    examine(owner_page, "license-diagnose")
    # What stands above is not said again; the check has the reason.
    workspace.act(made, "suspend", reason="Invoice 7 is open")
    opened(owner_page, made, "diagnose")
    rule = answer.get_by_role("listitem").filter(has_text="this is why")
    expect(rule).to_contain_text("“Invoice 7 is open”")
    expect(verdict.get_by_text("Suspended", exact=True)).to_have_count(0)


@pytest.mark.parametrize("role", ["Viewer", pytest.param("Member", marks=pytest.mark.long)])
def test_those_who_only_read_see_no_action(
    new_page: NewPage, workspace: Workspace, role: str
) -> None:
    workspace.feature("export", cost=1)
    made = workspace.issue("MeteredToken")
    workspace.activate(made, "Anna's laptop")
    workspace.connect(made, "Anna's laptop")
    page = signed_in(new_page(), workspace.member(role).email)
    opened(page, made)
    expect(page.get_by_role("region", name="License", exact=True)).to_be_visible()
    for name in ("Edit", "More", "Actions"):
        expect(button(page, name)).to_be_hidden()
    tab(page, "Activations").click()
    expect(page.get_by_text("Only Owners and Admins see the devices themselves")).to_be_visible()
    expect(page.get_by_text("Anna's laptop")).to_have_count(0)
    expect(tab(page, "Sessions")).to_have_count(0)
    tab(page, "Meter").click()
    expect(page.get_by_role("region", name="Ledger")).to_contain_text("Initial balance")
    expect(button(page, "Grant")).to_be_hidden()
    expect(button(page, "Adjust")).to_be_hidden()
    tab(page, "Events").click()
    expect(page.get_by_text("The license was issued")).to_be_visible()


def test_a_license_that_is_not_there_leads_back(owner_page: Page, workspace: Workspace) -> None:
    with expecting(owner_page, 404, path="/api/licenses/"):
        go(owner_page, f"/licenses/{workspace.product}")
        expect(owner_page.get_by_role("heading", level=1)).to_have_text("License not found")
    examine(owner_page, "license-missing")
    owner_page.get_by_role("link", name="All licenses").click()
    owner_page.wait_for_url("**/licenses")


@pytest.mark.specification("mission-9")
def test_the_labels_are_those_of_the_specification(workspace: Workspace, owner_page: Page) -> None:
    """The cap of both pools, in the list, the details and the form; the binding modes."""
    for model in ("Floating", "Concurrent"):
        made = workspace.issue(model, licenseName=f"Labels {model}", maxActiveUsersCount=7)
        page = opened(owner_page, made)
        details = page.get_by_role("region", name="Verdict")
        expect(details.get_by_text("Max active users", exact=True)).to_be_visible()
        expect(details).not_to_contain_text("Seats")
        expect(details.get_by_role("progressbar", name="Max active users")).to_be_visible()
        dialog = do(page, "Edit")
        expect(dialog.get_by_label("Max active users")).to_have_value("7")
        button(dialog, "Cancel").click()
        go(page, "/licenses?search=Labels")
        expect(
            page.get_by_role("progressbar", name=f"Max active users of Labels {model}")
        ).to_be_visible()
    for mode, label in (("AutoBind", "Auto-bind"), ("OwnerApproval", "Product owner approval")):
        bound = workspace.issue("NodeLocked", deviceBindingMode=mode)
        page = opened(owner_page, bound)
        expect(page.get_by_text("Device binding mode", exact=True)).to_be_visible()
        expect(page.get_by_text(label)).to_be_visible()


@pytest.mark.specification("mission-8")
@pytest.mark.parametrize("role", ["Viewer", pytest.param("Member", marks=pytest.mark.long)])
def test_who_may_not_see_devices_sees_how_many(workspace: Workspace, page: Page, role: str) -> None:
    made = workspace.issue("NodeLocked")
    workspace.validate(made, "bound-machine-0001", deviceName="Studio PC")
    workspace.validate(made, "other-machine-0002", deviceName="Studio PC")
    opened(signed_in(page, workspace.member(role).email), made)
    expect(tab(page, "Sessions")).to_have_count(0)
    expect(tab(page, "Access attempts")).to_have_count(0)
    tab(page, "Activations").click()
    counts = page.get_by_role("region", name="Devices and sessions")
    expect(counts).to_contain_text("Only Owners and Admins see the devices themselves.")
    expect(counts.get_by_text("Active devices")).to_be_visible()
    expect(counts).to_contain_text("1, 1 not reviewed")
    examine(page, f"license-devices-counted-{role.lower()}")
    tab(page, "Events").click()
    expect(page.get_by_text("The license was issued")).to_be_visible()
    for address in ("", "/activations", "/events", "/diagnose"):
        go(page, f"/licenses/{made['id']}{address}")
        expect(page.get_by_role("heading", level=1)).to_have_text(made["licenseName"])
        watch_of(page).hear_out()
        text = page.locator("body").inner_text()
        assert not [mark for mark in ("machine-0001", "boun…", "Studio PC") if mark in text]
