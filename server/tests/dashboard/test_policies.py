"""Policies: added, licenses issued under them, applied, deleted."""

import re

from dashboard.checks import examine
from dashboard.entrance import choose
from dashboard.moving import go
from dashboard.vendor import Workspace
from dashboard.watching import expecting
from playwright.sync_api import Page, expect


def open_policies(page: Page, workspace: Workspace) -> None:
    go(page, f"/products/{workspace.product}/policies")
    expect(page.get_by_role("heading", level=1, name=workspace.name)).to_be_visible()


def test_a_policy_is_added_and_says_what_is_wrong(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    pro = workspace.entitlement_set("Pro")
    open_policies(page, workspace)
    page.get_by_role("button", name="Add policy").first.click()
    dialog = page.get_by_role("dialog", name="Add policy")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("Team, yearly")
    dialog.get_by_label("Model").click()
    page.get_by_role("option", name="Concurrent").click()
    dialog.get_by_label("The term starts").click()
    page.get_by_role("option", name="With the first use").click()
    dialog.get_by_label("Grace in days").fill("14")
    dialog.get_by_label("Max active users").fill("5")
    dialog.get_by_label("Entitlement set").click()
    page.get_by_role("option", name="Pro").click()
    dialog.get_by_label("License name").fill("{product} for {buyer}")
    with expecting(page, 400, path="/api/policies"):
        dialog.get_by_role("button", name="Add policy").click()
        expect(dialog.get_by_role("alert").first).to_contain_text("Check the marked fields.")
    name = dialog.get_by_label("License name")
    expect(name).to_have_accessible_description(re.compile(r"\{customer\}"))
    dialog.get_by_label("License name").fill("{product} for {customer}")
    examine(page, "policy-new")
    dialog.get_by_role("button", name="Add policy").click()
    row = page.get_by_role("row", name="Team, yearly")
    expect(row).to_contain_text("12 months from the first use, 14 days grace, 5 seats")
    expect(row).to_contain_text("Pro")
    [made] = workspace.ok("GET", f"/api/policies?productId={workspace.product}")["items"]
    assert made["entitlementSetId"] == pro["id"]
    assert made["termStarts"] == "FirstUse"
    choose(row, "Edit")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Max active users").fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(row).not_to_contain_text("seats")
    choose(row, "Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete policy").click()
    expect(page.get_by_text("No policies yet")).to_be_visible()


def test_applying_shows_each_change_first(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    policy = workspace.policy("Team, yearly", maxActiveUsersCount=5)
    given = {"policyId": policy["id"], "issuedTo": "studio@example.com"}
    first = workspace.ok("POST", "/api/licenses", {**given, "licenseName": "Studio Berlin"})
    workspace.ok(
        "POST", "/api/licenses", {**given, "licenseName": "Nine", "maxActiveUsersCount": 9}
    )
    for machine in ("Old", "New"):
        workspace.activate(first, machine)
    place = f"/api/policies/{policy['id']}"
    workspace.ok("PUT", place, {"maxActiveUsersCount": 1})
    open_policies(page, workspace)
    row = page.get_by_role("row", name="Team, yearly")
    choose(row, "Apply to licenses")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("1 license will be over its limit")
    expect(dialog.get_by_role("row", name="Studio Berlin")).to_contain_text("1 device over")
    dialog.get_by_role("button", name="Cancel").click()
    workspace.ok("PUT", place, {"maxActiveUsersCount": 9})
    choose(row, "Apply to licenses")
    expect(dialog.get_by_role("row", name="Studio Berlin")).to_contain_text("5 → 9")
    expect(dialog).to_contain_text("1 license changes; 1 already has")
    examine(page, "policy-apply")
    assert workspace.ok("GET", f"/api/licenses/{first['id']}")["maxActiveUsersCount"] == 5
    dialog.get_by_role("button", name="Change 1 license").click()
    expect(page.get_by_text("Policy Team, yearly applied: 1 license changed.")).to_be_visible()
    assert workspace.ok("GET", f"/api/licenses/{first['id']}")["maxActiveUsersCount"] == 9
    choose(row, "Delete")
    dialog = page.get_by_role("dialog")
    with expecting(page, 409, path="/api/policies"):
        dialog.get_by_role("button", name="Delete policy").click()
        expect(dialog.get_by_role("alert")).to_contain_text("2 licenses")
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Licenses", exact=True).last.click()
    expect(page.get_by_role("button", name="Remove filter Policy: Team, yearly")).to_be_visible()
    expect(page.get_by_text("Studio Berlin")).to_be_visible()


def test_a_license_is_issued_under_a_policy(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    policy = workspace.policy(
        "Yearly", "Subscription", licenseNamePattern="{product} for {customer}"
    )
    go(page, f"/licenses/new?productId={workspace.product}")
    page.get_by_role("radio", name="Yearly", exact=True).check()
    expect(page.get_by_role("radio", name="Subscription")).to_be_checked()
    page.get_by_role("combobox", name="Issued to").fill("ada@example.com")
    expect(page.get_by_text("Empty: 365 days from the issue, as the policy says.")).to_be_visible()
    expect(page.get_by_text("Named by the policy")).to_be_visible()
    examine(page, "issue-under-policy")
    page.get_by_role("button", name="Issue license").click()
    expect(page.get_by_role("region", name="License key")).to_be_visible()
    [made] = workspace.ok("GET", f"/api/licenses?policyId={policy['id']}")["items"]
    assert made["licenseName"] == f"{workspace.name} for ada@example.com"
    go(page, f"/licenses/{made['id']}")
    expect(page.get_by_role("link", name="Yearly")).to_be_visible()


def test_a_license_has_values_of_its_own(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.feature("max-projects", kind="Number")
    workspace.feature("export")
    license_ = workspace.issue("Perpetual")
    go(page, f"/licenses/{license_['id']}")
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Add feature value").click()
    dialog.get_by_role("button", name="Add feature value").click()
    dialog.get_by_role("spinbutton", name="Value").fill("100")
    examine(page, "license-values")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("max-projects: 100")).to_be_visible()
    values = workspace.ok("GET", f"/api/licenses/{license_['id']}")["featureValues"]
    assert values == {"export": True, "max-projects": 100}
