"""What the palette offers to do: told apart, true to the license, and named as people name it."""

import re

from dashboard.entrance import heading
from dashboard.moving import go
from dashboard.vendor import Workspace, in_days
from playwright.sync_api import Locator, Page, expect


def ask(page: Page, text: str) -> Locator:
    """Type into the palette, which is opened first, and return its offers."""
    dialog = page.get_by_role("dialog", name="Search or jump to")
    if not dialog.is_visible():
        page.keyboard.press("Control+k")
    expect(dialog.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    return dialog.get_by_role("option")


def hint(page: Page) -> Locator:
    """What is said of Shift and Enter."""
    return page.get_by_role("dialog").get_by_text("⇧ ↵").locator("xpath=..")


def test_licenses_of_one_name_are_told_apart_and_the_first_to_end_stands_first(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    for model, days in (("Subscription", 40), ("Trial", 4)):
        workspace.issue(model, licenseName="Bilby Weber", expirationDate=in_days(days))
    workspace.issue("Perpetual", licenseName="Bilby Weber")
    go(page, "/")
    heading(page, "Home")
    about = f"{workspace.name} · "
    acts = ask(page, "extend bilby")
    expect(acts.filter(has_text="Bilby")).to_contain_text(
        [f"Extend: Bilby Weber{about}Trial · ", f"{about}Subscription · ", f"{about}Perpetual"]
    )
    expect(acts.filter(has_text="Perpetual").first).to_contain_text("Set end date: Bilby Weber")
    found = ask(page, "bilby w")
    expect(found).to_contain_text([f"{about}Trial", f"{about}Subscription", f"{about}Perpetual"])


def test_the_hint_names_what_the_page_of_the_license_offers(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.issue("Perpetual", licenseName="Wombat one", issuedTo="wombat@example.com")
    full = workspace.issue("Concurrent", licenseName="Wombat pool", maxActiveUsersCount=1)
    workspace.activate(full, "Wombat box")
    workspace.issue("MeteredToken", licenseName="Wombat credits", initialMeterBalance=5)
    go(page, "/")
    heading(page, "Home")
    for name, act in (
        ("wombat one", "Send by email"),
        ("wombat pool", "Free a seat"),
        ("wombat credits", "Grant"),
    ):
        ask(page, name)
        expect(hint(page)).to_have_text(f"⇧ ↵ {act}")
        page.keyboard.press("Tab")
        expect(page.get_by_role("option").first).to_have_text(act)
        page.keyboard.press("Escape")
    ask(page, "wombat one")
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_role("dialog", name="Send license by email")).to_be_visible()


def test_no_end_is_chosen_for_a_license_without_one(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    made = workspace.issue("Perpetual", licenseName="Numbat forever")
    go(page, f"/licenses/{made['id']}?act=term")
    dialog = page.get_by_role("dialog", name="Set end date")
    expect(dialog.get_by_label("Expiration date")).to_have_value("")
    dialog.get_by_role("button", name="Set end date").click()
    expect(dialog.get_by_label("Expiration date")).to_be_focused()
    dialog.get_by_role("button", name="+1 year").click()
    expect(dialog.get_by_label("Expiration date")).to_have_value(re.compile(r", \d{4}$"))
