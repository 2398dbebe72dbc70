"""The ten tasks of a support desk by keyboard alone, each from Home in few keys.

A letter is a key, and so is a combination. The review of November 27 took 16 keys to find out why a
license does not work, 26 to reach the menu of a device, and 19 to suspend two licenses.
"""

import re
from dataclasses import dataclass

import pytest
from dashboard.conftest import signed_in
from dashboard.entrance import heading
from dashboard.issuing import issued_to
from dashboard.license_page import button
from dashboard.sales import connect
from dashboard.vendor import Person, Workspace, in_days
from playwright.sync_api import Locator, Page, expect


@dataclass
class Keyboard:
    """Presses keys and counts them."""

    page: Page
    keys: int = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def find(self, text: str, first: str) -> None:
        """Ask the palette, and wait until what is meant is its first offer."""
        self.press("Control+k")
        expect(self.page.get_by_role("combobox", name="Search", exact=True)).to_be_focused()
        self.type(text)
        self.offers(first)

    def offers(self, text: str) -> None:
        chosen = self.page.get_by_role("dialog").locator("[role=option][aria-selected=true]")
        expect(chosen).to_contain_text(text)

    def act_on(self, act: str) -> None:
        """Do the likeliest thing to the offer, which the palette names."""
        expect(self.page.get_by_role("dialog")).to_contain_text(f"⇧ ↵ {act}")
        self.press("Shift+Enter")

    def confirm(self, action: str, *before: str) -> None:
        """Press Enter in the dialog, once it can be confirmed; what is grave begins at Cancel."""
        dialog = self.page.get_by_role("dialog")
        expect(button(dialog, action)).to_be_enabled()
        expect(dialog.locator(":focus")).to_have_count(1)
        self.press(*before, "Enter")
        expect(dialog).to_have_count(0)


@pytest.fixture
def keyboard(page: Page, owner_account: Person) -> Keyboard:
    signed_in(page, owner_account.email).goto("/")
    heading(page, "Home")
    return Keyboard(page)


def told(keyboard: Keyboard, sentence: str | re.Pattern[str]) -> Locator:
    found = keyboard.page.get_by_text(sentence).first
    expect(found).to_be_visible()
    return found


def test_why_a_license_does_not_work(keyboard: Keyboard, workspace: Workspace) -> None:
    made = workspace.issue("Perpetual", licenseName="Paul Martin", issuedTo="paul@example.com")
    workspace.act(made, "suspend", reason="INV-1026 is overdue.")
    keyboard.find("paul", "Paul Martin")
    keyboard.press("Enter")
    told(keyboard, re.compile("Suspended by .* “INV-1026 is overdue.”"))
    assert keyboard.keys <= 6


def test_the_seat_of_a_device_is_freed(keyboard: Keyboard, workspace: Workspace) -> None:
    made = workspace.issue("Concurrent", licenseName="Sales team", maxActiveUsersCount=2)
    for name in ("Tablet 1", "Tablet 2"):
        workspace.activate(made, name)
    keyboard.find("tablet 1", "Tablet 1")
    keyboard.act_on("Deactivate")
    keyboard.confirm("Deactivate device", "Tab")
    told(keyboard, "Tablet 1 deactivated.")
    assert keyboard.keys <= 12


def test_a_trial_is_extended(keyboard: Keyboard, workspace: Workspace) -> None:
    workspace.issue("Trial", licenseName="Tom Weber", expirationDate=in_days(60))
    keyboard.find("to", "Tom Weber")
    keyboard.act_on("Extend")
    keyboard.confirm("Extend license")
    told(keyboard, re.compile("expires on"))
    assert keyboard.keys <= 5


def test_a_concurrent_license_is_issued(keyboard: Keyboard, workspace: Workspace) -> None:
    page = keyboard.page
    workspace.issue("Perpetual", issuedTo="tom.weber@example.com")
    page.goto(f"/products/{workspace.product}")
    heading(page, workspace.name)
    keyboard.find("con 5 tom", "Issue license to tom.weber@example.com")
    keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Product")).to_have_value(workspace.name)
    expect(page.get_by_role("radio", name="Concurrent", exact=True)).to_be_checked()
    expect(page.get_by_role("spinbutton", name="Max active users")).to_have_value("5")
    expect(issued_to(page)).to_be_focused()
    keyboard.press("Control+Enter")
    told(keyboard, re.compile("Concurrent license of"))
    assert keyboard.keys <= 12


