"""Settings: what belongs to an institution in one place, each part as far as a role goes."""

import re

import httpx
import pytest
from dashboard.checks import DARK, LIGHT, PHONE, PHONE_DARK, examine, settle
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import entry, heading, is_home
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from playwright.sync_api import Locator, Page, expect
from webhooks.receiver import Receiver

TABS = [
    "General",
    "Team",
    "Appearance",
    "Sign-in",
    "Emails",
    "API keys",
    "Webhooks",
    "Audit log",
    "Plan",
]
SIGNS = {
    "General": "Rate limits",
    "Team": "Team",
    "Appearance": "Appearance",
    "Sign-in": "Single sign-on",
    "Emails": "Emails",
    "API keys": "API keys",
    "Webhooks": "Webhooks",
    "Audit log": "Audit log",
    "Plan": "Plan",
}
"""A heading of each tab."""


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name, exact=True)


def stands(page: Page, name: str) -> None:
    expect(tab(page, name)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("heading", level=2, name=SIGNS[name], exact=True)).to_be_visible()


@pytest.mark.parametrize(
    "role",
    [
        "Admin",
        "Viewer",
        *(pytest.param(role, marks=pytest.mark.long) for role in ("Owner", "Member")),
    ],
)
def test_a_role_finds_what_it_may_set(role: str, workspace: Workspace, page: Page) -> None:
    rules = role in {"Owner", "Admin"}
    signed_in(page, workspace.member(role).email).goto(f"/institutions/{workspace.institution}")
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(page).to_have_url(re.compile(r"/settings$"))
    expect(page.get_by_role("tab")).to_have_text(TABS if rules else ["General", "Team", "Plan"])
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_count(int(rules))
    expect(page.get_by_text("Only Owners and Admins of the institution")).to_have_count(
        int(not rules)
    )
    expect(page.get_by_role("button", name="Delete institution")).to_have_count(
        int(role == "Owner")
    )
    tab(page, "Plan").click()
    expect(page.get_by_role("region", name="Plan")).to_contain_text("Products")
    expect(page.get_by_role("button", name="Change plan")).to_have_count(0)
    if role == "Admin":
        tab(page, "Sign-in").click()
        expect(page.get_by_label("Addresses and networks")).to_be_visible()
        expect(page.get_by_role("button", name="Enter data")).to_have_count(0)
    if not rules:
        go(page, "/settings/sign-in")
        expect(page).to_have_url(re.compile(r"/settings$"))
        go(page, "/settings/webhooks")
        expect(page.get_by_text("Only Owners and Admins can manage webhooks")).to_be_visible()
        examine(page, f"settings-{role.lower()}")


def test_the_settings_are_walked_by_keyboard(owner_page: Page) -> None:
    page = owner_page
    go(page, "/")
    is_home(page)
    page.keyboard.press("g")
    page.keyboard.press("e")
    heading(page, "Settings")
    stands(page, "General")
    tab(page, "General").focus()
    for name in TABS[1:]:
        page.keyboard.press("ArrowDown")
        expect(tab(page, name)).to_be_focused()
        page.keyboard.press("Enter")
        stands(page, name)
    for _ in TABS[1:]:
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    stands(page, "General")


@pytest.mark.long
def test_the_settings_stand_on_a_phone(new_page: NewPage, owner_account: Person) -> None:
    page = signed_in(new_page(PHONE), owner_account.email)
    go(page, "/")
    page.get_by_role("button", name="Open menu").click()
    entry(page, "Settings").click()
    for name in TABS:
        page.get_by_role("combobox", name="Settings").select_option(name)
        expect(page.get_by_role("heading", level=2, name=SIGNS[name], exact=True)).to_be_visible()
        examine(page, f"settings-{name.lower().replace(' ', '-')}", (PHONE, PHONE_DARK))


