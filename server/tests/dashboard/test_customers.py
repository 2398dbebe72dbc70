"""Customers: found, changed, merged, exported, erased."""

import json
import re

from dashboard.checks import examine
from dashboard.entrance import choose
from dashboard.moving import go
from dashboard.vendor import Json, Person, Workspace
from dashboard.watching import expecting
from playwright.sync_api import Locator, Page, expect


def customer_of(workspace: Workspace, license_: Json) -> Json:
    return dict(workspace.ok("GET", f"/api/customers/{license_['customerId']}"))


def more(page: Page) -> Locator:
    """The button of the page, beside that of the navigation."""
    return page.get_by_role("main").get_by_role("button", name="More", exact=True)


def test_a_sale_makes_a_customer_who_is_found_and_changed(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue(
        "Concurrent", licenseName="Five desks", issuedTo="ada@analytical.example"
    )
    workspace.activate(license_, "Ada's laptop", os="Debian 13")
    go(page, "/customers")
    # The customer is in the list before the search is sent, too.
    with page.expect_response(lambda response: "search=" in response.url):
        page.get_by_placeholder("Name, email, company").fill("ada@analytical")
    row = page.get_by_role("row", name="ada@analytical.example")
    expect(row).to_contain_text("1")
    # What was found before is paler until the search is through.
    table = page.get_by_role("table", name="Customers")
    expect(table).to_have_attribute("aria-busy", "false")
    # What nobody on the page has is no column.
    expect(table.get_by_role("columnheader", name="Company")).to_have_count(0)
    examine(page, "customers")
    row.click()
    expect(page.get_by_role("heading", level=1, name="ada@analytical.example")).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("Ada Lovelace")
    dialog.get_by_label("Company").fill("Analytical Engines")
    dialog.get_by_label("Reference").fill("cus_1815")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="Ada Lovelace")).to_be_visible()
    expect(page.get_by_text("Analytical Engines")).to_be_visible()
    mail = page.get_by_role("main").get_by_role("link", name="ada@analytical.example")
    expect(mail).to_have_count(1)
    examine(page, "customer")
    licenses = page.get_by_role("table", name="Licenses")
    expect(licenses.get_by_role("row", name="Five desks")).to_contain_text("1 of")
    devices = page.get_by_role("region", name="Devices")
    expect(devices.get_by_role("row", name="Ada's laptop")).to_be_visible()
    devices.get_by_placeholder("Name or hardware ID").fill("no such machine")
    expect(devices.get_by_text("Nothing matches these filters.")).to_be_visible()
    expect(page.get_by_role("region", name="Orders")).to_have_count(0)
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_text("Ada's laptop was activated")).to_be_visible()
    go(page, f"/licenses/{license_['id']}")
    page.get_by_role("link", name="Ada Lovelace").first.click()
    expect(page.get_by_role("heading", level=1, name="Ada Lovelace")).to_be_visible()