def test_a_license_of_a_product_is_issued(keyboard: Keyboard, workspace: Workspace) -> None:
    page = keyboard.page
    page.goto(f"/products/{workspace.product}")
    heading(page, workspace.name)
    keyboard.press("c")
    expect(page.get_by_role("radio", name="Perpetual", exact=True)).to_be_focused()
    keyboard.press(*["ArrowRight"] * 4)
    expect(page.get_by_role("radio", name="Concurrent", exact=True)).to_be_checked()
    # What is still needed takes the focus, field by field.
    keyboard.press("Control+Enter")
    expect(issued_to(page)).to_be_focused()
    keyboard.type("ada@z.example")
    keyboard.press("Control+Enter")
    expect(page.get_by_role("spinbutton", name="Max active users")).to_be_focused()
    keyboard.type("5")
    keyboard.press("Control+Enter")
    told(keyboard, re.compile("Concurrent license of"))
    assert keyboard.keys <= 22


def test_a_portal_link_is_sent(keyboard: Keyboard, workspace: Workspace) -> None:
    workspace.issue("Perpetual", licenseName="Studio", issuedTo="walter@example.com")
    keyboard.find("walt", "walter@example.com")
    keyboard.act_on("Send portal link")
    keyboard.confirm("Send")
    told(keyboard, "Portal link sent to walter@example.com.")
    assert keyboard.keys <= 7


def test_a_webhook_is_created(keyboard: Keyboard, workspace: Workspace) -> None:
    url = "https://hooks.example.com/"
    keyboard.find("webh", "New webhook")
    keyboard.press("Enter")
    expect(keyboard.page.get_by_label("Endpoint URL")).to_be_focused()
    keyboard.type(url)
    keyboard.press("Enter")
    expect(keyboard.page.get_by_role("dialog", name="Webhook created")).to_be_visible()
    assert keyboard.keys - len(url) <= 7


def test_a_stripe_connector_is_created(keyboard: Keyboard, workspace: Workspace) -> None:
    keyboard.find("stripe", "New connector")
    keyboard.press("Enter")
    expect(keyboard.page.get_by_role("radio", name=re.compile("^Stripe"))).to_be_focused()
    keyboard.press("Enter")
    heading(keyboard.page, "Stripe")
    assert keyboard.keys <= 9


def test_an_order_gets_its_rule(keyboard: Keyboard, workspace: Workspace) -> None:
    shop = connect(workspace, "Rules")
    shop.sell("4713", price="brush-pack")
    shop.order("4713", "Unmatched")
    keyboard.find("4713", "4713")
    keyboard.act_on("Create rule")
    price = keyboard.page.get_by_role("dialog").get_by_label("Price in the shop")
    expect(price).to_have_value("brush-pack")
    assert keyboard.keys <= 6


def test_two_licenses_are_suspended(keyboard: Keyboard, workspace: Workspace) -> None:
    page = keyboard.page
    for name in ("Zq one", "Zq two"):
        workspace.issue("Perpetual", licenseName=name)
    keyboard.press("g", "l")
    expect(page.get_by_role("searchbox", name="Search")).to_be_visible()
    keyboard.press("/")
    with page.expect_response(re.compile("search=zq")):
        keyboard.type("zq")
    expect(page.get_by_role("row")).to_have_count(3)
    keyboard.press("ArrowDown", "Shift+ArrowDown", "s")
    keyboard.confirm("Suspend 2 licenses")
    told(keyboard, "2 licenses suspended.")
    page.keyboard.press("z")
    told(keyboard, "Undone: 2 licenses suspended.")
    assert keyboard.keys <= 9


def test_credits_are_granted(keyboard: Keyboard, workspace: Workspace) -> None:
    workspace.issue("MeteredToken", licenseName="Night renders", initialMeterBalance=5)
    keyboard.find("nigh", "Night renders")
    keyboard.press("Tab")
    keyboard.type("g")
    keyboard.offers("Grant")
    keyboard.press("Enter")
    dialog = keyboard.page.get_by_role("dialog")
    expect(dialog.get_by_label("Amount")).to_be_focused()
    keyboard.type("500")
    keyboard.confirm("Grant")
    told(keyboard, re.compile("505"))
    assert keyboard.keys <= 12
