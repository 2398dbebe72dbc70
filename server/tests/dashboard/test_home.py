"""Home says what waits, leads there, and is quiet once it is dealt with."""

import re
from dataclasses import replace

from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.moving import go
from dashboard.sales import connect
from dashboard.vendor import Json, Person, Workspace, in_days
from patience import eventually
from playwright.sync_api import Locator, Page, expect
from webhooks.receiver import Receiver


def waiting_on(page: Page) -> Locator:
    return page.get_by_role("region", name="Needs attention")


def open_home(page: Page) -> Locator:
    go(page, "/")
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    return waiting_on(page)


def about(attention: Locator, name: str) -> Locator:
    """The row that tells of a license or device of that name."""
    return attention.get_by_role("listitem").filter(has_text=name)


OTHER_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYA="


def last_status(workspace: Workspace, hook: Json) -> str:
    return str(workspace.ok("GET", f"/api/webhooks/{hook['id']}")["lastStatus"])


def test_what_waits_leads_there_and_is_gone_once_dealt_with(
    owner_page: Page, workspace: Workspace, receiver: Receiver
) -> None:
    waiting = workspace.issue("NodeLocked", licenseName="Studio", deviceBindingMode="OwnerApproval")
    workspace.validate(waiting, "Laptop of Ada")
    bound = workspace.issue("NodeLocked", licenseName="Bound to one")
    for machine in ("Its own", "A stranger"):
        workspace.validate(bound, machine)
    meter = workspace.issue("MeteredToken", licenseName="Nearly empty")
    settings = f"/api/licenses/{meter['id']}/meter-settings"
    workspace.ok("PUT", settings, {"lowBalanceThreshold": 1_000_000})
    ending = workspace.issue("Trial", licenseName="Ends soon", expirationDate=in_days(14))
    receiver.says(500)
    hook = workspace.webhook(receiver.url, "release.published", description="Back office")
    workspace.ok("POST", f"/api/webhooks/{hook['id']}/test")
    eventually(lambda: last_status(workspace, hook) == "Failed", "the delivery fails")
    shop = connect(workspace, "Corner shop")
    assert shop.send("order.paid", secret=OTHER_SECRET, id="C-1").status_code == 401

    attention = open_home(owner_page)
    expected = {
        ("Devices to approve", "Laptop of Ada"): f"{waiting['id']}/activations",
        ("Access attempts", "Bound to one"): f"{bound['id']}/access-attempts",
        ("Low balances", "Nearly empty"): f"{meter['id']}/meter",
        ("Expiring licenses", "Ends soon"): ending["id"],
        ("Failing webhooks", "Back office"): hook["id"],
        ("Failing connectors", "Corner shop"): f"connectors/{shop.id}",
    }
    for (kind, name), path in expected.items():
        about(attention.get_by_role("region", name=kind), name).get_by_role("link").first.click()
        expect(owner_page).to_have_url(re.compile(rf"/{path}$"))
        expect(owner_page.get_by_role("heading", level=1)).to_be_visible()
        owner_page.go_back()
    expect(attention.get_by_role("link", name="Back office", exact=True)).to_be_visible()
    # What harms now stands above what waits, and a single row needs no heading.
    kinds = attention.get_by_role("region").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert kinds == [
        "Access attempts",
        "Failing webhooks",
        "Failing connectors",
        "Low balances",
        "Devices to approve",
        "Expiring licenses",
    ]
    expect(attention.get_by_role("heading", level=3)).to_have_count(0)
    expect(about(attention, "Back office")).to_contain_text("Failing webhook")
    # Named by who writes or calls: the customer.
    customer = f"/api/customers/{waiting['customerId']}"
    workspace.ok("PUT", customer, {"name": "Ada Byron"})
    owner_page.reload()
    expect(about(attention, "Laptop of Ada").get_by_role("link").first).to_have_text("Ada Byron")
    examine(owner_page, "home")

    [device] = workspace.ok("GET", f"/api/licenses/{waiting['id']}/activations")["items"]
    workspace.ok("POST", f"/api/activations/{device['id']}/approve")
    attempts = f"/api/licenses/{bound['id']}/access-attempts"
    [attempt] = workspace.ok("GET", attempts)["items"]
    workspace.ok("POST", f"{attempts}/{attempt['id']}/acknowledge")
    workspace.ok("PUT", settings, {"lowBalanceThreshold": None})
    workspace.act(ending, "revoke")
    shop.tell("cart.viewed", id="C-1")
    receiver.says(200)
    attention.get_by_role("button", name="Send test event to Back office").click()
    eventually(lambda: last_status(workspace, hook) == "Delivered", "the delivery arrives")
    owner_page.reload()
    expect(waiting_on(owner_page)).to_contain_text("All good")
    expect(waiting_on(owner_page).get_by_role("link")).to_have_count(0)
    examine(owner_page, "home-well")


