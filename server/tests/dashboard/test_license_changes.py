"""What an operator changes in a license."""

import json
import re
from datetime import datetime, timedelta

import pytest
from dashboard.checks import LIGHT, PHONE, examine
from dashboard.license_page import button, confirm, do, opened, status, tab
from dashboard.steady_day import SteadyDay
from dashboard.vendor import Person, Workspace, in_days
from dashboard.watching import expecting
from patience import eventually
from playwright.sync_api import Page, expect

SOON = timedelta(seconds=2)
LONG = "Nonbreakable" * 16
KEEP_WHAT_IS_PUT = """() => {
  const send = window.fetch;
  window.sent = [];
  window.fetch = async (asked) => {
    if (asked.method === "PUT") window.sent.push(await asked.clone().text());
    return send(asked);
  };
}"""


def test_a_license_is_suspended_reinstated_and_revoked(
    owner_page: Page, owner_account: Person, workspace: Workspace
) -> None:
    made = workspace.issue("Subscription", licenseName="Lee & Sons")
    opened(owner_page, made)
    dialog = do(owner_page, "Suspend")
    dialog.get_by_label("Reason").fill("Invoice 7 is open")
    confirm(dialog, "Suspend license")
    status(owner_page, "Suspended")
    verdict = owner_page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("Suspended by ")
    expect(verdict).to_contain_text(": “Invoice 7 is open”")
    expect(button(verdict, "Reinstate")).to_be_visible()
    expect(owner_page.get_by_text(f"{owner_account.name} suspended the license")).to_be_visible()
    expect(owner_page.get_by_role("region", name="License", exact=True)).to_be_visible()
    expect(owner_page.get_by_role("region", name="license.bin")).to_have_count(0)
    assert workspace.validate(made)["status"] == "Suspended"
    button(owner_page, "Undo").click()
    status(owner_page, "Active")
    dialog = do(owner_page, "Suspend")
    dialog.get_by_label("Reason").fill("Invoice 8 is open")
    confirm(dialog, "Suspend license")
    status(owner_page, "Suspended")
    confirm(do(owner_page, "Reinstate"), "Reinstate license")
    status(owner_page, "Active")
    told = owner_page.get_by_text("License reinstated.").locator("xpath=..")
    button(told, "Undo").click()
    status(owner_page, "Suspended")
    expect(verdict).to_contain_text(": “Invoice 8 is open”")
    confirm(do(owner_page, "Reinstate"), "Reinstate license")
    status(owner_page, "Active")
    assert workspace.validate(made)["status"] == "Valid"
    dialog = do(owner_page, "Revoke")
    examine(owner_page, "license-revoke")
    expect(dialog.get_by_label("to confirm")).to_have_count(0)
    confirm(dialog, "Revoke license")
    status(owner_page, "Revoked")
    assert workspace.validate(made)["status"] == "Revoked"
    confirm(do(owner_page, "Restore"), "Restore license")
    status(owner_page, "Active")
    assert workspace.validate(made)["status"] == "Valid"
    workspace.act(made, "revoke")
    owner_page.reload()
    status(owner_page, "Revoked")
    opener = button(owner_page.get_by_role("main"), "More")
    more = opener.bounding_box()
    opener.click()
    expect(owner_page.get_by_role("menuitem")).to_have_text(["Edit", "Delete"])
    box = owner_page.get_by_role("menu").locator("xpath=..").bounding_box()
    assert more is not None
    assert box is not None
    assert box["x"] + box["width"] == pytest.approx(more["x"] + more["width"], abs=1)
    owner_page.keyboard.press("Escape")
    tab(owner_page, "Events").click()
    expect(owner_page.get_by_text("Invoice 7 is open")).to_be_visible()
    examine(owner_page, "license-events")


