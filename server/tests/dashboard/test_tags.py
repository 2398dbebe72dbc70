"""Tags on pages and in lists, and the licenses of a customer with another address."""

from dashboard.checks import examine
from dashboard.moving import go
from dashboard.vendor import Workspace
from playwright.sync_api import Page, expect


def test_a_license_is_tagged_and_filtered(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.issue("Perpetual", licenseName="First", tags=["Renewal 2031"])
    second = workspace.issue("Perpetual", licenseName="Second")
    workspace.issue("Perpetual", licenseName="Third")
    go(page, f"/licenses/{second['id']}")
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog")
    tags = dialog.get_by_label("Tags", exact=True)
    tags.fill("renew")
    page.get_by_role("option", name="Renewal 2031").click()
    tags.fill("Partner")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).not_to_be_visible()
    shown = page.get_by_role("list", name="Tags")
    expect(shown).to_have_text("Renewal 2031Partner")
    go(page, "/licenses?tag=renewal 2031")
    table = page.get_by_role("table", name="Licenses")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(page.get_by_text("Tag: renewal 2031")).to_be_visible()
    examine(page, "licenses-by-tag")


def test_many_licenses_are_tagged_and_that_is_undone(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    tagged = workspace.issue("Perpetual", licenseName="Old hand", tags=["VIP"])
    bare = workspace.issue("Perpetual", licenseName="Newcomer")
    go(page, "/licenses")
    for name in ("Old hand", "Newcomer"):
        page.get_by_role("row", name=name).get_by_role("checkbox").check()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Add tag").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Tag", exact=True).fill("vip")
    page.get_by_role("option", name="VIP").click()
    dialog.get_by_role("button", name="Tag 2 licenses").click()
    expect(page.get_by_text("2 licenses tagged.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: 1 license tagged.")).to_be_visible()
    tags = [workspace.ok("GET", f"/api/licenses/{item['id']}")["tags"] for item in (tagged, bare)]
    assert tags == [["VIP"], []]


def test_the_licenses_of_a_customer_move_with_the_address(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Perpetual", issuedTo="ada@former.example")
    go(page, f"/customers/{license_['customerId']}")
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email address").fill("ada@new.example")
    expect(dialog.get_by_label("Move 1 license to the new address")).to_be_checked()
    examine(page, "customer-moves")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="ada@new.example")).to_be_visible()
    moved = workspace.ok("GET", f"/api/licenses/{license_['id']}")
    assert moved["issuedTo"] == "ada@new.example"
