"""Orders and connectors: a shop is connected, and what it sells becomes licenses."""

import re
from itertools import count
from typing import Any

import pytest
from connectors.shops import SECRETS
from connectors.shops import Shop as Life
from dashboard.checks import PHONE, examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, entry, heading
from dashboard.moving import go
from dashboard.sales import Elsewhere, connect
from dashboard.vendor import Json, Workspace
from dashboard.watching import slow
from patience import eventually
from playwright.sync_api import Locator, Page, expect

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.clock import system_clock

_numbers = count(4711)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def confirm(page: Page, action: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=action, exact=True).click()


def order_row(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="Orders").get_by_role("row").filter(has_text=name)


def choose_product(dialog: Locator, page: Page, workspace: Workspace) -> None:
    # Not typed: the only product of an institution is chosen by itself meanwhile.
    dialog.get_by_role("combobox", name="Licensed product").click()
    page.get_by_role("option", name=workspace.name, exact=True).click()


def add_filter(page: Page, *names: str) -> None:
    """Choose from the menus of the filters: what to filter by, then its value."""
    press(page, "Add filter")
    for name in names:
        page.get_by_role("menuitem", name=name, exact=True).click()


def policy_of(workspace: Workspace, **fields: Any) -> str:
    return str(workspace.policy("Team, yearly", **{"maxActiveUsersCount": 5, **fields})["id"])


def connected(workspace: Workspace, **fields: Any) -> Elsewhere:
    return connect(workspace, f"Shop {next(_numbers)}", **fields)


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


def test_orders_that_wait_are_in_sight_at_home_and_in_the_list(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy = policy_of(workspace)
    elsewhere = connected(workspace)
    elsewhere.sell("W-1", "unknown-price", quantity=3)
    order = elsewhere.order("W-1", "Unmatched")
    go(page, "/")
    waiting = page.get_by_role("region", name="Orders without a rule")
    expect(waiting.get_by_role("link", name="Jane Doe", exact=True)).to_be_visible()
    expect(waiting).to_contain_text("W-1 · unknown-price")
    waiting.get_by_role("link", name=re.compile("^Create rule for W-1")).click()
    expect(page.get_by_role("dialog", name="Create rule")).to_be_visible()
    go(page, "/orders")
    banner = page.get_by_role("alert").filter(has_text="lacks a license")
    banner.get_by_role("button").click()
    expect(page).to_have_url(re.compile("hasProblem=true"))
    expect(order_row(page, "W-1")).to_contain_text("unknown-price \u00d7 3")
    go(page, "/orders?search=nobody-bought-this")
    expect(page.get_by_text("No orders match these filters.")).to_be_visible()
    expect(page.get_by_text("lacks a license")).to_be_hidden()
    press(page, "Clear filters")
    expect(order_row(page, "W-1")).to_be_visible()
    banner.get_by_role("button").click()
    order_row(page, "W-1").get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="Create rule")
    choose_product(dialog, page, workspace)
    dialog.get_by_label("If they buy several").click()
    page.get_by_role("option", name="One license, with a seat for each").click()
    confirm(page, "Create rule")
    expect(dialog).to_have_count(0)  # which hides all rows from roles
    expect(order_row(page, "W-1")).to_be_hidden()
    fulfilled = elsewhere.order("W-1", "Fulfilled")
    assert [line["policyId"] for line in fulfilled["lines"]] == [policy]
    [license_id] = fulfilled["licenseIds"]
    assert workspace.ok("GET", f"/api/licenses/{license_id}")["maxActiveUsersCount"] == 3
    assert fulfilled["id"] == order["id"]


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
    for chosen, told in (("Every month", "Next: "), ("No report", "@")):
        choice.click()
        page.get_by_role("option", name=chosen).click()
        expect(choice).to_have_text(chosen)
        expect(dialog).to_contain_text(told)
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


