"""Associations: a vendor invites, the customer's Owner accepts, and their people manage it."""

import re
from pathlib import Path

import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, entry
from dashboard.moving import go
from dashboard.vendor import Workspace, open_workspace
from dashboard.watching import expecting
from playwright.sync_api import Page, expect


def open_associations(page: Page, workspace: Workspace) -> None:
    go(page, f"/products/{workspace.product}/associations")
    expect(page.get_by_role("heading", name="Associations")).to_be_visible()


@pytest.mark.specification("mission-2")
def test_a_customer_accepts_by_the_link_and_receives_a_license(
    owner_page: Page, new_page: NewPage, workspace: Workspace, tmp_path: Path
) -> None:
    customer = workspace.customer(f"Northwind of {workspace.name}")
    buyer = workspace.person_of(customer, "Owner")
    page = owner_page
    go(page, f"/products/{workspace.product}/settings")
    page.get_by_role("radio", name="Associated").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("tab", name="Associations").click()
    expect(page.get_by_text("No institution is associated yet")).to_be_visible()
    examine(page, "associations-empty")
    page.get_by_role("button", name="Invite institution").first.click()
    page.get_by_label("Email address").fill(buyer.email)
    page.get_by_role("dialog").get_by_role("button", name="Invite institution").click()
    dialog = page.get_by_role("dialog", name=f"Invitation for {buyer.email}")
    link = dialog.get_by_role("region", name="Invitation link").inner_text()
    examine(page, "association-link")
    dialog.get_by_role("button", name="Done").click()

    theirs = new_page()
    theirs.goto(link)
    expect(
        theirs.get_by_role("heading", name=f"Receive licenses of {workspace.name}")
    ).to_be_visible()
    examine(theirs, "association-sign-in")
    theirs.get_by_label("Email address").fill(buyer.email)
    theirs.get_by_label("Password", exact=False).first.fill(buyer.password)
    theirs.get_by_role("button", name="Sign in", exact=True).click()
    expect(theirs.get_by_label("Institution")).to_have_value(customer["name"])
    examine(theirs, "association-accept")
    theirs.get_by_role("button", name="Accept").click()
    expect(theirs.get_by_role("heading", name="Received licenses")).to_be_visible()
    expect(theirs.get_by_text("No received licenses")).to_be_visible()
    examine(theirs, "received-empty")

    open_associations(page, workspace)
    row = page.get_by_role("row", name=re.compile(customer["name"]))
    expect(row).to_contain_text("Associated")
    examine(page, "associations")
    license_ = workspace.issue(
        "Concurrent", customerInstitutionId=customer["id"], licenseName="Two floors"
    )
    workspace.activate(license_, "Lost laptop", os="Debian 13")
    workspace.activate(license_, "Reception")
    workspace.connect(license_, "Reception")

    theirs.get_by_role("tab", name="Products").click()
    held = theirs.get_by_role("region", name=workspace.name)
    expect(held).to_contain_text("Associated since")
    expect(held.get_by_role("listitem").filter(has_text="Two floors")).to_contain_text("Concurrent")
    examine(theirs, "received-products")
    theirs.get_by_role("tab", name="Licenses").click()
    theirs.get_by_role("row", name=re.compile("Two floors")).click()
    expect(theirs.get_by_role("heading", name=workspace.name)).to_be_visible()
    facts = theirs.get_by_role("region", name="License", exact=True)
    expect(facts).to_contain_text(license_["licenseKey"])
    expect(theirs.get_by_role("region", name="Live sessions")).to_contain_text("Reception")
    examine(theirs, "received-license")
    with theirs.expect_download() as taken:
        theirs.get_by_role("button", name="Download license.bin").click()
    taken.value.save_as(tmp_path / "license.bin")
    assert (tmp_path / "license.bin").read_text().count(".") == 2
    devices = theirs.get_by_role("region", name="Devices")
    devices.get_by_role("button", name="Free seat of Lost laptop").click()
    theirs.get_by_role("dialog").get_by_role("button", name="Free seat").click()
    expect(devices.get_by_text("Lost laptop")).to_be_hidden()
    go(theirs, f"/licenses/{license_['id']}")
    with expecting(theirs, 404):
        expect(theirs.get_by_text("License not found").first).to_be_visible()


