"""Connectors: a shop is connected, its sales get rules, and what it sends is looked into."""

import re

import pytest
from connectors.shops import SECRETS
from connectors.shops import Shop as Life
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import add_filter, choose, entry, heading
from dashboard.moving import go
from dashboard.sales import (
    Elsewhere,
    choose_product,
    confirm,
    connected,
    order_row,
    policy_of,
    press,
)
from dashboard.vendor import Workspace
from dashboard.watching import slow
from playwright.sync_api import Page, expect

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.clock import system_clock


def test_a_shop_is_connected_and_its_first_sale_gets_its_rule(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy_of(workspace)
    go(page, "/connectors")
    page.get_by_role("link", name="New connector").first.click()
    page.get_by_label("Any other shop").check()
    page.get_by_role("textbox", name="Name", exact=True).fill("Our own shop")
    examine(page, "connector-new")
    press(page, "Create connector")
    dialog = page.get_by_role("dialog", name="Connector created")
    secret = dialog.get_by_role("region", name="Signing secret").inner_text()
    press(page, "I've saved it")
    heading(page, "Our own shop")
    expect(page.get_by_text("No event has arrived yet")).to_be_visible()
    assert secret not in page.content(), "it was shown once"
    examine(page, "connector-setup")
    elsewhere = Elsewhere(workspace, page.url.rsplit("/", 1)[1], secret)
    assert f"/api/connectors/{elsewhere.id}/inbox" in page.content()

    elsewhere.sell("A-1001", "aurora-yearly")
    expect(page.get_by_text("The shop is connected")).to_be_visible()
    expect(page.get_by_text("1 order has no license because")).to_be_visible()
    sold = page.get_by_role("link", name="1", exact=True).first
    expect(sold).to_have_attribute("href", f"/orders?connectorId={elsewhere.id}")
    examine(page, "connector-overview")
    page.get_by_role("link", name="Show it").click()
    row = order_row(page, "A-1001")
    expect(row).to_contain_text("Unmatched")
    expect(row).to_contain_text("aurora-yearly")
    expect(row).to_contain_text("Jane Doe")
    examine(page, "orders-unmatched")
    row.get_by_role("link", name="A-1001").click()
    heading(page, "Order A-1001")
    expect(page.get_by_role("alert")).to_contain_text("No rule matches aurora-yearly")
    examine(page, "order-unmatched")
    press(page, "Create rule for order A-1001")
    dialog = page.get_by_role("dialog", name="Create rule")
    expect(dialog.get_by_label("Price in the shop")).to_have_value("aurora-yearly")
    expect(dialog.get_by_label("Product in the shop")).to_have_value("aurora")
    expect(dialog.get_by_role("combobox", name="Licensed product")).to_be_focused()
    choose_product(dialog, page, workspace)
    expect(dialog.get_by_role("combobox", name="Policy")).to_have_text("Team, yearly")
    examine(page, "rule-new")
    page.keyboard.press("Control+Enter")
    expect(dialog).to_be_hidden()
    sold = page.get_by_role("list", name="Items").get_by_role("listitem").first
    named = f"{re.escape(workspace.name)} · Team, yearly.*Sold as aurora-yearly.*Active"
    expect(sold).to_contain_text(re.compile(named))
    expect(page.get_by_text("Fulfilled", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Create rule for order A-1001")).to_be_hidden()
    examine(page, "order-fulfilled")
    order = elsewhere.order("A-1001", "Fulfilled")
    page.get_by_role("link", name="Jane Doe").click()
    expect(order_row(page, "A-1001")).to_contain_text("Fulfilled")
    examine(page, "customer-orders")
    [license_id] = order["licenseIds"]
    go(page, f"/orders?customerId={order['customerId']}")
    expect(page.get_by_role("button", name="Remove filter Customer: Jane Doe")).to_be_visible()
    order_row(page, "A-1001").get_by_role("link", name="1 license").click()
    expect(page).to_have_url(re.compile(f"/licenses/{license_id}$"))


def test_an_event_that_cannot_be_read_says_why_and_is_replayed(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    elsewhere = connected(workspace)
    elsewhere.sell("R-1", "some-price")
    elsewhere.tell("order.paid", note="An order without its name.")
    elsewhere.tell("product.updated", id="aurora")
    go(page, f"/connectors/{elsewhere.id}")
    page.get_by_role("tab", name="Events").click()
    table = page.get_by_role("table", name="Events")
    for status in ("Processed", "Failed", "Ignored"):
        expect(table.get_by_text(status, exact=True)).to_be_visible()
    sold = table.get_by_role("row").filter(has_text="Processed")
    expect(sold).to_contain_text(re.compile("Paid.*order.paid.*R-1.*Jane Doe"))
    examine(page, "connector-events")
    add_filter(page, "Failed")
    expect(page).to_have_url(re.compile(r"status=Failed"))
    expect(page.get_by_role("button", name="Remove filter Status: Failed")).to_be_visible()
    expect(table.get_by_role("row")).to_have_count(2)
    table.get_by_role("button", name="Paid").click()
    details = page.get_by_role("dialog", name="Paid")
    expect(details.get_by_role("alert")).to_contain_text("id")
    expect(details.get_by_role("region", name="Text of the event")).to_contain_text(
        "An order without its name."
    )
    examine(page, "connector-event-failed")
    details.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("Event queued for reprocessing")).to_be_visible()
    expect(table.get_by_text("Failed", exact=True)).to_be_visible()
    order = elsewhere.order("R-1", "Unmatched")
    go(page, f"/orders/{order['id']}")
    events = page.get_by_role("region", name="Events from the shop")
    events.locator("summary").click()
    events.get_by_role("button", name="Paid").click()
    page.get_by_role("dialog").get_by_role("button", name="Replay").click()
    expect(page.get_by_text("Event queued for reprocessing")).to_be_visible()


def test_rules_are_added_changed_and_removed_and_none_is_there_twice(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy_of(workspace)
    elsewhere = connected(workspace)
    path = f"/api/connectors/{elsewhere.id}"
    go(page, f"/connectors/{elsewhere.id}/rules")
    expect(page.get_by_text("No rules yet")).to_be_visible()
    press(page, "Add rule")
    dialog = page.get_by_role("dialog", name="Create rule")
    expect(dialog.get_by_text("everything that no other rule covers")).to_be_visible()
    with slow(page, "**/api/policies?*"):
        choose_product(dialog, page, workspace)
        confirm(page, "Create rule")
    rules = page.get_by_role("list", name="Rules")
    expect(rules.get_by_role("listitem")).to_have_count(1)
    press(page, "Add rule")
    expect(dialog.get_by_role("alert")).to_contain_text("the same product and price")
    choose_product(dialog, page, workspace)
    dialog.get_by_role("button", name="Create rule").click()
    expect(dialog.get_by_label("Product in the shop")).to_be_focused()
    examine(page, "rule-twice")
    dialog.get_by_label("Price in the shop").fill("support-fee")
    dialog.get_by_label("The buyer gets").click()
    page.get_by_role("option", name="No license").click()
    confirm(page, "Create rule")
    expect(rules.get_by_role("listitem")).to_have_count(2)
    expect(rules.get_by_role("listitem").first).to_contain_text("support-fee")
    expect(rules.get_by_role("listitem").last).to_contain_text(f"Team, yearly of {workspace.name}")
    examine(page, "connector-rules")
    choose(rules.get_by_role("listitem").first, "Edit")
    dialog = page.get_by_role("dialog", name="Change rule")
    dialog.get_by_label("Product in the shop").fill("support")
    confirm(page, "Save")
    expect(rules.get_by_role("listitem").first).to_contain_text("support-fee of support")
    assert [rule["match"] for rule in workspace.ok("GET", path)["rules"]] == [
        {"product": None, "price": None},
        {"product": "support", "price": "support-fee"},
    ]
    choose(rules.get_by_role("listitem").first, "Delete")
    confirm(page, "Delete rule")
    expect(rules.get_by_role("listitem")).to_have_count(1)
    assert len(workspace.ok("GET", path)["rules"]) == 1


def test_settings_are_changed_the_secret_replaced_and_the_connector_deleted(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy = policy_of(workspace)
    elsewhere = connected(workspace, rules=[{"match": {}, "policyId": policy}])
    elsewhere.sell("S-1", "any", email="kept@example.com")
    [license_id] = elsewhere.order("S-1", "Fulfilled")["licenseIds"]
    path = f"/api/connectors/{elsewhere.id}"
    name = workspace.ok("GET", path)["name"]
    go(page, f"/connectors/{elsewhere.id}/settings")
    page.get_by_label("When an order is refunded").click()
    page.get_by_role("option", name="Do nothing").click()
    page.get_by_label("Grace in days").fill("14")
    press(page, "Save")
    expect(page.get_by_text("Connector saved.")).to_be_visible()
    stored = workspace.ok("GET", path)
    assert (stored["onRefund"], stored["graceDays"]) == ("Nothing", 14)

    press(page, "Replace signing secret")
    examine(page, "connector-replace-secret")
    confirm(page, "Replace secret")
    dialog = page.get_by_role("dialog", name="New signing secret")
    secret = dialog.get_by_role("region", name="Signing secret").inner_text()
    press(page, "I've saved it")
    expect(page.get_by_text("The previous one stays valid until")).to_be_visible()
    examine(page, "connector-settings")
    for known in (elsewhere.secret, secret):
        assert elsewhere.send("product.updated", known, id="aurora").status_code == 200

    press(page, "Disable connector")
    confirm(page, "Disable connector")
    expect(page.get_by_text("This connector is disabled")).to_be_visible()
    assert elsewhere.send("product.updated", secret, id="aurora").status_code == 409
    press(page, "Enable")
    expect(page.get_by_text("This connector is disabled")).to_be_hidden()
    assert elsewhere.send("product.updated", secret, id="aurora").status_code == 200

    press(page, "Delete connector")
    dialog = page.get_by_role("dialog", name="Delete connector")
    expect(dialog).to_contain_text("stay as they are")
    dialog.get_by_label(f"Type “{name}” to confirm").fill(name)
    confirm(page, "Delete connector")
    heading(page, "Connectors")
    expect(page.get_by_role("row", name=name)).to_be_hidden()
    assert workspace.ok("GET", f"/api/licenses/{license_id}")["status"] == "Active"


def test_a_shop_that_shows_its_secret_later_gets_it_later(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    go(page, "/connectors/new")
    name = page.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_have_value("Stripe")
    name.fill("Our Stripe account")
    press(page, "Create connector")
    heading(page, "Our Stripe account")
    expect(page.get_by_role("region", name="Events")).to_contain_text("invoice.paid")
    examine(page, "connector-setup-stripe")
    connector = page.url.rsplit("/", 1)[1]
    expect(page.get_by_text("no event is believed")).to_be_visible()
    press(page, "Enter signing secret")
    dialog = page.get_by_role("dialog", name="Enter signing secret")
    dialog.get_by_label("Signing secret").fill(SECRETS[ConnectorKind.STRIPE])
    confirm(page, "Save secret")
    expect(page.get_by_text("Signing secret saved.")).to_be_visible()
    life = Life(ConnectorKind.STRIPE, "o1", "buyer@example.com", system_clock())
    life.buy()
    sent = life.sent[0]
    answer = workspace.owner.post(
        f"/api/connectors/{connector}/inbox",
        content=sent.raw,
        headers={"content-type": "application/json", **sent.headers(system_clock())},
    )
    assert answer.status_code == 200, answer.text
    tabs = page.get_by_role("tab")
    expect(tabs.first).to_have_text("Overview")
    expect(page.get_by_text("The shop is connected")).to_be_visible()
    tabs.get_by_text("Setup", exact=True).click()
    expect(page.get_by_role("button", name="Replace signing secret")).to_be_visible()


def test_the_missing_rule_is_made_by_keyboard(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    elsewhere = connected(workspace)
    elsewhere.sell("K-1", "keyboard-price")
    elsewhere.order("K-1", "Unmatched")
    go(page, "/")
    heading(page, "Home")
    page.keyboard.press("g")
    page.keyboard.press("o")
    heading(page, "Orders")
    link = order_row(page, "K-1").get_by_role("link", name="K-1")
    link.focus()
    page.keyboard.press("Enter")
    heading(page, "Order K-1")
    button = page.get_by_role("button", name="Create rule for order K-1")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Create rule")
    expect(dialog).to_be_visible()
    page.keyboard.press("Tab")
    assert dialog.evaluate("(one) => one.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


def choose_own_report(page: Page) -> None:
    """A Viewer has the orders of each month mailed to themselves, and stops that."""
    go(page, "/orders?reports=open")
    dialog = page.get_by_role("dialog", name="Email reports")
    choice = dialog.get_by_role("combobox", name=re.compile("^Report for "))
    expect(choice).to_have_count(1)
    for chosen, shown in (("Every month", "Next: "), ("No report", "@")):
        choice.click()
        page.get_by_role("option", name=chosen).click()
        expect(choice).to_have_text(chosen)
        expect(dialog).to_contain_text(shown)
    dialog.get_by_role("button", name="Close").click()
    expect(page).to_have_url(re.compile("/orders$"))


@pytest.mark.parametrize("role", ["Viewer", "Member"])
def test_who_may_not_manage_sees_no_connectors(
    new_page: NewPage, workspace: Workspace, role: str
) -> None:
    elsewhere = connected(workspace)
    elsewhere.sell(f"V-{role}", "a-price")
    elsewhere.order(f"V-{role}", "Unmatched")
    page = signed_in(new_page(), workspace.member(role).email)
    go(page, "/orders")
    heading(page, "Orders")
    if role == "Viewer":
        expect(order_row(page, "V-Viewer")).to_contain_text("Unmatched")
        expect(order_row(page, "V-Viewer").get_by_role("button")).to_have_count(0)
        order_row(page, "V-Viewer").get_by_role("link", name="V-Viewer").click()
        heading(page, "Order V-Viewer")
        expect(page.get_by_role("alert")).to_contain_text("An Owner or Admin can create it.")
        expect(page.get_by_text("Events from the shop")).to_be_hidden()
        examine(page, "order-viewer")
        choose_own_report(page)
    else:
        expect(page.get_by_text("You cannot see orders")).to_be_visible()
    expect(entry(page, "Licenses")).to_be_visible()
    expect(entry(page, "Connectors")).to_be_hidden()
    for address in ("/connectors", "/connectors/new", f"/connectors/{elsewhere.id}"):
        go(page, address)
        expect(page.get_by_text("Only Owners and Admins can manage connectors")).to_be_visible()
    examine(page, f"connectors-{role.lower()}")