def test_an_expired_license_is_renewed(owner_page: Page, workspace: Workspace) -> None:
    end = in_days(SOON / timedelta(days=1))
    made = workspace.issue("Subscription", expirationDate=end)
    eventually(lambda: workspace.validate(made)["status"] == "Expired", "the term ends")
    opened(owner_page, made)
    status(owner_page, "Expired")
    dialog = do(owner_page, "Extend")
    button(dialog, "+1 year").click()
    expect(dialog).to_contain_text("becomes Active again")
    confirm(dialog, "Extend license")
    status(owner_page, "Active")
    assert workspace.validate(made)["status"] == "Valid"
    expect(owner_page.get_by_text("extended the license until")).to_be_visible()
    expect(owner_page.get_by_text("License expires on")).to_be_visible()
    button(owner_page, "Undo").click()
    status(owner_page, "Expired")
    shown = workspace.ok("GET", f"/api/licenses/{made['id']}")
    assert shown["expirationDate"] == made["expirationDate"]


def test_an_extension_in_the_grace_counts_from_the_end_as_the_server_does(
    owner_page: Page, workspace: Workspace
) -> None:
    soon = datetime.fromisoformat(in_days(SOON / timedelta(days=1)))
    made = workspace.issue("Subscription", expirationDate=soon.isoformat(), graceDays=60)
    path = f"/api/licenses/{made['id']}"
    eventually(lambda: workspace.ok("GET", path)["inGraceUntil"] is not None, "the term ends")
    page = SteadyDay(timedelta(days=40)).on(owner_page)
    page.goto(f"/licenses/{made['id']}?act=term")
    field = page.get_by_role("dialog").get_by_label("Expiration date")
    expect(field).to_have_value(f"{soon:%b} {soon.day}, {soon.year + 1}")