def test_an_order_without_address_gets_its_licenses_once_one_is_entered(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    rule = {"match": {"product": "aurora"}, "policyId": policy_of(workspace)}
    elsewhere = connected(workspace, rules=[rule])
    lines = [{"product": "aurora", "price": "yearly"}]
    elsewhere.tell("order.paid", id="N-1", customer={"name": "Jane Doe"}, lines=lines)
    order = elsewhere.order("N-1", "Open")
    go(page, f"/orders/{order['id']}")
    page.get_by_role("button", name="Enter address").click()
    dialog = page.get_by_role("dialog", name="Enter address")
    dialog.get_by_label("Email address").fill("jane@example.com")
    examine(page, "order-address")
    dialog.get_by_role("button", name="Save address").click()
    fulfilled = elsewhere.order("N-1", "Fulfilled")
    assert fulfilled["email"] == "jane@example.com"
    expect(page.get_by_text("jane@example.com").first).to_be_visible()


def test_the_audit_log_names_orders_by_their_number(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    shop = connected(workspace, rules=[{"match": {}, "policyId": policy_of(workspace)}])
    shop.sell("A-9001", price="team-yearly")
    order = shop.order("A-9001", "Fulfilled")
    go(page, "/settings/audit")
    log = page.get_by_role("table", name="Audit log")
    entry_ = log.get_by_role("row").filter(has_text="Order fulfilled").first
    expect(entry_.get_by_role("link", name="A-9001")).to_have_attribute(
        "href", f"/orders/{order['id']}"
    )
    product = workspace.ok("GET", workspace.path)["name"]
    expect(log.get_by_role("link", name=product, exact=True).first).to_be_visible()
    expect(log.get_by_role("link", name="Product", exact=True)).to_have_count(0)
    expect(log.get_by_role("link", name="Open", exact=True)).to_have_count(0)


def test_a_phone_shows_rows_without_columns_and_filters_and_export_when_asked_for(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    connected(workspace).sell("P-1001", "aurora-yearly")
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, "/orders?testMode=false")
    rows = page.get_by_role("list", name="Orders").get_by_role("listitem")
    row = rows.filter(has_text="P-1001")
    expect(row).to_contain_text("Unmatched")
    expect(row.get_by_role("link", name="Jane Doe")).to_be_visible()
    expect(row.get_by_role("button", name="Create rule")).to_be_visible()
    expect(page.get_by_role("button", name="Export CSV")).to_have_count(0)
    press(page, "Actions for the list")
    expect(page.get_by_role("menuitem", name="Export CSV")).to_be_focused()
    page.keyboard.press("Escape")
    press(page, "Add filter")
    examine(page, "orders-filters-phone", (PHONE,))
    page.keyboard.press("Escape")
    press(page, "Remove filter Real sales")
    expect(page).to_have_url(re.compile("/orders$"))


LINES = """all => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getClientRects().length;
})"""


def test_an_order_reads_like_a_receipt(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    shop = connected(workspace, rules=[{"match": {}, "policyId": policy_of(workspace)}])
    paid = {"amount": "1531.00", "currency": "EUR"}
    buyer = {"email": "receipt@example.com", "name": "Rita Receipt"}
    sold = {"product": "aurora", "price": "yearly", "quantity": 2}
    shop.tell("order.paid", id="RC-1", customer=buyer, lines=[sold], **paid)
    shop.order("RC-1", "Fulfilled")
    shop.tell("order.refunded", id="RC-1", **paid)
    order = shop.order("RC-1", "Refunded")
    # The page of a license says what became of the order, and leads to it.
    go(page, f"/licenses/{order['licenseIds'][0]}")
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("Revoked by ")
    expect(verdict.get_by_role("link", name="Order RC-1 was refunded.")).to_be_visible()
    facts = page.get_by_role("region", name="License", exact=True)
    expect(facts.get_by_role("link", name="Rita Receipt")).to_be_visible()
    expect(facts).to_contain_text(re.compile(r"RC-1.*€1,531\.00.*Refunded"))
    facts.get_by_role("link", name="RC-1").click()
    expect(page.get_by_role("heading", name="Order RC-1")).to_be_visible()
    customer = f"/api/customers/{order['customerId']}"
    workspace.ok("PUT", customer, {"company": "Receipts & Sons"})
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, f"/orders/{order['id']}")
    head = page.get_by_role("heading", name="Order RC-1").locator("..")
    expect(head).to_contain_text(re.compile(r"€1,531\.00.*Refunded"))
    expect(page.get_by_text("Rita Receipt, Receipts & Sons")).to_be_visible()
    expect(page.get_by_role("button", name="Copy email")).to_be_visible()
    story = page.get_by_role("region", name="History")
    told = story.get_by_role("listitem")
    expect(told).to_contain_text(
        ["Sale for €1,531.00", "issued the license", "Refund of €1,531.00", "revoked the license"]
    )
    expect(told.last).to_contain_text("Because of the refund. Setting of the connector")
    expect(story).to_contain_text("Net €0.00")
    assert max(told.get_by_role("time").evaluate_all(LINES)) == 1, "no date breaks"
    items = page.get_by_role("list", name="Items")
    expect(items).to_contain_text("yearly \N{MULTIPLICATION SIGN} 2")
    examine(page, "order-receipt-phone", (PHONE,))


def test_the_list_and_the_sales_say_what_was_paid_for_a_product(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    rules = [{"match": {"price": "summed"}, "policyId": policy_of(workspace)}]
    elsewhere = connected(workspace, rules=rules)
    for number, amount in (("SUM-1", "20.50"), ("SUM-2", "10")):
        elsewhere.tell(
            "order.paid",
            id=number,
            customer={"email": "sum@example.com"},
            lines=[{"product": "aurora", "price": "summed"}],
            amount=amount,
            currency="CHF",
        )
        elsewhere.order(number, "Fulfilled")
    go(page, "/orders?search=SUM-")
    expect(page.get_by_role("status").filter(has_text="net")).to_contain_text("CHF")
    expect(page.get_by_text("2 paid orders:")).to_contain_text("30.50")
    add_filter(page, "Period", "Last month")
    expect(page.get_by_text("2 paid orders:")).to_be_hidden()
    expect(page.get_by_role("button", name="Remove filter Last month")).to_be_visible()
    net = page.get_by_role("group", name="Net", exact=True)
    go(page, f"/statistics/sales?productId={workspace.product}")
    expect(net).to_contain_text("30.50")
    unsold = workspace.ok("POST", "/api/products", {"name": "Unsold", "initialVersion": "1"})
    go(page, f"/statistics/sales?productId={unsold['id']}")
    expect(page.get_by_text("No order of this period says what was paid.")).to_be_visible()
    expect(net).to_be_hidden()
    paid = {"customer": {"email": "sum@example.com"}, "amount": "7", "currency": "NOK"}
    elsewhere.tell("order.paid", id="SUM-3", lines=[{"product": "a", "price": "summed"}], **paid)
    elsewhere.order("SUM-3", "Fulfilled")
    go(page, "/")
    # No currency is left out.
    sales = page.get_by_role("group", name="Sales in 30 days")
    expect(sales).to_contain_text(re.compile(r"CHF\s30\.50.*and NOK\s7\.00"))


def test_orders_are_filtered_saved_and_named_as_licenses_are(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    rules = [{"match": {"price": "named"}, "policyId": policy_of(workspace)}]
    elsewhere = connected(workspace, rules=rules)
    elsewhere.sell("NAM-1", "named", quantity=3)
    elsewhere.order("NAM-1", "Fulfilled")
    go(page, "/orders?search=NAM-")
    expect(page.get_by_role("link", name="Connectors", exact=True)).to_have_count(1)
    named = f"{workspace.name} · Team, yearly \N{MULTIPLICATION SIGN} 3"
    expect(order_row(page, "NAM-1")).to_contain_text(named)
    add_filter(page, "Status", "Fulfilled")
    with slow(page, "**/api/products?*"):
        press(page, "Add filter")
        page.get_by_role("menuitem", name="Product", exact=True).click()
        field = page.get_by_role("combobox", name="Product")
        expect(field).to_be_focused()
        field.fill(workspace.name)
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"status=Fulfilled.*productId={workspace.product}"))
    chip = page.get_by_role("button", name=f"Remove filter Product: {workspace.name}")
    expect(chip).to_be_visible()
    expect(order_row(page, "NAM-1")).to_be_visible()
    add_filter(page, "Period", "Choose days…")
    days = page.get_by_role("dialog", name="Filter: Period")
    days.get_by_label("To", exact=True).fill("2020-01-31")
    days.get_by_role("button", name="Done").click()
    expect(page.get_by_text("No orders match these filters.")).to_be_visible()
    press(page, "Remove filter Until Jan 31, 2020")
    press(page, "Save view")
    dialog = page.get_by_role("dialog", name="Save view")
    dialog.get_by_label("Name").fill("Of that product")
    confirm(page, "Save")
    views = page.get_by_role("group", name="Views")
    kept = views.get_by_role("button", name="Of that product", exact=True)
    expect(kept).to_have_attribute("aria-pressed", "true")
    views.get_by_role("button", name="Refunded").click()
    expect(page).to_have_url(re.compile(r"/orders\?status=Refunded$"))
    expect(page.get_by_role("button", name="Remove filter Status: Refunded")).to_have_count(0)
    kept.click()
    expect(chip).to_be_visible()


def test_a_disputed_order_says_why_its_licenses_are_suspended_and_what_can_be_done(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    policy = policy_of(workspace)
    elsewhere = connected(workspace, rules=[{"match": {}, "policyId": policy}])
    elsewhere.sell("DSP-1", "disputed", quantity=2)
    elsewhere.order("DSP-1", "Fulfilled")
    elsewhere.tell("order.disputed", id="DSP-1")

    def suspended() -> Json | None:
        order = workspace.ok("GET", f"/api/orders/{elsewhere.order('DSP-1', 'Fulfilled')['id']}")
        states = {item["status"] for item in order["licenses"]}
        return dict(order) if states == {"Suspended"} else None

    order = eventually(suspended, "both licenses are suspended")
    go(page, f"/orders/{order['id']}")
    expect(page.get_by_role("alert")).to_contain_text("The buyer disputed a payment")
    told = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(told).to_contain_text(["issued the license", "disputed the payment", "suspended"])
    expect(told.last).to_contain_text("disputes suspend licenses")
    items = page.get_by_role("list", name="Items")
    expect(items.get_by_role("link", name=re.compile("^Revoke license: "))).to_have_count(2)
    reinstate = items.get_by_role("link", name=re.compile("^Reinstate license: ")).first
    examine(page, "order-disputed")
    reinstate.click()
    expect(page.get_by_role("dialog")).to_contain_text("Reinstate")