@pytest.mark.long
def test_every_tab_is_fit_for_everybody(
    owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    page = owner_page
    workspace.webhook(receiver.url, description="Back office")
    go(page, "/settings")
    for name in TABS:
        tab(page, name).click()
        stands(page, name)
        examine(page, f"settings-{name.lower().replace(' ', '-')}", (LIGHT, DARK))


def test_the_palette_leads_to_each_part(owner_page: Page) -> None:
    page = owner_page
    go(page, "/")
    is_home(page)
    for typed, end in (("webhooks", "webhooks"), ("logo", "appearance"), ("token", "api-keys")):
        page.keyboard.press("Control+k")
        page.keyboard.type(typed)
        page.get_by_role("option").filter(has_text="Settings").first.click()
        expect(page).to_have_url(re.compile(rf"/settings/{end}$"))


def test_old_addresses_lead_to_the_settings(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    page.goto("/webhooks?page=1")
    expect(page).to_have_url(re.compile(r"/settings/webhooks\?page=1$"))
    go(page, f"/institutions/{workspace.institution}/settings")
    expect(page).to_have_url(re.compile(r"/settings$"))
    stands(page, "General")
    go(page, f"/institutions/{workspace.institution}/single-sign-on")
    expect(page).to_have_url(re.compile(r"/settings/sign-in$"))
    stands(page, "Sign-in")
    for old in ("/settings/members", f"/institutions/{workspace.institution}/invitations"):
        page.goto(f"{old}?search=ada")
        expect(page).to_have_url(re.compile(r"/settings/team\?search=ada$"))
        stands(page, "Team")


def test_another_institution_is_set_without_switching(
    owner: httpx.Client, owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    page, other = owner_page, workspace.customer("Aurora Labs")
    path = f"/institutions/{other['id']}"
    go(page, path)
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(page).to_have_url(re.compile(rf"{path}/settings$"))
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Aurora Labs")
    tab(page, "API keys").click()
    expect(page.get_by_text("No API keys yet")).to_be_visible()
    tab(page, "Webhooks").click()
    page.get_by_role("link", name="New webhook").first.click()
    page.get_by_label("Endpoint URL").fill(receiver.url)
    page.get_by_role("button", name="Create webhook").click()
    page.get_by_role("button", name="I've saved it").click()
    expect(tab(page, "Deliveries")).to_be_visible()
    page.get_by_role("link", name="Webhooks", exact=True).click()
    expect(page).to_have_url(re.compile(rf"{path}/settings/webhooks$"))
    expect(page.get_by_role("table", name="Webhooks").get_by_role("row")).to_have_count(2)
    page.get_by_role("link", name="Aurora Labs").click()
    heading(page, "Aurora Labs")
    page.get_by_role("button", name="Switch to Aurora Labs").click()
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(page).to_have_url(re.compile(r"/settings$"))
    expect(page.get_by_text("Aurora Labs").first).to_be_visible()
    page.goto("about:blank")  # nothing asks for it while it is deleted
    owner.delete(f"/api{path}").raise_for_status()


def test_a_text_for_all_products_is_written(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    go(page, f"/products/{workspace.product}/emails")
    renewed = page.get_by_role("region", name="License renewed")
    expect(renewed).to_contain_text("Built-in text: English, German")
    page.get_by_role("link", name="settings", exact=True).click()
    expect(page).to_have_url(re.compile(r"/settings/emails$"))
    expect(renewed).to_contain_text("Built-in text: English, German")
    page.get_by_role("button", name="Edit License renewed").click()
    page.get_by_label("Sender").fill("Aurora Licensing")
    page.get_by_label("Subject").fill("Renewed: {product}")
    preview = page.get_by_role("region", name="Preview")
    expect(preview).to_contain_text("From Aurora Licensing")
    examine(page, "settings-email")
    save = page.get_by_role("button", name="Save")
    # Chromium sends a click that comes right after scrolling to the frame of the preview.
    save.scroll_into_view_if_needed()
    settle(page)
    save.click()
    expect(page.get_by_text("License renewed: text saved.")).to_be_visible()
    page.get_by_role("button", name="Back to all emails").click()
    expect(renewed).to_contain_text("Own text: English")
    go(page, f"/products/{workspace.product}/emails")
    expect(renewed).to_contain_text("Text of the institution: English")
    workspace.ok("DELETE", f"/api/institutions/{workspace.institution}/mail-templates/renewed")


def test_what_is_wrong_is_said_at_its_field_and_all_is_saved_at_once(owner_page: Page) -> None:
    page = owner_page
    go(page, "/settings")
    days = page.get_by_role("combobox", name="Expiry reminders")
    zone = page.get_by_role("combobox", name="Time zone")
    save = page.get_by_role("button", name="Save")
    expect(days).to_be_visible()
    expect(save).to_have_count(0)
    days.press_sequentially("soon 45,")
    expect(chips(page)).to_have_text(["45 days", "30 days", "7 days", "1 day", "soon"])
    save.click()
    expect(days).to_have_accessible_description("“soon” is not a number of days from 1 to 3,650.")
    expect(days).to_be_focused()
    days.press("Backspace")
    zone.fill("Europe/Berln")
    zone.blur()
    expect(zone).to_have_accessible_description(re.compile("^There is no such time zone"))
    zone.fill("new york")
    expect(page.get_by_role("option")).to_have_text(re.compile(r"^America/New York ?UTC.[45]$"))
    zone.press("Enter")
    expect(zone).to_have_value("America/New_York")
    examine(page, "settings-unsaved")
    save.click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    expect(save).to_have_count(0)
    page.reload()
    expect(chips(page)).to_have_text(["45 days", "30 days", "7 days", "1 day"])
    expect(zone).to_have_value("America/New_York")
    zone.fill("UTC")
    zone.press("Enter")
    save.press("Enter")
    expect(save).to_have_count(0)
    expect(page.locator(":focus")).to_be_visible()


def chips(page: Page) -> Locator:
    return page.locator(".MuiChip-root")


def test_leaving_with_unsaved_settings_asks(owner_page: Page) -> None:
    page = owner_page
    go(page, "/settings")
    name = page.get_by_role("textbox", name="Name", exact=True)
    before = name.input_value()
    name.fill("Half a na")
    tab(page, "Plan").click()
    question = page.get_by_role("dialog", name="Leave without saving")
    question.get_by_role("button", name="Cancel", exact=True).click()
    stands(page, "General")
    expect(name).to_have_value("Half a na")
    page.get_by_role("button", name="Discard").click()
    expect(name).to_have_value(before)
    tab(page, "Plan").click()
    stands(page, "Plan")


def test_whoever_does_not_lock_themselves_out_can_go_on(owner_page: Page) -> None:
    page = owner_page
    go(page, "/settings/sign-in")
    addresses = page.get_by_label("Addresses and networks")
    addresses.fill("203.0.113.0/24")
    save = page.get_by_role("button", name="Save")
    save.click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(addresses).to_have_value("203.0.113.0/24")
    expect(save).to_be_enabled()
    stands(page, "Sign-in")
