"""The page that issues licenses: what each model asks for, and the license that comes of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from dashboard.checks import BOTH, LIGHT, PHONE, Screen, examine
from dashboard.entrance import entry
from dashboard.issuing import (
    LABELS,
    begin,
    fill_customer,
    issue,
    issued_to,
    key_of,
    show_more,
    summary,
)
from dashboard.moving import go
from dashboard.vendor import Workspace, in_days, open_workspace
from dashboard.watching import expecting
from playwright.sync_api import Page, expect

WIDTHS = tuple(
    Screen(f"{width}", width, height, "light")
    for width, height in ((390, 844), (768, 1024), (1366, 768), (1920, 1080))
)
FIELDS = {
    "Floating": "Max active users",
    "Concurrent": "Max active users",
    "MeteredToken": "Initial credits",
    "MeteredCount": "Initial uses",
}


def found(workspace: Workspace, key: str) -> Any:
    listed = workspace.ok("GET", f"/api/licenses?productId={workspace.product}")["items"]
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
SHORT = ("Perpetual", "Subscription", "NodeLocked", "MeteredToken")
"""Each field that depends on the model is filled in once."""
VERDICTS = {
    "Perpetual": "CredentialsRequired",
    "Concurrent": "ActivationRequired",
    "NodeLocked": "PendingApproval",
}


@pytest.mark.specification("service.dashboard")
@pytest.mark.parametrize(
    "model",
    [
        model if model in SHORT else pytest.param(model, marks=pytest.mark.long)
        for model in EXPECTED
    ],
)
def test_each_model_is_issued_on_one_page(
    owner_page: Page, workspace: Workspace, model: str
) -> None:
    begin(owner_page, workspace, model)
    fill_customer(owner_page)
    for label in set(FIELDS.values()):
        expect(owner_page.get_by_label(label)).to_have_count(int(label == FIELDS.get(model)))
    fill_terms(owner_page, model)
    expect(summary(owner_page)).to_contain_text(
        f"A {LABELS.get(model, model).lower()} license of {workspace.name}"
    )
    expect(summary(owner_page)).to_contain_text("issued to ada@zenith.example.com")
    license_ = found(workspace, issue(owner_page))
    assert license_["type"] == model
    assert license_["issuedTo"] == "ada@zenith.example.com"
    assert license_["licenseName"] == "Zenith, order 1001"
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
        assert license_["expirationDate"] == end.replace(".000Z", ".999999Z")
    assert workspace.validate(license_, "Workstation")["status"] == VERDICTS.get(model, "Valid")


def test_several_licenses_are_issued_at_once_and_their_keys_downloaded(
    owner_page: Page, workspace: Workspace
) -> None:
    begin(owner_page, workspace, "Perpetual")
    fill_customer(owner_page)
    show_more(owner_page)
    owner_page.get_by_label("Number of licenses").fill("3")
    owner_page.get_by_role("button", name="Issue 3 licenses").click()
    result = owner_page.get_by_role("status").filter(has_text="3 licenses issued.")
    expect(result).to_be_focused()
    keys = owner_page.get_by_role("region", name="License keys").locator("pre").inner_text()
    with owner_page.expect_download() as download:
        owner_page.get_by_role("button", name="Download CSV").click()
    rows = download.value.path().read_text("utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows] == ["licenseKey", *keys.splitlines()]
    listed = workspace.ok("GET", f"/api/licenses?productId={workspace.product}")["items"]
    assert {item["licenseKey"] for item in listed} == {*keys.splitlines()}


def test_what_is_missing_is_marked_before_anything_is_sent(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    another = {"name": f"Beside {workspace.product}", "initialVersion": "1"}
    workspace.ok("POST", "/api/products", another)  # the only product would be chosen
    go(page, "/licenses/new")
    expect(page.get_by_role("radiogroup", name="Model")).to_have_attribute("aria-required", "true")
    send = page.get_by_role("button", name="Issue license")
    send.click()
    expect(page.get_by_text("Choose a product.")).to_be_visible()
    expect(page.get_by_text("Choose a model.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Product")).to_be_focused()
    begin(page, workspace, "Floating")
    expect(summary(page)).to_contain_text(
        "Still needed: issued to (for this model), max active users."
    )
    send.click()
    expect(issued_to(page)).to_be_focused()
    seats = page.get_by_label("Max active users")
    # What is needed stands right below the models, and what few licenses have is folded.
    place, end = seats.bounding_box(), page.get_by_label("Expiration date").bounding_box()
    assert place is not None
    assert end is not None
    assert place["y"] < end["y"]
    expect(page.get_by_label("Number of licenses")).to_be_hidden()
    expect(seats).to_have_accessible_description("Enter a whole number of at least 1.")
    expect(issued_to(page)).to_have_accessible_description("Required.")


def test_a_field_is_checked_when_it_is_left_and_not_on_each_key(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    begin(page, workspace, "MeteredCount")
    address = issued_to(page)
    address.press_sequentially("not an address")
    expect(address).to_have_attribute("aria-invalid", "false")
    address.press("Tab")
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(address).to_have_accessible_description("Enter an email address or a user ID.")
    address.fill("ada@zenith.example.com")
    expect(address).to_have_attribute("aria-invalid", "false")
    uses = page.get_by_label("Initial uses")
    uses.fill("1.5")
    expect(uses).to_have_attribute("aria-invalid", "false")
    uses.blur()
    expect(uses).to_have_accessible_description("Enter a whole number.")
    examine(page, "issue-checked", (LIGHT, PHONE))
    show_more(page)
    key = page.get_by_label("Custom license key")
    key.focus()
    key.blur()
    expect(key).to_have_attribute("aria-invalid", "false")


def test_a_known_customer_is_chosen_and_a_new_one_is_named_so(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.issue("Perpetual", issuedTo="olive@known.example.com")
    begin(page, workspace, "Perpetual")
    address = issued_to(page)
    address.press_sequentially("oliv")
    page.get_by_role("option", name="olive@known.example.com").click()
    expect(address).to_have_value("olive@known.example.com")
    expect(address).to_have_accessible_description(re.compile("who has 1 license"))
    for typed, meant in (
        ("olive@knwon.example.com", "olive@known.example.com"),
        ("oliv@known.example.com", "olive@known.example.com"),
        ("stranger@known.exmaple.com", None),
        ("stranger@gmial.com", "stranger@gmail.com"),
        ("stranger@gmail.com", None),
        ("oliver@known.example.com", "olive@known.example.com"),
        ("oscar@known.example.com", None),
    ):
        address.fill(typed)
        question = rf" Did you mean {re.escape(meant)} ?\?" if meant else ""
        said = re.compile(rf"^New customer\.{question}\s*$")
        expect(address).to_have_accessible_description(said)
    address.fill("olive@known.exmaple.com")
    page.get_by_role("button", name="olive@known.example.com").click()
    expect(address).to_have_value("olive@known.example.com")
    expect(address).to_have_accessible_description(re.compile("who has 1 license"))


def test_a_new_customer_gets_a_name_and_a_company_with_their_first_license(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    begin(page, workspace, "Perpetual")
    issued_to(page).fill("nora@newman.example.com")
    name, company = (page.get_by_label(label) for label in ("Customer name", "Company"))
    name.fill("Nora Newman")
    company.fill("Newman Ltd")
    expect(page.get_by_text("Empty: “Nora Newman”.")).to_be_visible()
    made = found(workspace, issue(page))
    customer = workspace.ok("GET", f"/api/customers/{made['customerId']}")
    assert (customer["name"], customer["company"]) == ("Nora Newman", "Newman Ltd")
    page.get_by_role("button", name="Issue another").click()
    # Of a known one they stand there, too.
    expect(name).to_have_value("Nora Newman")
    expect(name).to_be_disabled()
    expect(company).to_have_value("Newman Ltd")


def test_a_product_begins_with_the_policy_that_it_was_issued_under_last(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.policy("Yearly", "Subscription")
    go(page, f"/licenses/new?productId={workspace.product}")
    page.get_by_role("radio", name="Yearly", exact=True).check()
    issued_to(page).fill("ada@example.com")
    issue(page)
    other = workspace.ok(
        "POST", "/api/products", {"name": f"Other {workspace.name}", "initialVersion": "1.0"}
    )
    go(page, f"/licenses/new?productId={other['id']}&type=Trial")
    expect(summary(page)).to_contain_text("Expires")
    expect(summary(page)).to_contain_text("Choose a date")
    product = page.get_by_role("combobox", name="Product", exact=True)
    product.fill(workspace.name)
    page.get_by_role("option", name=workspace.name, exact=True).click()
    expect(page.get_by_role("radio", name="Yearly", exact=True)).to_be_checked()
    expect(summary(page)).to_contain_text("365 days from the issue")


def test_a_refusal_stands_at_its_field(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    begin(page, workspace, "Concurrent")
    page.get_by_label("Max active users").fill("5")
    address = issued_to(page)
    # Only the server knows that it is no address.
    address.fill("ada@zenith..example.com")
    with expecting(page, 400, path="/api/licenses"):
        page.get_by_role("button", name="Issue license").click()
        expect(address).to_be_focused()
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(address).to_have_accessible_description("Must be an email address or a user's id.")
    # It is said once, and not by the name that the API has for the field.
    expect(page.get_by_role("alert")).to_contain_text("Check the marked fields.")
    expect(page.get_by_text("must be an email address")).to_have_count(1)
    expect(page.get_by_text("issuedTo")).to_have_count(0)
    examine(page, "issue-refused", (LIGHT, PHONE))
    address.fill("ada@zenith.example.com")
    expect(address).to_have_attribute("aria-invalid", "false")
    made = found(workspace, issue(page))
    assert made["maxActiveUsersCount"] == 5
    # Nobody knows yet how the customer is called.
    assert made["licenseName"].endswith(", 5 seats")
    workspace.ok("PUT", f"/api/customers/{made['customerId']}", {"name": "Ada Byron"})
    page.get_by_role("button", name="Issue another").click()
    expect(page.get_by_text("Empty: “Ada Byron”.")).to_be_visible()
    assert found(workspace, issue(page))["licenseName"] == "Ada Byron"
    told = page.get_by_role("status").filter(has_text="for Ada Byron, 5 seats, without an end date")
    expect(told).to_be_visible()


@pytest.mark.parametrize("name", ["Issued once", ""])
def test_a_retry_after_a_lost_answer_issues_once(
    owner_page: Page, workspace: Workspace, name: str
) -> None:
    page = owner_page
    email = f"{name.replace(' ', '-') or 'unnamed'}@example.com"
    known = workspace.issue("Trial", issuedTo=email, expirationDate=in_days(9))
    begin(page, workspace, "Perpetual")
    page.get_by_label("License name").fill(name)
    issued_to(page).fill(email)
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
    # The draft knows that it was tried, and under which name, also after a reload.
    workspace.ok("PUT", f"/api/customers/{known['customerId']}", {"name": "Ada Byron"})
    page.reload()
    expect(page.get_by_label("License name")).to_have_value(name)
    if not name:
        expect(page.get_by_text("Empty: “Ada Byron”.")).to_be_visible()
    issue(page)
    listed = workspace.ok("GET", f"/api/licenses?productId={workspace.product}")
    assert listed["totalCount"] == 2


def test_the_first_field_that_is_wrong_has_the_focus_even_if_it_came_later(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    go(page, f"/licenses/new?productId={workspace.product}")
    send = page.get_by_role("button", name="Issue license")
    page.get_by_role("radio", name="Floating", exact=True).check()
    issued_to(page).fill("ada@example.com")
    show_more(page)
    page.get_by_label("Number of licenses").fill("0")
    send.click()
    expect(page.get_by_label("Max active users")).to_be_focused()
    page.get_by_label("Number of licenses").fill("1")
    page.get_by_role("radio", name="Perpetual", exact=True).check()
    page.get_by_label("Username").fill("ada")
    page.get_by_role("button", name="Add entry").click()
    page.get_by_label("Value 1").fill("EU")
    send.click()
    expect(page.get_by_label("Password")).to_be_focused()
    expect(page.get_by_text("Each value needs a name.")).to_be_visible()
    page.get_by_label("Username").fill("")
    send.click()
    expect(page.get_by_label("Name 1")).to_be_focused()
    page.get_by_label("Name 1").fill("region")
    expect(page.get_by_text("Each value needs a name.")).to_have_count(0)
    assert found(workspace, issue(page))["metadata"] == {"region": "EU"}


def test_a_policy_fills_in_the_terms_until_something_else_is_chosen(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.policy("Teams", "Floating", maxActiveUsersCount=25)
    go(page, f"/licenses/new?productId={workspace.product}")
    page.get_by_role("button", name="Issue license").click()
    expect(page.get_by_text("Choose a model.")).to_be_visible()
    policies = page.get_by_role("radiogroup", name="Policy")
    policies.get_by_role("radio", name="Teams").check()
    expect(page.get_by_text("Choose a model.")).to_have_count(0)
    expect(page.get_by_role("radio", name="Floating", exact=True)).to_be_checked()
    expect(page.get_by_label("Max active users")).to_have_value("25")
    page.get_by_label("Max active users").fill("26")
    page.reload()
    expect(page.get_by_label("Max active users")).to_have_value("26")
    expect(policies.get_by_role("radio", name="Teams")).to_be_checked()
    page.get_by_role("radio", name="Concurrent", exact=True).check()
    expect(policies.get_by_role("radio", name="None")).to_be_checked()
    expect(page.get_by_label("Max active users")).to_have_value("26")


def test_the_next_license_takes_three_steps(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    policy = workspace.policy(
        "Yearly", "Subscription", licenseNamePattern="{product} for {customer}"
    )
    go(page, f"/licenses/new?productId={workspace.product}")
    page.get_by_role("radio", name="Yearly", exact=True).check()
    issued_to(page).fill("ada@example.com")
    issue(page)
    # From anywhere, by keyboard alone: product, policy and model are those of the last license.
    go(page, "/statistics")
    expect(entry(page, "Settings")).to_be_visible()
    page.keyboard.press("c")
    expect(issued_to(page)).to_be_focused()
    page.keyboard.type("grace@example.com")
    expect(summary(page)).to_contain_text(
        f"A subscription license of {workspace.name}, valid for 365 days from the issue, "
        "issued to grace@example.com."
    )
    page.keyboard.press("Enter")
    expect(issued_to(page)).to_be_focused()
    page.keyboard.press("Control+Enter")
    made = found(workspace, key_of(page))
    assert (made["policyId"], made["issuedTo"]) == (policy["id"], "grace@example.com")
    # A customer's page gives the address as well.
    go(page, f"/customers/{made['customerId']}")
    page.get_by_role("link", name="Issue license").click()
    expect(issued_to(page)).to_have_value("grace@example.com")
    expect(summary(page)).to_contain_text("issued to grace@example.com.")
    assert issue(page) != made["licenseKey"]
    # A model that is given wins over the policy.
    go(page, f"/licenses/new?productId={workspace.product}&type=Perpetual")
    expect(page.get_by_role("radio", name="Perpetual", exact=True)).to_be_checked()
    expect(page.get_by_role("radio", name="None", exact=True)).to_be_checked()


def test_a_product_without_keys_gets_them_on_the_way(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    body = {"name": f"Keyless {workspace.name}", "initialVersion": "1.0"}
    product = workspace.ok("POST", "/api/products", body)
    go(page, f"/licenses/new?productId={product['id']}&type=Perpetual")
    expect(page.get_by_text("has no RSA keys yet")).to_be_visible()
    send = page.get_by_role("button", name="Issue license")
    expect(send).to_be_disabled()
    examine(page, "issue-keyless", (LIGHT, PHONE))
    page.get_by_role("button", name="Generate keys").click()
    expect(send).to_be_enabled()


def test_an_associated_product_asks_for_the_customers_institution(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    customer = workspace.customer(f"Customer of {workspace.name}")
    workspace.tie()
    workspace.associate(customer)
    begin(page, workspace, "Perpetual")
    page.get_by_role("button", name="Issue license").click()
    expect(page.get_by_text("Required.")).to_be_visible()
    page.get_by_role("combobox", name="Customer institution").click()
    page.get_by_role("option", name=customer["name"]).click()
    expect(summary(page)).to_contain_text(
        f"of {workspace.name} at {customer['name']}, with no expiration date"
    )
    assert found(workspace, issue(page))["customerInstitutionId"] == customer["id"]


def test_the_page_stands_on_every_screen_and_all_that_is_filled_in_arrives(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.feature("export", cost=2.5, displayName="Batch export")
    workspace.feature("max-projects", kind="Number")
    standard = workspace.entitlement_set("Standard", "export")
    go(page, f"/licenses/new?productId={workspace.product}")
    page.get_by_role("radio", name="Credit-Based").check()
    examine(page, "issue-begun")
    page.get_by_label("Initial credits").fill("100")
    expect(page.get_by_text("2.5 credits per use, enough for 40 uses")).to_be_visible()
    fill_customer(page)
    show_more(page)
    page.get_by_label("Issuer").fill("Aurora Software")
    page.get_by_role("combobox", name="Entitlement set").click()
    page.get_by_role("option", name="Standard").click()
    features = page.get_by_role("region", name="Features")
    features.get_by_role("button", name="Add feature value").click()
    features.get_by_role("combobox", name="Feature").click()
    page.get_by_role("option", name="max-projects").click()
    page.get_by_role("button", name="Issue license").click()
    expect(features.get_by_role("spinbutton", name="Value")).to_be_focused()
    expect(features).to_contain_text("Enter a value, or remove the feature.")
    features.get_by_role("spinbutton", name="Value").fill("25")
    page.get_by_role("textbox", name="Notes").fill("**Order** 1001 <script>alert(1)</script>")
    page.get_by_role("button", name="Add entry").click()
    page.get_by_label("Name 1").fill("region")
    page.get_by_label("Value 1").fill("EU")
    page.get_by_label("Custom license key").fill("ZENITH-2026-ORDER-1001")
    expect(summary(page)).to_contain_text("Standard, and max-projects: 25")
    examine(page, "issue-filled", (*BOTH, *WIDTHS))
    assert issue(page) == "ZENITH-2026-ORDER-1001"
    examine(page, "issue-issued")
    expect(page.get_by_role("heading", name="License issued", level=1)).to_be_visible()
    page.get_by_text("Write an email of your own").click()
    expect(page.get_by_role("region", name="Email", exact=True)).to_contain_text("ZENITH-2026")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download license.bin").click()
    assert download.value.suggested_filename == "license.bin"
    assert Path(download.value.path()).read_text().count(".") == 2
    license_ = found(workspace, "ZENITH-2026-ORDER-1001")
    assert license_["metadata"] == {"region": "EU"}
    assert license_["issuer"] == "Aurora Software"
    assert license_["entitlementSetId"] == standard["id"]
    assert license_["featureValues"] == {"max-projects": 25}
    page.get_by_role("button", name="Issue another").click()
    expect(page.get_by_label("Issuer")).to_have_value("Aurora Software")
    another = issue(page)
    assert another != "ZENITH-2026-ORDER-1001"
    page.reload()
    key = page.get_by_role("region", name="License key").locator("code")
    expect(key).to_have_text(another)


def test_the_issued_page_sends_the_license(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    begin(page, workspace, "Perpetual")
    issued_to(page).fill("ada@example.com")
    key = issue(page)
    sending = page.get_by_role("region", name="Issued license")
    sending.get_by_role("button", name="Send to customer").click()
    expect(page.get_by_text("Email to ada@example.com written.")).to_be_visible()
    expect(sending).to_contain_text("An email to ada@example.com was written on")
    expect(sending.get_by_role("button", name="Send again")).to_be_visible()
    examine(page, "issue-sent", (LIGHT, PHONE))
    license_ = found(workspace, key)
    [sent] = workspace.ok("GET", f"/api/license-mails?licenseId={license_['id']}")["items"]
    assert (sent["kind"], sent["recipient"]) == ("Issued", "ada@example.com")


def test_an_email_for_a_product_of_another_name(owner_page: Page, workspace: Workspace) -> None:
    other = open_workspace(workspace.owner, f"<b>{workspace.name}</b>")
    begin(owner_page, other, "Perpetual")
    fill_customer(owner_page, "W" * 200)
    issue(owner_page)
    examine(owner_page, "issue-long", (LIGHT, PHONE))
