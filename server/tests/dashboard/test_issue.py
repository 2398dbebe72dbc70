"""The issue wizard: each model, what it asks for, and the license that comes of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from dashboard.checks import LIGHT, PHONE, examine
from dashboard.entrance import entry
from dashboard.vendor import Shop, open_shop
from dashboard.watching import expecting
from playwright.sync_api import Page, expect

LABELS = {
    "NodeLocked": "Node-locked",
    "MeteredToken": "Credit-Based",
    "MeteredCount": "Usage-Based",
}
FIELDS = {
    "Floating": "Max active users",
    "Concurrent": "Max active users",
    "MeteredToken": "Initial credits",
    "MeteredCount": "Initial uses",
}


def begin(page: Page, shop: Shop, model: str) -> None:
    page.goto(f"/licenses/new?productId={shop.product}&type={model}")
    expect(page.get_by_role("combobox", name="Product")).to_have_value(shop.name)
    expect(page.get_by_role("radio", name=LABELS.get(model, model), exact=True)).to_be_checked()
    forward(page, "Customer")


def forward(page: Page, to: str) -> None:
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name=to, exact=True)).to_be_visible()


def name_the_customer(page: Page, name: str = "Zenith, order 1001") -> None:
    page.get_by_label("License name").fill(name)
    page.get_by_label("Issued to").fill("ada@zenith.example.com")
    forward(page, "Terms")


def issue(page: Page) -> str:
    """Issues what stands in the review, and answers the key."""
    page.get_by_role("button", name="Issue license").click()
    expect(page.get_by_role("status").filter(has_text="issued:")).to_be_visible()
    key = page.get_by_role("region", name="License key").locator("code").inner_text()
    return str(key)


def found(shop: Shop, key: str) -> Any:
    listed = shop.ok("GET", f"/api/licenses?productId={shop.product}")["items"]
    [license_] = [item for item in listed if item["licenseKey"] == key]
    return license_


def fill_terms(page: Page, model: str) -> None:
    if model in FIELDS:
        page.get_by_label(FIELDS[model]).fill("7")
    if model == "Trial":
        page.get_by_role("button", name="14 days").click()
    if model == "Subscription":
        page.get_by_role("button", name="1 year").click()
        page.get_by_role("radio", name="Offline").check()
    if model == "NodeLocked":
        page.get_by_role("radio", name="Product owner approval").check()
    if model == "Perpetual":
        page.get_by_label("Username").fill("ada")
        page.get_by_label("Password").fill("correct horse battery")


EXPECTED: dict[str, dict[str, object]] = {
    "Perpetual": {"expirationDate": None, "username": "ada"},
    "Trial": {"activationMode": "Online"},
    "Subscription": {"activationMode": "Offline"},
    "Floating": {"maxActiveUsersCount": 7, "activationMode": "Online"},
    "Concurrent": {"maxActiveUsersCount": 7},
    "NodeLocked": {"deviceBindingMode": "OwnerApproval"},
    "MeteredToken": {"meterBalance": 7, "meterMode": "Token"},
    "MeteredCount": {"meterBalance": 7, "meterMode": "Count"},
}
VERDICTS = {
    "Perpetual": "CredentialsRequired",
    "Concurrent": "ActivationRequired",
    "NodeLocked": "PendingApproval",
}


@pytest.mark.specification("service.dashboard")
@pytest.mark.parametrize("model", EXPECTED)
def test_each_model_is_issued_by_the_wizard(owner_page: Page, shop: Shop, model: str) -> None:
    begin(owner_page, shop, model)
    name_the_customer(owner_page)
    for label in set(FIELDS.values()):
        expect(owner_page.get_by_label(label)).to_have_count(int(label == FIELDS.get(model)))
    fill_terms(owner_page, model)
    forward(owner_page, "Review")
    expect(owner_page.get_by_text("ada@zenith.example.com can")).to_be_visible()
    license_ = found(shop, issue(owner_page))
    assert license_["type"] == model
    assert license_["issuedTo"] == "ada@zenith.example.com"
    assert EXPECTED[model].items() <= license_.items()
    if model in {"Trial", "Subscription"}:
        days = 14 if model == "Trial" else 365
        end = owner_page.evaluate(
            """(days) => {
              const end = new Date();
              if (days === 365) end.setFullYear(end.getFullYear() + 1);
              else end.setDate(end.getDate() + days);
              end.setHours(23, 59, 59, 0);
              return end.toISOString();
            }""",
            days,
        )
        assert license_["expirationDate"] == end.replace(".000Z", "Z")
    assert shop.validate(license_, "Workstation")["status"] == VERDICTS.get(model, "Valid")


def test_what_is_missing_is_marked_before_anything_is_sent(owner_page: Page, shop: Shop) -> None:
    page = owner_page
    page.goto("/licenses/new")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Choose a product.")).to_be_visible()
    expect(page.get_by_text("Choose a model.")).to_be_visible()
    begin(page, shop, "Floating")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("License name")).to_be_focused()
    expect(page.get_by_label("License name")).to_have_attribute("aria-invalid", "true")
    name_the_customer(page)
    page.get_by_label("Max active users").fill("0")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Enter a whole number of at least 1.")).to_be_visible()


def test_a_refusal_leads_to_the_step_of_the_bad_field(owner_page: Page, shop: Shop) -> None:
    page = owner_page
    begin(page, shop, "Concurrent")
    page.get_by_label("License name").fill("Zenith")
    page.get_by_label("Issued to").fill("not an address")
    forward(page, "Terms")
    page.get_by_label("Max active users").fill("5")
    forward(page, "Review")
    with expecting(page, 400, path="/api/licenses"):
        page.get_by_role("button", name="Issue license").click()
        expect(page.get_by_role("heading", name="Customer", exact=True)).to_be_visible()
    field = page.get_by_label("Issued to")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Must be an e-mail address or a user's id.")
    examine(page, "issue-refused", (LIGHT, PHONE))
    field.fill("ada@zenith.example.com")
    expect(field).to_have_attribute("aria-invalid", "false")
    forward(page, "Terms")
    forward(page, "Review")
    assert found(shop, issue(page))["maxActiveUsersCount"] == 5


def test_a_retry_after_a_lost_answer_issues_once(owner_page: Page, shop: Shop) -> None:
    page = owner_page
    begin(page, shop, "Perpetual")
    name_the_customer(page, "Issued once")
    forward(page, "Review")
    first = []

    def lose(route: Any) -> None:
        # The license is issued, but its answer does not arrive.
        first.append(route.fetch().status)
        route.abort("connectionreset")

    page.route("**/api/licenses", lose, times=1)
    with expecting(page, 0, path="/api/licenses"):
        page.get_by_role("button", name="Issue license").click()
        expect(page.get_by_text("Could not reach the server.")).to_be_visible()
    assert first == [201]
    issue(page)
    listed = shop.ok("GET", f"/api/licenses?productId={shop.product}")
    assert listed["totalCount"] == 1


def test_the_steps_follow_the_browser_and_leaving_asks_first(owner_page: Page, shop: Shop) -> None:
    page = owner_page
    page.goto("/licenses")
    page.get_by_role("link", name="Issue license").click()
    page.get_by_role("radio", name="Trial", exact=True).check()
    page.get_by_role("combobox", name="Product").fill(shop.name)
    page.get_by_role("option", name=shop.name, exact=True).click()
    forward(page, "Customer")
    name_the_customer(page)
    page.go_back()
    expect(page.get_by_label("License name")).to_have_value("Zenith, order 1001")
    page.go_back()
    expect(page.get_by_role("radio", name="Trial", exact=True)).to_be_checked()
    page.go_back()
    leaving = page.get_by_role("dialog", name="Leave without issuing?")
    expect(leaving).to_be_visible()
    examine(page, "issue-leaving", (LIGHT,))
    leaving.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("/licenses/new"))
    entry(page, "Products").click()
    expect(leaving).to_be_visible()
    leaving.get_by_role("button", name="Cancel").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.goto("/licenses/new?step=terms")
    expect(page.get_by_role("heading", name="Product and model")).to_be_visible()
    expect(page).to_have_url(re.compile("step=product"))
    page.get_by_role("radio", name="Trial", exact=True).check()
    page.get_by_role("link", name="Licenses").first.click()
    leaving.get_by_role("button", name="Leave").click()
    expect(page).to_have_url(re.compile("/licenses$"))


def test_a_product_without_keys_gets_them_on_the_way(owner_page: Page, shop: Shop) -> None:
    page = owner_page
    body = {"name": f"Keyless {shop.name}", "initialVersion": "1.0"}
    product = shop.ok("POST", "/api/products", body)
    page.goto(f"/licenses/new?productId={product['id']}&type=Perpetual")
    expect(page.get_by_text("has no RSA keys yet")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    examine(page, "issue-keyless", (LIGHT, PHONE))
    page.get_by_role("button", name="Generate keys").click()
    forward(page, "Customer")


def test_an_associated_product_asks_for_the_customers_institution(
    owner_page: Page, shop: Shop
) -> None:
    page = owner_page
    customer = shop.customer(f"Customer of {shop.name}")
    shop.tie()
    shop.associate(customer)
    begin(page, shop, "Perpetual")
    page.get_by_label("License name").fill("For an institution")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Required.")).to_be_visible()
    page.get_by_role("combobox", name="Customer institution").click()
    page.get_by_role("option", name=customer["name"]).click()
    forward(page, "Terms")
    forward(page, "Review")
    assert found(shop, issue(page))["customerInstitutionId"] == customer["id"]


def test_every_step_stands_on_every_screen_and_all_that_is_filled_in_arrives(
    owner_page: Page, shop: Shop
) -> None:
    page = owner_page
    shop.feature("export", cost=2.5, displayName="Batch export")
    standard = shop.entitlement_set("Standard", "export")
    page.goto(f"/licenses/new?productId={shop.product}")
    page.get_by_role("radio", name="Credit-Based").check()
    examine(page, "issue-product")
    forward(page, "Customer")
    page.get_by_label("Issuer").fill("Aurora Software")
    page.get_by_label("Notes").fill("**Order** 1001 <script>alert(1)</script>")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Add entry").click()
    page.get_by_label("Name 1").fill("region")
    page.get_by_label("Value 1").fill("EU")
    examine(page, "issue-customer")
    name_the_customer(page)
    page.get_by_label("Initial credits").fill("100")
    expect(page.get_by_text("2.5 credits per use, enough for 40 uses")).to_be_visible()
    page.get_by_role("combobox", name="Entitlement set").click()
    page.get_by_role("option", name="Standard").click()
    page.get_by_role("button", name="More").click()
    page.get_by_label("Custom license key").fill("ZENITH-2026-ORDER-1001")
    examine(page, "issue-terms")
    forward(page, "Review")
    examine(page, "issue-review")
    assert issue(page) == "ZENITH-2026-ORDER-1001"
    examine(page, "issue-issued")
    expect(page.get_by_role("region", name="Email", exact=True)).to_contain_text("ZENITH-2026")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download plain").click()
    assert download.value.suggested_filename == "license.bin"
    assert Path(download.value.path()).read_text().count(".") == 2
    license_ = found(shop, "ZENITH-2026-ORDER-1001")
    assert license_["metadata"] == {"region": "EU"}
    assert license_["issuer"] == "Aurora Software"
    assert license_["entitlementSetId"] == standard["id"]
    page.get_by_role("button", name="Issue another").click()
    expect(page.get_by_label("Issuer")).to_have_value("Aurora Software")
    forward(page, "Terms")
    forward(page, "Review")
    another = issue(page)
    assert another != "ZENITH-2026-ORDER-1001"
    page.reload()
    key = page.get_by_role("region", name="License key").locator("code")
    expect(key).to_have_text(another)


def test_an_email_for_a_product_of_another_name(owner_page: Page, shop: Shop) -> None:
    other = open_shop(shop.owner, f"<b>{shop.name}</b>")
    begin(owner_page, other, "Perpetual")
    name_the_customer(owner_page, "W" * 200)
    forward(owner_page, "Review")
    issue(owner_page)
    examine(owner_page, "issue-long", (LIGHT, PHONE))
