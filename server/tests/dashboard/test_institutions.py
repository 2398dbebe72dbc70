"""Institutions: their people, invitations, audit log and settings, each as far as a role goes."""

import csv
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import add_filter, choose, entry
from dashboard.moving import go
from dashboard.vendor import Json, Person, Workspace, furnish, open_workspace
from dashboard.watching import expecting
from e2e.process import NO_TLS
from playwright.sync_api import Locator, Page, expect

_numbers = count(1)

SCRIPT = "<script>alert(1)</script>"
LONG = "Gesellschaft fuer Belichtung und Bildbearbeitung " * 4


def invited(page: Page) -> Locator:
    return page.get_by_role("region", name="Invited")


def row(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def told(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("alert")


def press(page: Page, name: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def change_role(page: Page, person: str) -> Locator:
    page.get_by_role("button", name=f"Actions for {person}").click()
    page.get_by_role("menuitem", name="Edit role and assignments").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(person)
    return dialog


def accept(owner: httpx.Client, link: str, person: Person) -> None:
    body = {
        "token": httpx.URL(link).params["token"],
        "password": person.password,
        "fullName": person.name,
    }
    url = str(owner.base_url.join("/api/auth/accept-invitation"))
    httpx.post(url, json=body, trust_env=False, timeout=30, verify=NO_TLS).raise_for_status()


@pytest.fixture
def founded(owner: httpx.Client) -> Iterator[Json]:
    """An institution of the test's own, whose only member is the Owner; gone afterwards."""
    made = owner.post("/api/institutions", json={"name": f"Borealis {next(_numbers)}"})
    founded = dict(made.raise_for_status().json())
    yield founded
    path = f"/api/institutions/{founded['id']}"
    owner.put(f"{path}/settings", json={"ipAllowList": None})
    owner.delete(path)


def test_somebody_joins_by_a_link_and_sees_what_is_assigned(
    owner_page: Page, owner: httpx.Client, workspace: Workspace, new_page: NewPage
) -> None:
    page, other = owner_page, open_workspace(owner)
    ada = Person(f"ada.{next(_numbers)}@example.com", "Ada Newcomer")
    go(page, f"/institutions/{workspace.institution}/members")
    page.get_by_role("button", name="Invite").click()
    page.get_by_label("Email address").fill(ada.email)
    page.get_by_role("radio", name="Viewer").check()
    press(page, "Invite")
    expect(told(page)).to_contain_text("email")
    link = page.get_by_role("region", name="Invitation link").inner_text()
    examine(page, "invitation-link")
    press(page, "Done")
    expect(row(invited(page), ada.email)).to_contain_text(re.compile("in [67] days"))
    accept(owner, link, ada)
    page.reload()
    expect(row(page, ada.email)).to_contain_text(ada.name)
    expect(row(invited(page), ada.email)).to_have_count(0)

    dialog = change_role(page, ada.name)
    dialog.get_by_role("radio", name=re.compile("^Member")).check()
    expect(dialog).to_contain_text("cannot see anything yet")
    dialog.get_by_role("combobox", name="Products").fill(workspace.name)
    page.get_by_role("option", name=workspace.name, exact=True).click()
    dialog.get_by_role("combobox", name="Products").press("Escape")
    examine(page, "member-role")
    press(page, "Save")
    expect(row(page, ada.name)).to_contain_text(workspace.name)

    hers = signed_in(new_page(), ada.email)
    go(hers, f"/institutions/{workspace.institution}/products")
    expect(hers.get_by_role("link", name=workspace.name, exact=True)).to_be_visible()
    expect(hers.get_by_role("link", name=other.name, exact=True)).to_have_count(0)


def test_a_release_of_another_product_is_assigned(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.release("3.0.0", channel="Beta")
    ben = workspace.member("Viewer", f"Ben Release {next(_numbers)}")
    go(page, f"/institutions/{workspace.institution}/members")
    dialog = change_role(page, ben.name)
    dialog.get_by_role("radio", name=re.compile("^Member")).check()
    dialog.get_by_role("combobox", name="Product of the release").fill(workspace.name)
    page.get_by_role("option", name=workspace.name, exact=True).click()
    dialog.get_by_role("combobox", name="Add release").click()
    page.get_by_role("option", name="3.0.0 (Beta)").click()
    expect(dialog).to_contain_text(f"{workspace.name} 3.0.0")
    press(page, "Save")
    expect(row(page, ben.name)).to_contain_text(f"{workspace.name} 3.0.0")


def test_the_last_owner_stays(owner_page: Page, founded: Json) -> None:
    page = owner_page
    go(page, f"/institutions/{founded['id']}/members")
    button = page.get_by_role("button", name="Actions for")
    button.click()
    page.get_by_role("menuitem", name="Edit role").click()
    page.get_by_role("radio", name="Viewer").check()
    expect(told(page)).to_contain_text("You cannot undo this yourself.")
    with expecting(page, 409):
        press(page, "Save")
        expect(told(page).last).to_contain_text("Owner")
    expect(told(page).last).to_contain_text("Request")
    press(page, "Cancel")
    button.click()
    page.get_by_role("menuitem", name="Leave institution").click()
    with expecting(page, 409):
        press(page, "Leave")
        expect(told(page)).to_contain_text("Owner")


def test_member_who_leaves_sees_the_institution_no_longer(workspace: Workspace, page: Page) -> None:
    vera = workspace.member("Viewer")
    signed_in(page, vera.email).goto(f"/institutions/{workspace.institution}/members")
    expect(page.get_by_role("button", name="Actions for")).to_have_count(1)
    page.get_by_role("button", name=f"Actions for {vera.name}").click()
    expect(page.get_by_role("menuitem")).to_have_text(["Leave institution"])
    page.get_by_role("menuitem").click()
    press(page, "Leave")
    # Without an institution they are a customer like any other.
    expect(page.get_by_role("heading", name="My licenses")).to_be_visible()


@pytest.mark.parametrize(
    "role",
    [
        "Admin",
        "Viewer",
        *(pytest.param(role, marks=pytest.mark.long) for role in ("Owner", "Member")),
    ],
)
def test_a_role_finds_what_it_may_do(
    role: str, workspace: Workspace, page: Page, owner_account: Person
) -> None:
    rules = role in {"Owner", "Admin"}
    person = workspace.member(role)
    signed_in(page, person.email).goto(f"/institutions/{workspace.institution}")
    expect(page.get_by_role("heading", name="Recent activity")).to_be_visible()
    expect(page.get_by_role("tab")).to_have_text(["Overview", "Products"])
    expect(entry(page, "Settings")).to_have_count(int(rules))
    expect(entry(page, "Users")).to_have_count(0)
    go(page, "/doctor")
    expect(page.get_by_text("Only system Admins can open this page")).to_be_visible()

    go(page, "/settings/team")
    page.get_by_placeholder("Name or email").fill(owner_account.email)
    expect(page.get_by_role("row")).to_have_count(2)
    expect(row(page, owner_account.email).get_by_role("button", name="Actions")).to_have_count(
        int(role == "Owner")
    )

    if rules:
        page.get_by_role("button", name="Invite").click()
        expect(page.get_by_role("radio", name="Owner")).to_have_count(int(role == "Owner"))


def test_a_list_that_locks_out_warns_and_a_system_admin_mends_it(
    owner_page: Page, founded: Json
) -> None:
    page = owner_page
    go(page, f"/institutions/{founded['id']}/settings/sign-in")
    expect(page.get_by_role("button", name="Enter data")).to_be_visible()
    addresses = page.get_by_label("Addresses and networks")
    addresses.fill("127.0.0.0/8\n")
    warning = page.get_by_text("Your own address is not in this list")
    expect(warning).to_have_count(0)
    addresses.fill("203.0.113.0/24\n2001:db8::/32")
    expect(warning).to_be_visible()
    examine(page, "settings-lock-out")
    page.get_by_role("button", name="Save", exact=True).click()
    go_on = page.get_by_role("button", name="Save and lock me out")
    expect(go_on).to_be_disabled()
    page.get_by_label("to confirm").fill("127.0.0.1")
    with expecting(page, 403):
        go_on.click()
        expect(page.get_by_role("alert").filter(has_text="Forbidden")).to_be_visible()
        expect(addresses).to_have_value("203.0.113.0/24\n2001:db8::/32")
        expect(warning).to_be_visible()
    addresses.fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("tab", name="General")).to_be_visible()


def test_a_bad_range_is_told_at_its_line(owner_page: Page, founded: Json) -> None:
    page = owner_page
    go(page, f"/institutions/{founded['id']}/settings/sign-in")
    expect(page.get_by_role("button", name="Enter data")).to_be_visible()
    page.get_by_label("Addresses and networks").fill("127.0.0.1\nnonsense")
    with expecting(page, 400):
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("Line 2")).to_be_visible()


def test_the_audit_log_shows_a_change_before_and_after(
    owner_page: Page, owner_account: Person, founded: Json, tmp_path: Path
) -> None:
    page = owner_page
    go(page, f"/institutions/{founded['id']}/settings")
    page.get_by_label("Per product key").fill("600")
    page.get_by_role("textbox", name="Name", exact=True).fill(f"{SCRIPT} {LONG}"[:200])
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    back = page.get_by_role("main").get_by_role("link").filter(has_text=SCRIPT)
    back.click()

    page.get_by_role("main").get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("tab", name="Audit log").click()
    expect(row(page, "Institution renamed")).to_contain_text(owner_account.email)
    add_filter(page, "Event")
    page.get_by_role("combobox", name="Event").fill("Institution settings")
    page.get_by_role("option", name="Institution settings changed").click()
    expect(row(page, "Institution renamed")).to_have_count(0)
    assert "kind=institution.settings_changed" in page.url
    page.reload()
    expect(row(page, "Institution settings changed")).to_have_count(1)
    row(page, "Institution settings changed").get_by_role("cell").last.click()
    changed = page.get_by_role("table", name="What changed").get_by_role("row")
    expect(changed.filter(has_text="Rate limit per product key").get_by_role("cell")).to_have_text(
        ["—", "600"]
    )
    examine(page, "audit-entry")
    press(page, "Close")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export CSV").click()
    saved.value.save_as(tmp_path / "audit.csv")
    with (tmp_path / "audit.csv").open(newline="") as file:
        assert [line["kind"] for line in csv.DictReader(file)] == ["institution.settings_changed"]
    page.get_by_role("button", name="Clear filters").click()
    expect(row(page, "Institution created")).to_be_visible()


def test_the_audit_log_is_narrowed_to_a_person_and_an_item(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    helper = workspace.member("Admin", "Grace Helper")
    made = [workspace.issue("Perpetual", licenseName=name) for name in ("Borealis 7", "Other")]
    workspace.act(made[0], "suspend")
    for license_ in made:
        workspace.ok("PUT", f"/api/licenses/{license_['id']}", {"tags": ["key account"]})
    go(page, "/settings/audit")
    expect(row(page, "License issued")).to_have_count(2)
    expect(row(page, "License updated")).to_have_count(1)
    page.get_by_role("button", name="And 1 more like it").click()
    expect(row(page, "License updated")).to_have_count(2)
    add_filter(page, "Item")
    page.get_by_role("combobox", name="Item").fill("borealis")
    page.get_by_role("option", name="Borealis 7").click()
    expect(row(page, "License suspended")).to_have_count(1)
    expect(row(page, "License issued")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Remove filter Item: Borealis 7")).to_be_visible()
    add_filter(page, "Person")
    page.get_by_role("combobox", name="Person").fill("grace")
    page.get_by_role("option", name=helper.email).click()
    expect(page.get_by_text("No entries match these filters.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(row(page, "License issued")).to_have_count(2)


def test_invitations_are_sent_again_and_revoked(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    email = f"late.{next(_numbers)}@example.com"
    first = workspace.invite("Viewer", email)["acceptUrl"]
    go(page, f"/institutions/{workspace.institution}/invitations")
    choose(row(page, email), "Resend invitation")
    press(page, "Resend")
    link = page.get_by_role("region", name="Invitation link")
    expect(link).to_be_visible()
    assert link.inner_text() != first
    press(page, "Done")
    choose(row(page, email), "Revoke invitation")
    press(page, "Revoke invitation")
    expect(row(page, email)).to_have_count(0)


def test_an_institution_is_founded_worked_in_and_deleted(owner_page: Page) -> None:
    page, name = owner_page, f"Borealis {next(_numbers)}"
    go(page, "/institutions")
    page.get_by_role("button", name="New institution").click()
    page.get_by_role("textbox", name="Name").fill(name)
    press(page, "Create institution")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("Current")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Change plan").click()
    page.get_by_role("combobox", name="Plan").click()
    page.get_by_role("option", name="Free").click()
    page.get_by_label("Max licenses").fill("7")
    press(page, "Change plan")
    expect(page.get_by_text("0 of 7")).to_be_visible()
    page.get_by_role("tab", name="General").click()
    page.get_by_role("button", name="Delete institution").click()
    delete = page.get_by_role("button", name="Delete institution")
    expect(delete).to_be_disabled()
    page.get_by_label("to confirm").fill(name)
    delete.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Institutions")
    expect(page.get_by_role("link", name=name)).to_have_count(0)


@pytest.mark.long
def test_every_tab_is_fit_for_everybody(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    furnish(workspace)
    guest = Person(f"guest.{next(_numbers)}@example.com", f"عبد الرحمن {SCRIPT}")
    accept(workspace.owner, workspace.invite("Viewer", guest.email)["acceptUrl"], guest)
    go(page, "/institutions")
    expect(page.get_by_role("link", name="Licet").first).to_be_visible()
    expect(page.get_by_role("table")).to_be_visible()
    examine(page, "institutions")
    for tab in ("", "products", "members", "audit"):
        go(page, f"/institutions/{workspace.institution}/{tab}")
        sign = {
            "": page.get_by_text("License revoked").or_(page.get_by_text("Member joined")).first,
        }.get(tab, page.get_by_role("table").first)
        expect(sign).to_be_visible()
        examine(page, f"institution-{tab or 'overview'}")
    go(page, "/settings/team?act=invite")
    page.get_by_role("radio", name=re.compile("^Member")).check()
    page.get_by_role("dialog").get_by_label("Email address").fill("nobody@example.com")
    press(page, "Invite")
    expect(page.get_by_text("Choose what they see.")).to_be_visible()
    examine(page, "institution-invite")


def test_a_tab_stays_in_its_institution_and_follows_what_it_opens(
    owner_page: Page, founded: Json, workspace: Workspace
) -> None:
    def in_tab(page: Page, name: str) -> None:
        expect(page.get_by_role("button", name=f"Institution: {name}. Switch")).to_be_visible()

    page, name = owner_page, str(founded["name"])
    [home] = [
        item["institutionName"]
        for item in workspace.ok("GET", "/api/auth/me")["memberships"]
        if item["institutionId"] == workspace.institution
    ]
    go(page, f"/products/{workspace.product}")
    in_tab(page, home)
    other = page.context.new_page()
    go(other, "/institutions")
    other.get_by_role("button", name=f"Switch to {name}").click()
    in_tab(other, name)
    page.get_by_role("link", name="Products", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Products"))
    in_tab(page, home)
    page.reload()
    in_tab(page, home)
    go(other, f"/products/{workspace.product}")
    in_tab(other, home)