def test_an_end_is_typed_in_the_form_of_the_locale_or_chosen_by_keyboard(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue("Trial", expirationDate=in_days(30))
    dialog = do(opened(page, made), "Extend")
    field = dialog.get_by_label("Expiration date")
    for typed, shown in (
        ("2097-12-31", "Dec 31, 2097"),
        ("12/31/2097", "Dec 31, 2097"),
        ("31.12.97", "Dec 31, 2097"),
        ("31 december 2097", "Dec 31, 2097"),
        ("2/30/2097", "2/30/2097"),
    ):
        field.fill(typed)
        field.blur()
        expect(field).to_have_value(shown)
    expect(dialog).to_contain_text("Enter a date, such as ")
    for typed, preset in (("+1 year", "+1 year"), ("+1m", "+1 month")):
        field.fill(typed)
        expect(button(dialog, preset)).to_have_attribute("aria-pressed", "true")
    expect(dialog).to_contain_text("the present end")
    field.fill("12/30/2097")
    page.keyboard.press("ArrowDown")
    calendar = page.get_by_role("dialog", name="Calendar")
    expect(calendar.get_by_role("grid", name="December 2097")).to_be_visible()
    examine(page, "calendar")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(calendar).to_be_hidden()
    expect(field).to_have_value("Dec 31, 2097")
    confirm(dialog, "Extend license")
    end = workspace.ok("GET", f"/api/licenses/{made['id']}")["expirationDate"]
    assert end.startswith(("2097-12-31", "2098-01-01"))


def test_a_license_is_extended_by_the_term_of_its_policy_unless_another_is_chosen(
    owner_page: Page, workspace: Workspace
) -> None:
    policy = workspace.policy("Two weeks", "Subscription", durationDays=14)
    made = workspace.issue("Subscription", policyId=policy["id"])
    dialog = do(opened(owner_page, made), "Extend")
    expect(button(dialog, "+14 days")).to_have_attribute("aria-pressed", "true")
    expect(button(dialog, "+1 year")).to_have_attribute("aria-pressed", "false")
    confirm(dialog, "Extend license")
    path = f"/api/licenses/{made['id']}"
    before = datetime.fromisoformat(made["expirationDate"])
    end = datetime.fromisoformat(workspace.ok("GET", path)["expirationDate"])
    assert timedelta(days=13) <= end - before <= timedelta(days=15)


def test_a_new_term_is_undone(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Subscription", expirationDate=in_days(30))
    opened(owner_page, made)
    dialog = do(owner_page, "Extend")
    button(dialog, "+1 year").click()
    confirm(dialog, "Extend license")
    button(owner_page, "Undo").click()
    path, before = f"/api/licenses/{made['id']}", made["expirationDate"]
    eventually(
        lambda: workspace.ok("GET", path)["expirationDate"] == before, "the term is as before"
    )


def test_a_trial_is_converted(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Trial")
    opened(owner_page, made)
    dialog = do(owner_page, "Convert")
    dialog.get_by_label("Model").click()
    owner_page.get_by_role("option", name="Concurrent").click()
    dialog.get_by_label("Max active users").fill("7")
    button(dialog, "No expiration").click()
    confirm(dialog, "Convert to Concurrent")
    expect(owner_page.get_by_text("0 of 7 used")).to_be_visible()
    answer = workspace.validate(made)
    assert answer["license"]["type"] == "Concurrent"
    assert answer["license"]["expirationDate"] is None


def test_a_trial_becomes_a_metered_license(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Trial", activationMode="Offline")
    opened(owner_page, made)
    dialog = do(owner_page, "Convert")
    dialog.get_by_label("Model").click()
    owner_page.get_by_role("option", name="Usage-Based").click()
    expect(dialog).to_contain_text("The activation mode changes to Online")
    dialog.get_by_label("Initial uses").fill("250")
    examine(owner_page, "license-convert-metered")
    confirm(dialog, "Convert to Usage-Based")
    expect(owner_page.get_by_role("tab", name="Meter")).to_be_visible()
    assert workspace.ok("GET", f"/api/meter/balance/{made['id']}")["balance"] == 250


def test_a_revoked_license_shows_only_what_can_still_change(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Perpetual")
    workspace.act(made, "revoke")
    opened(owner_page, made)
    dialog = do(owner_page, "Edit")
    expect(dialog).to_contain_text("only its notes, metadata and tags can still change")
    expect(dialog.get_by_label("Issued to")).to_have_count(0)
    examine(owner_page, "license-edit-revoked")
    dialog.get_by_label("Notes").fill("Refunded")
    confirm(dialog, "Save")
    expect(owner_page.get_by_text("Refunded")).to_be_visible()


@pytest.mark.specification("licenses.notes")
def test_only_what_was_edited_is_changed(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Perpetual", notes="Old", metadata={"plan": "gold"})
    opened(owner_page, made)
    dialog = do(owner_page, "Edit")
    dialog.get_by_label("Issued to").fill("nobody")
    dialog.get_by_label("Notes").fill("# Contract\n\n<script>document.title = 1</script> **bold**")
    dialog.get_by_label("Value").fill("silver")
    owner_page.evaluate(KEEP_WHAT_IS_PUT)
    with expecting(owner_page, 400, path="/api/licenses/"):
        button(dialog, "Save").click()
        expect(dialog.get_by_text("must be an email address").first).to_be_visible()
    [sent] = owner_page.evaluate("() => window.sent")
    assert set(json.loads(sent)) == {"issuedTo", "notes", "metadata"}
    dialog.get_by_label("Issued to").fill("ada@example.com")
    dialog.get_by_role("textbox", name="Name", exact=True).first.fill(LONG)
    confirm(dialog, "Save")
    expect(owner_page.get_by_role("heading", level=1)).to_have_text(LONG)
    notes = owner_page.get_by_role("region", name="Notes")
    expect(notes.get_by_text("<script>document.title = 1</script>")).to_be_visible()
    expect(notes.get_by_role("heading", name="Contract")).to_be_visible()
    expect(owner_page.get_by_text("silver")).to_be_visible()
    examine(owner_page, "license-overview")


def test_a_lower_cap_lets_the_operator_choose_which_devices_stay(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Concurrent", maxActiveUsersCount=4)
    for machine in ("Oldest", "Older", "Newest"):
        workspace.activate(made, machine)
    opened(owner_page, made)
    dialog = do(owner_page, "Edit")
    warning = dialog.get_by_role("alert").filter(has_text="over the limit")
    seats = dialog.get_by_label("Max active users")
    seats.fill("1")
    expect(warning).to_contain_text("2 of 3 devices will be over the limit")
    chosen = dialog.get_by_role("checkbox")
    expect(chosen).to_have_count(3)
    examine(owner_page, "license-edit-lower-cap", (LIGHT, PHONE))
    seats.fill("3")
    expect(warning).to_have_count(0)
    seats.fill("2")
    expect(warning).to_contain_text("1 of 3 devices will be over the limit")
    dialog.get_by_role("checkbox", name=re.compile("^Newest")).check()
    confirm(dialog, "Save")
    expect(owner_page.get_by_text("2 of 2 used")).to_be_visible()
    path = f"/api/licenses/{made['id']}/activations?status=OverLimit"
    assert [item["deviceName"] for item in workspace.ok("GET", path)["items"]] == ["Older"]


def test_grace_mode_and_credentials_are_edited(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Perpetual", username="ada", password="first-password")
    opened(owner_page, made)
    dialog = do(owner_page, "Edit")
    dialog.get_by_label("Grace in days").fill("14")
    dialog.get_by_label("Activation mode").click()
    owner_page.get_by_role("option", name=re.compile("offline")).click()
    dialog.get_by_label("Username").fill("")
    confirm(dialog, "Save")
    expect(owner_page.get_by_text("Works offline with license.bin")).to_be_visible()
    after = workspace.ok("GET", f"/api/licenses/{made['id']}")
    changed = {name for name in after if after[name] != made[name]} - {"updatedAt"}
    assert changed == {"graceDays", "activationMode", "username"}
    assert (after["graceDays"], after["activationMode"], after["username"]) == (14, "Offline", None)


def choose_file(page: Page, name: str) -> None:
    button(page, "Download").click()
    page.get_by_role("menuitem", name=name, exact=True).click()


def test_files_are_downloaded_and_a_license_is_deleted(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Concurrent")
    workspace.activate(made, "h1m-anna")
    opened(owner_page, made)
    texts = []
    for name in ("Download", "Download encrypted: opens with the license key"):
        with owner_page.expect_download() as saved:
            choose_file(owner_page, name)
        assert saved.value.suggested_filename == "license.bin"
        texts.append(saved.value.path().read_text())
    assert [text.count(".") for text in texts] == [2, 4]
    choose_file(owner_page, "For one device…")
    expect(owner_page.get_by_label("Bind to one device")).to_be_checked()
    button(owner_page, "Download").click()
    bound = owner_page.get_by_role("menuitem", name="Download", exact=True)
    expect(bound).to_be_disabled()
    owner_page.keyboard.press("Escape")
    owner_page.get_by_label("Hardware ID").click()
    owner_page.get_by_role("option", name=re.compile("h1m-anna")).first.click()
    with owner_page.expect_download():
        choose_file(owner_page, "Download")
    dialog = do(owner_page, "Delete")
    expect(dialog).to_contain_text("the audit log are kept")
    dialog.get_by_label("to confirm").fill(made["licenseName"])
    button(dialog, "Delete license").click()
    owner_page.wait_for_url("**/licenses")
    assert workspace.validate(made)["status"] == "LicenseNotFound"


def test_a_term_that_is_opened_by_its_address_is_typed_at_once(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.issue("Trial", expirationDate=in_days(30))
    page.goto(f"/licenses/{made['id']}?act=term")
    field = page.get_by_role("dialog").get_by_label("Expiration date")
    expect(field).to_be_focused()
    expect(field).not_to_have_value("")
    page.keyboard.type("+")
    expect(field).to_have_value("+")
    expect(page.get_by_text("Does not expire.")).to_have_count(0)