@pytest.mark.specification("mission-2")
def test_an_association_with_licenses_stays_and_the_page_says_why(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    customer = workspace.customer(f"Contoso of {workspace.name}")
    workspace.tie()
    workspace.associate(customer)
    license_ = workspace.issue("Perpetual", customerInstitutionId=customer["id"])
    open_associations(page, workspace)
    choose(page.get_by_role("row", name=customer["name"]), "Remove association")
    examine(page, "association-remove")
    with expecting(page, 409):
        page.get_by_role("button", name="Remove association", exact=True).click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("has 1 license")
    examine(page, "association-in-use")
    workspace.act(license_, "revoke")
    page.get_by_role("button", name="Remove association", exact=True).click()
    expect(page.get_by_text("No institution is associated yet")).to_be_visible()


def test_an_invitation_by_id_waits_for_the_owner_who_finds_it(
    owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    page = owner_page
    customer = workspace.customer(f"Fabrikam of {workspace.name}")
    buyer, viewer = (workspace.person_of(customer, role) for role in ("Owner", "Viewer"))
    workspace.tie()
    open_associations(page, workspace)
    page.get_by_role("button", name="Invite institution").first.click()
    page.get_by_role("radio", name="By institution ID").check()
    page.get_by_role("textbox", name="Institution ID").fill("nonsense")
    with expecting(page, 400):
        page.get_by_role("dialog").get_by_role("button", name="Invite institution").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    page.get_by_role("textbox", name="Institution ID").fill(customer["id"])
    page.get_by_role("dialog").get_by_role("button", name="Invite institution").click()
    page.get_by_role("button", name="Done").click()
    choose(page.get_by_role("table", name="Associations"), "Resend invitation")
    page.get_by_role("dialog").get_by_role("button", name="Resend").click()
    page.get_by_role("button", name="Done").click()

    theirs = signed_in(new_page(), viewer.email, viewer.password)
    go(theirs, "/received-licenses")
    expect(theirs.get_by_text("An Owner of your institution can accept.")).to_be_visible()
    theirs = signed_in(new_page(), buyer.email, buyer.password)
    go(theirs, "/")
    entry(theirs, "Received licenses").click()
    examine(theirs, "received-invited")
    theirs.get_by_role("tab", name="Products").click()
    held = theirs.get_by_role("region", name=workspace.name)
    expect(held).to_contain_text("Invited")
    expect(held).to_contain_text("The invitation expires")
    examine(theirs, "received-products-invited")
    theirs.get_by_role("link", name=re.compile("^Review")).click()
    theirs.get_by_role("button", name="Accept").click()
    expect(theirs.get_by_role("heading", name="Received licenses")).to_be_visible()
    expect(theirs.get_by_role("link", name=re.compile("^Review"))).to_be_hidden()


def test_a_customer_goes_from_a_product_to_its_licenses(
    new_page: NewPage, workspace: Workspace
) -> None:
    customer = workspace.customer(f"Wingtip of {workspace.name}")
    other = open_workspace(workspace.owner, f"{workspace.name} Server")
    for one in (workspace, other):
        one.tie()
        one.associate(customer)
    desks = [
        workspace.issue(
            "Perpetual", customerInstitutionId=customer["id"], licenseName=f"Desk {number}"
        )
        for number in range(6)
    ]
    workspace.act(desks[0], "revoke")
    page = signed_in(new_page(), workspace.person_of(customer, "Viewer").email)
    go(page, "/received-licenses/products")
    expect(page.get_by_role("region", name=other.name)).to_contain_text("No license yet.")
    held = page.get_by_role("region", name=workspace.name, exact=True)
    expect(held.get_by_role("listitem")).to_have_count(5)
    examine(page, "received-products-many")
    held.get_by_role("link", name="All 6 licenses").click()
    expect(page.get_by_role("row", name=re.compile("Desk"))).to_have_count(6)
    expect(page.get_by_role("row", name=re.compile("Desk 0"))).to_contain_text("Revoked")
    narrowed = page.get_by_role("button", name=f"Remove filter Product: {workspace.name}")
    narrowed.press("Enter")
    expect(narrowed).to_have_count(0)
    expect(page).to_have_url(re.compile("/received-licenses$"))


def test_a_member_is_led_to_no_received_licenses_and_a_viewer_frees_no_device(
    new_page: NewPage, workspace: Workspace
) -> None:
    customer = workspace.customer(f"Tailspin of {workspace.name}")
    workspace.tie()
    workspace.associate(customer)
    license_ = workspace.issue("Concurrent", customerInstitutionId=customer["id"])
    workspace.activate(license_, "Desk")
    viewer = workspace.person_of(customer, "Viewer")
    page = signed_in(new_page(), viewer.email, viewer.password)
    go(page, f"/received-licenses/{license_['id']}")
    expect(page.get_by_role("region", name="Devices")).to_contain_text("Desk")
    expect(page.get_by_role("button", name="Free seat of Desk")).to_be_hidden()
    member = workspace.member("Member")
    page = signed_in(new_page(), member.email, member.password)
    go(page, "/")
    expect(entry(page, "Products")).to_be_visible()
    expect(entry(page, "Received licenses")).to_be_hidden()