def test_the_figures_are_those_of_the_server(
    owner_page: Page, workspace: Workspace, owner_account: Person
) -> None:
    workspace.activate(workspace.issue("Concurrent"), "Workstation")
    open_home(owner_page)
    told = workspace.ok("GET", f"/api/institutions/{workspace.institution}/overview")
    figures = owner_page.get_by_role("region", name="Key figures")
    for label, field in {
        "Active licenses": "activeLicenses",
        "Expiring in 30 days": "expiringIn30Days",
    }.items():
        figure = figures.get_by_role("group", name=label, exact=True)
        expect(figure).to_contain_text(str(told[field]))
    home = workspace.ok("GET", f"/api/institutions/{workspace.institution}/home")
    month = {one["name"]: one["value"] for one in home["period"]["figures"]}
    expect(figures).to_contain_text(f"{month['LicensesIssued']} issued, ")
    use = owner_page.get_by_role("region", name="Use", exact=True)
    for label, value in {
        "Active devices": told["activations"],
        "New devices": month["DevicesAdded"],
    }.items():
        expect(use.get_by_role("group", name=label)).to_contain_text(str(value))
    # What is zero says nothing, and neither does money before the first sale.
    expect(use.get_by_role("group", name="Live sessions")).to_have_count(0)
    expect(figures.get_by_role("group", name="Sales in 30 days")).to_have_count(0)
    activity = owner_page.get_by_role("region", name="Recent activity").get_by_role("listitem")
    expect(activity.first.get_by_role("link")).to_have_text("Workstation was activated")
    members = workspace.ok("GET", f"/api/institutions/{workspace.institution}/members")["items"]
    [name] = [one["fullName"] for one in members if one["email"] == owner_account.email]
    expect(activity.nth(1).get_by_role("link")).to_have_text(f"{name} issued the license")
    figures.get_by_role("link", name=re.compile("^Active licenses")).click()
    # Test licenses, which no figure counts, are left out of the list, too.
    expect(owner_page).to_have_url(re.compile(r"/licenses\?status=Active&test=false$"))


def told(page: Page, sentence: str) -> Locator:
    """The toast that says so."""
    return page.get_by_text(sentence).locator("xpath=..")


