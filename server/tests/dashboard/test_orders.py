"""Orders: what was sold, what it cost, what became of it, and what still waits."""

import re

from dashboard.checks import PHONE, examine
from dashboard.entrance import add_filter
from dashboard.moving import go
from dashboard.sales import choose_product, confirm, connected, order_row, policy_of, press
from dashboard.vendor import Json, Workspace
from dashboard.watching import slow
from patience import eventually
from playwright.sync_api import Page, expect


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