def test_a_note_about_a_customer_is_dated_and_signed(
    owner_page: Page, owner_account: Person, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual", licenseName="Desk", issuedTo="hedy@lamarr.example")
    workspace.ok("POST", f"/api/licenses/{license_['id']}/notes", {"note": "Wants an invoice."})
    go(page, f"/customers/{license_['customerId']}")
    notes = page.get_by_role("region", name="Notes")
    expect(notes.get_by_role("listitem")).to_have_count(1)
    expect(notes.get_by_role("listitem")).to_contain_text("Desk")
    page.keyboard.press("n")
    field = notes.get_by_role("textbox", name="Add a note")
    expect(field).to_be_focused()
    page.keyboard.type("Called, waits for the update.")
    page.keyboard.press("Enter")
    written = notes.get_by_role("listitem").filter(has_text="Called, waits for the update.")
    expect(written).to_contain_text(owner_account.name)
    expect(field).to_have_value("")
    examine(page, "customer-notes")


def test_a_license_is_extended_from_the_page_of_its_customer(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Trial", licenseName="Ends soon", issuedTo="mary@royal.example")
    go(page, f"/customers/{license_['customerId']}")
    page.get_by_role("link", name="Ends soon").focus()
    page.keyboard.press(".")
    expect(page.get_by_role("menuitem", name="Extend")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=1, name="Ends soon")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/licenses/{license_['id']}$"))


def test_devices_of_two_licenses_are_deactivated_from_the_page_of_their_customer(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    sold = {"issuedTo": "katherine@langley.example", "maxActiveUsersCount": 2}
    first, second = (workspace.issue("Concurrent", **sold) for _ in range(2))
    workspace.activate(first, "Old laptop")
    workspace.activate(second, "Lab 7")
    workspace.activate(second, "Lab 8")
    go(page, f"/customers/{first['customerId']}")
    devices = page.get_by_role("table", name="Devices")
    choose(devices.get_by_role("row", name="Lab 8"), "Deactivate")
    page.get_by_role("dialog").get_by_role("button", name="Deactivate device").click()
    expect(page.get_by_role("dialog")).to_have_count(0)  # which hides all rows from roles
    expect(devices.get_by_role("row", name="Lab 8")).to_have_count(0)
    devices.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("region", name="Selection").get_by_role("button", name="Deactivate").click()
    page.get_by_role("dialog").get_by_role("button", name="Deactivate 2 devices").click()
    expect(page.get_by_text("2 devices deactivated.")).to_be_visible()
    for license_ in (first, second):
        assert workspace.ok("GET", f"/api/licenses/{license_['id']}/activations")["items"] == []


def test_a_license_that_is_not_all_good_says_why_on_the_page_of_its_customer(
    owner_page: Page, workspace: Workspace
) -> None:
    sold = {"issuedTo": "edith@clarke.example"}
    full = workspace.issue("Floating", licenseName="Farm", maxActiveUsersCount=1, **sold)
    workspace.connect(full, "Node 1")
    tried = workspace.issue("NodeLocked", licenseName="Desk", **sold)
    for machine in ("Its own", "A stranger"):
        workspace.validate(tried, machine)
    workspace.feature("export", cost=5)
    dry = workspace.issue("MeteredToken", licenseName="Dry", initialMeterBalance=5, **sold)
    workspace.consume(dry, "export", 1)
    workspace.issue("Perpetual", licenseName="Good", **sold)
    go(owner_page, f"/customers/{full['customerId']}")
    rows = owner_page.get_by_role("table", name="Licenses")
    for name, words in {
        "Farm": "All seats in use",
        "Desk": "Tried by 1 other device",
        "Dry": "Balance used up",
        "Good": "Active",
    }.items():
        expect(rows.get_by_role("row", name=name)).to_contain_text(words)
    expect(rows.get_by_text("Active", exact=True)).to_have_count(1)
    examine(owner_page, "customer-concerns")


def test_a_double_is_merged(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    kept = workspace.issue("Perpetual", issuedTo="grace@navy.example")
    double = workspace.issue("Perpetual", licenseName="Second", issuedTo="hopper@navy.example")
    go(page, f"/customers/{double['customerId']}")
    more(page).click()
    page.get_by_role("menuitem", name="Merge into another").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Merge").click()
    expect(dialog.get_by_text("Choose a customer.")).to_be_visible()
    dialog.get_by_label("Customer").fill("grace@navy")
    page.get_by_role("option", name="grace@navy.example").click()
    examine(page, "customer-merge")
    dialog.get_by_role("button", name="Merge").click()
    expect(page.get_by_role("heading", level=1, name="grace@navy.example")).to_be_visible()
    assert customer_of(workspace, kept)["licenseCount"] == 2
    expect(page.get_by_role("row", name="Second")).to_be_visible()


def test_a_person_is_exported_and_erased(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual", issuedTo="joan@bletchley.example")
    go(page, f"/customers/{license_['customerId']}")
    more(page).click()
    with page.expect_download() as downloading:
        page.get_by_role("menuitem", name="Export data").click()
    exported = json.loads(downloading.value.path().read_text())
    assert exported["customer"]["email"] == "joan@bletchley.example"
    more(page).click()
    page.get_by_role("menuitem", name="Erase personal data").click()
    dialog = page.get_by_role("dialog", name="Erase joan@bletchley.example")
    expect(dialog.get_by_role("button", name="Erase personal data")).to_be_disabled()
    dialog.get_by_label("Type “joan@bletchley.example” to confirm").fill("joan@bletchley.example")
    expect(dialog).to_contain_text("Records that are erased")
    examine(page, "customer-erase")
    dialog.get_by_role("button", name="Erase personal data").click()
    expect(page.get_by_role("heading", level=1, name="(erased)")).to_be_visible()
    assert customer_of(workspace, license_)["name"] == "(erased)"
    assert workspace.ok("GET", f"/api/licenses/{license_['id']}")["status"] == "Active"


def test_a_customer_without_licenses_is_added_and_deleted(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    go(page, "/customers")
    page.get_by_role("button", name="Add customer").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("Bletchley Park")
    dialog.get_by_label("Email address").fill("office@bletchley.example")
    dialog.get_by_role("button", name="Add customer").click()
    expect(page.get_by_role("heading", level=1, name="Bletchley Park")).to_be_visible()
    more(page).click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete customer").click()
    expect(page.get_by_role("heading", level=1, name="Customers")).to_be_visible()
    license_ = workspace.issue("Perpetual", issuedTo="kept@bletchley.example")
    go(page, f"/customers/{license_['customerId']}")
    more(page).click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog")
    with expecting(page, 409, path="/api/customers"):
        dialog.get_by_role("button", name="Delete customer").click()
        expect(dialog.get_by_role("alert")).to_contain_text("1 license")


def test_portal_is_seen_as_the_customer_sees_it(
    owner_page: Page, owner_account: Person, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Concurrent", licenseName="Desks", issuedTo="eve@seen.example")
    workspace.activate(license_, "Eve's laptop")
    customer = customer_of(workspace, license_)
    go(page, f"/customers/{customer['id']}")
    more(page).click()
    page.get_by_role("menuitem", name="View portal as customer").click()
    page.get_by_role("dialog").get_by_role("button", name="View portal").click()
    banner = page.get_by_role("status").filter(has_text="You see the portal as eve@seen.example")
    expect(banner).to_be_visible()
    devices = page.get_by_role("region", name="Devices")
    expect(devices).to_contain_text("Eve's laptop")
    expect(devices).to_contain_text("Read only: the customer frees seats here.")
    expect(devices.get_by_role("button", name="Free seat of Eve's laptop")).to_be_disabled()
    file = page.get_by_role("region", name="License file")
    expect(file.get_by_role("button", name="Download license.bin")).to_be_disabled()
    examine(page, "portal-view")
    banner.get_by_role("button", name="End view").click()
    expect(page.get_by_role("heading", level=1, name="eve@seen.example")).to_be_visible()
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_text(f"{owner_account.name} viewed the portal")).to_be_visible()
    # What happened to one of their licenses names it, and leads to it.
    activated = page.get_by_role("listitem").filter(has_text="Eve's laptop was activated")
    expect(activated).to_contain_text("Desks")
    activated.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Desks")).to_be_visible()


def test_a_view_of_the_portal_that_a_reload_ends_says_so(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual", licenseName="Atlas", issuedTo="ada@seen.example")
    workspace.issue("Perpetual", licenseName="Globe", issuedTo="ada@seen.example")
    customer = customer_of(workspace, license_)
    workspace.ok("PUT", f"/api/customers/{customer['id']}", {"name": "Ada Byron"})
    go(page, f"/customers/{customer['id']}")
    emblem = page.get_by_role("table", name="Licenses").locator("[data-kind=product]").first
    alike = f"[data-kind=product][data-color='{emblem.get_attribute('data-color')}']"
    more(page).click()
    page.get_by_role("menuitem", name="View portal as customer").click()
    page.get_by_role("dialog").get_by_role("button", name="View portal").click()
    expect(page.get_by_text("Issued to Ada Byron")).to_be_visible()
    expect(page.get_by_role("list", name="Licenses").locator(alike)).to_have_count(2)
    page.get_by_role("link", name="Atlas").click()
    with expecting(page, 404, path="/api/portal/"):
        page.reload()
        banner = page.get_by_role("status").filter(has_text="The view as ada@seen.example ended")
        expect(banner).to_be_visible()
        expect(page.get_by_text("This license is not among yours")).to_be_visible()
    banner.get_by_role("link", name="Back to the customer").click()
    expect(page.get_by_role("heading", level=1, name="Ada Byron")).to_be_visible()
    go(page, "/portal")
    expect(banner).to_be_hidden()


def test_customers_are_found_by_their_licenses_and_tagged_together(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    for name in ("ada", "bob"):
        issued = workspace.issue("Perpetual", issuedTo=f"{name}@lists.example")
    workspace.ok("POST", f"/api/licenses/{issued['id']}/suspend", {})
    go(page, "/customers?search=lists.example")
    table = page.get_by_role("table", name="Customers")
    expect(table.get_by_role("row", name="ada@lists.example")).to_contain_text("1 active")
    expect(table.get_by_role("row", name="bob@lists.example")).to_contain_text("1 suspended")
    table.get_by_role("checkbox", name="Select all").check()
    bar = page.get_by_role("region", name="Selection")
    examine(page, "customers-selected")
    with page.expect_download() as saved:
        bar.get_by_role("button", name="Export CSV").click()
    assert "bob@lists.example" in saved.value.path().read_text()
    bar.get_by_role("button", name="Add tag").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Tag").fill("asked")
    dialog.get_by_role("button", name="Tag 2 customers").click()
    expect(page.get_by_text("2 customers tagged.")).to_be_visible()
    expect(table.get_by_role("row", name="ada@lists.example")).to_contain_text("asked")
    page.get_by_role("button", name="No active license").click()
    expect(table.get_by_role("row", name="bob@lists.example")).to_be_visible()
    expect(table.get_by_role("row", name="ada@lists.example")).to_have_count(0)