def test_what_waits_is_dealt_with_in_place_and_can_be_undone(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    waiting = workspace.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    workspace.validate(waiting, "Laptop of Grace")
    bound = workspace.issue("NodeLocked", licenseName="Tried elsewhere")
    for machine in ("Its own", "A stranger"):
        workspace.validate(bound, machine)
    meter = workspace.issue("MeteredToken", licenseName="Running dry", initialMeterBalance=5)
    settings = f"/api/licenses/{meter['id']}/meter-settings"
    workspace.ok("PUT", settings, {"lowBalanceThreshold": 10})
    ending = workspace.issue(
        "Trial", licenseName="Over soon", issuedTo="over@example.com", expirationDate=in_days(5)
    )
    attention = open_home(page)

    approve = attention.get_by_role("button", name="Approve Laptop of Grace")
    expect(approve).to_be_visible()
    acknowledge = attention.get_by_role("button", name="Mark as reviewed: Tried elsewhere")
    rows = attention.locator("[data-row]")
    page.keyboard.press("j")
    expect(rows.nth(0).locator("[data-opens]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1).locator("[data-opens]")).to_be_focused()
    attention.get_by_role("link", name="Review Tried elsewhere").focus()
    page.keyboard.press("e")
    reviewed = "Access attempts on Tried elsewhere marked as reviewed."
    expect(page.get_by_text(reviewed, exact=True)).to_be_visible()
    expect(acknowledge).to_have_count(0)
    page.keyboard.press("z")
    expect(page.get_by_text(f"Undone: {reviewed}")).to_be_visible()
    acknowledge.focus()
    page.keyboard.press("e")
    expect(acknowledge).to_have_count(0)
    attempts = attention.get_by_role("region", name="Access attempts")
    expect(attempts.get_by_role("listitem")).to_contain_text("Done")

    attention.get_by_role("button", name="Grant Running dry").click()
    page.get_by_label("Amount").fill("20")
    examine(page, "home-grant")
    with page.expect_response("**/api/meter/grant") as granted:
        page.get_by_role("dialog").get_by_role("button", name="Grant", exact=True).click()
    told(page, "New balance of Running dry: 25.").get_by_role("button", name="Undo").click()
    assert granted.value.json()["balance"] == 25
    expect(page.get_by_text("New balance of Running dry: 25.", exact=True)).to_have_count(0)
    assert workspace.ok("GET", f"/api/meter/balance/{meter['id']}")["balance"] == 5
    expect(about(attention, "Running dry")).to_be_visible()

    attention.get_by_role("button", name="Extend Over soon").click()
    expect(page.get_by_role("dialog", name="Extend Over soon of over@example.com")).to_be_visible()
    examine(page, "home-extend")
    path = f"/api/licenses/{ending['id']}"
    with page.expect_response(f"**{path}") as extended:
        page.get_by_role("button", name="Extend license").click()
    told(page, "Over soon expires on").get_by_role("button", name="Undo").click()
    assert extended.value.json()["expirationDate"] > in_days(30)
    expect(page.get_by_text("Undone: Over soon expires on")).to_be_visible()
    assert workspace.ok("GET", path)["expirationDate"] == ending["expirationDate"]
    expect(about(attention, "Over soon")).to_be_visible()

    with page.expect_response("**/approve") as approved:
        attention.get_by_role("button", name="Approve Laptop of Grace").click()
    told(page, "Laptop of Grace approved.").get_by_role("button", name="Undo").click()
    assert approved.value.ok
    expect(page.get_by_text("Laptop of Grace approved.", exact=True)).to_have_count(0)
    expect(attention.get_by_role("button", name="Approve Laptop of Grace")).to_be_visible()
    [device] = workspace.ok("GET", f"/api/licenses/{waiting['id']}/activations")["items"]
    assert device["status"] == "Pending"


def test_viewers_are_told_of_what_they_may_see(new_page: NewPage, workspace: Workspace) -> None:
    bound = workspace.issue("NodeLocked", licenseName="Tried by others")
    for machine in ("Its own", "A stranger"):
        workspace.validate(bound, machine)
    workspace.issue("Trial", licenseName="For all to see", expirationDate=in_days(3))
    viewer = workspace.member("Viewer")
    page = signed_in(new_page(), viewer.email)
    attention = open_home(page)
    expect(about(attention, "For all to see")).to_be_visible()
    expect(about(attention, "Tried by others")).to_be_hidden()
    expect(page.get_by_role("region", name="Get started")).to_be_hidden()


def test_a_customer_is_led_to_the_portal(new_page: NewPage, workspace: Workspace) -> None:
    email = f"ada.of.{workspace.institution}@customers.example.com"
    workspace.issue("Trial", issuedTo=email)
    customer = workspace.end_user(email)
    page = signed_in(new_page(), customer.email)
    go(page, "/")
    expect(page).to_have_url(re.compile("/portal$"))


# The last one: from here on the Owner has a second institution.


def test_a_new_institution_is_led_from_step_to_step(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.ok("POST", "/api/institutions", {"name": "Borealis"})
    open_home(owner_page)
    owner_page.get_by_role("button", name=re.compile("^Institution: ")).click()
    owner_page.get_by_role("menuitem", name=re.compile("Borealis")).click()
    steps = owner_page.get_by_role("region", name="Get started")
    expect(steps).to_contain_text("0 of 5 steps done")
    expect(waiting_on(owner_page)).to_contain_text("All good")
    examine(owner_page, "home-new")
    steps.get_by_role("link", name="New product").click()
    expect(owner_page).to_have_url(re.compile("/products/new$"))
    body = {"institutionId": made["id"], "name": "Polaris", "initialVersion": "1.0.0"}
    new = replace(workspace, product=workspace.ok("POST", "/api/products", body)["id"])
    release = new.ok("GET", f"{new.path}/releases")["items"][0]
    new.ok("PUT", f"/api/releases/{release['id']}", {"status": "Published"})
    open_home(owner_page)
    expect(steps).to_contain_text("2 of 5 steps done")
    steps.get_by_role("link", name="Open keys").click()
    expect(owner_page).to_have_url(re.compile(rf"/products/{new.product}/keys$"))
    new.ok("POST", f"{new.path}/keys/generate", {"keySize": 2048})
    new = replace(new, api_key=new.ok("GET", f"{new.path}/credentials")["apiKey"])
    license_ = new.issue("Concurrent")
    open_home(owner_page)
    expect(steps).to_contain_text("4 of 5 steps done")
    expect(steps.get_by_role("button", name="Hide")).to_be_visible()
    new.activate(license_, "First machine")
    open_home(owner_page)
    expect(owner_page.get_by_role("region", name="Recent activity")).to_contain_text(
        "First machine was activated"
    )
    expect(steps).to_be_hidden()
