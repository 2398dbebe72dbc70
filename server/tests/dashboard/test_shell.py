"""What is around every page: navigation, search from anywhere, keys, themes, pages that break."""

import re

import pytest
from dashboard.checks import DARK, LIGHT, PHONE, Screen, examine, fits, show_on
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import entry, heading
from dashboard.moving import go
from dashboard.sales import connect
from dashboard.vendor import Person, Workspace, in_days, open_workspace
from dashboard.watching import NO_ANSWER, expecting, watch_of
from playwright.sync_api import Locator, Page, Route, expect

TABLET = Screen("tablet", 768, 1024, "light")
SMALL = Screen("small", 390, 844, "dark")
LAPTOP = Screen("laptop", 1366, 768, "light")
DESKTOP = Screen("desktop", 1920, 1080, "dark")


def palette(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Search or jump to")


def is_home(page: Page) -> None:
    go(page, "/")
    heading(page, "Home")


# Search from anywhere


def test_a_license_is_found_and_opened_by_keyboard_alone(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Perpetual", licenseName="Zephyr workstation")
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    expect(palette(owner_page)).to_be_visible()
    # Browsers paint the place of the scrollbar, beside the backdrop, in this color, and no image.
    expect(owner_page.locator("html")).to_have_css("background-image", "none")
    expect(owner_page.locator("html")).to_have_css("background-color", "rgb(163, 162, 159)")
    owner_page.keyboard.type("zephyr")
    found = palette(owner_page).get_by_role("option", name="Zephyr workstation")
    expect(found).to_have_attribute("aria-selected", "true")
    examine(owner_page, "palette-found")
    owner_page.keyboard.press("Enter")
    expect(owner_page).to_have_url(re.compile(rf"/licenses/{made['id']}$"))
    heading(owner_page, "Zephyr workstation")
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type("replace")
    replace = palette(owner_page).get_by_role("option", name="Replace key", exact=True)
    expect(replace).to_have_attribute("data-grave", "true")
    owner_page.keyboard.press("Escape")
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    recent = palette(owner_page).get_by_role("group", name="Recent")
    expect(recent.get_by_role("option").first).to_contain_text("Zephyr workstation")


def test_a_key_finds_its_license(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Perpetual", licenseName="Found by its key")
    is_home(owner_page)
    owner_page.get_by_role("button", name="Search or jump to").click()
    owner_page.keyboard.type(made["licenseKey"][:11])
    expect(palette(owner_page).get_by_role("option", name="Found by its key")).to_be_visible()


def test_what_is_typed_before_the_palette_is_there_is_kept(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("Perpetual", licenseName="Typed ahead")
    page = owner_page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/assets/Palette-[^/]+\.js$"), hold)
    page.goto("/")
    opener = page.get_by_role("navigation", name="Main").get_by_role("link", name="Statistics")
    opener.focus()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("textbox", name="Search", exact=True)).to_be_focused()
    page.keyboard.type("typed ah")
    expect(palette(page)).to_have_count(0)
    held[0].continue_()
    expect(palette(page)).to_be_visible()
    page.keyboard.type("ead")
    expect(palette(page).get_by_role("combobox")).to_have_value("typed ahead")
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("typed ahead")
    found = palette(page).get_by_role("option", name="Typed ahead")
    expect(found).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/licenses/{made['id']}$"))


def test_an_order_is_found_by_its_number(owner_page: Page, workspace: Workspace) -> None:
    shop = connect(workspace, "Palette shop")
    shop.sell("C-3107", price="brush-pack")
    shop.order("C-3107", "Unmatched")
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type("C-310")
    found = palette(owner_page).get_by_role("option", name="C-3107")
    expect(found).to_be_visible()
    owner_page.keyboard.press("Tab")
    expect(palette(owner_page).get_by_role("option")).to_have_text(["Create rule"])
    owner_page.keyboard.press("Escape")
    found.click()
    heading(owner_page, "Order C-3107")
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type("C-3107")
    expect(found).to_be_visible()
    owner_page.keyboard.press("Shift+Enter")
    expect(owner_page.get_by_role("dialog", name="Create rule")).to_be_visible()
    owner_page.keyboard.press("Escape")
    expect(owner_page).to_have_url(re.compile(r"/orders/[^?]+$"))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("revenue", "Sales"),
        ("sales", "Sales"),
        ("churn", "Renewals"),
        ("credits", "Meter usage"),
        ("rules", "Connectors"),
    ],
)
def test_pages_are_found_by_what_is_done_there(owner_page: Page, typed: str, found: str) -> None:
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type(typed)
    expect(palette(owner_page).get_by_role("group", name="Pages")).to_contain_text(found)


def test_a_license_is_acted_on_by_its_name_and_where_it_is_in_view(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    is_home(page)
    made = workspace.issue("Trial", licenseName="Quagga herd", expirationDate=in_days(30))
    page.keyboard.press("Control+k")
    page.keyboard.type("extend quagga")
    first = palette(page).get_by_role("option").first
    expect(first).to_contain_text("Extend: Quagga herd")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Extend license")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile(rf"/licenses/{made['id']}$"))
    page.keyboard.press("Control+k")
    here = palette(page).get_by_role("group", name="Quagga herd")
    examine(page, "palette-license")
    here.get_by_role("option", name="Suspend").click()
    expect(page.get_by_role("dialog", name="Suspend license")).to_be_visible()


def test_only_what_has_a_balance_is_granted_and_what_ends_a_license_stands_last(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    is_home(page)
    workspace.issue("Trial", licenseName="Okapi trial", expirationDate=in_days(30))
    workspace.issue("MeteredToken", licenseName="Okapi renders", initialMeterBalance=5)
    page.keyboard.press("Control+k")
    page.keyboard.type("grant okapi")
    offered = palette(page).get_by_role("group", name="Do it").get_by_role("option")
    expect(offered).to_contain_text(["Grant: Okapi renders"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Amount")).to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.keyboard.press("Control+k")
    acts = palette(page).get_by_role("group", name="Okapi renders").get_by_role("option")
    expect(acts.first).to_have_text("Grant")
    page.keyboard.type("okapi renders")
    expect(palette(page).get_by_role("option", name=re.compile("^Okapi renders"))).to_be_visible()
    page.keyboard.press("Tab")
    expect(acts.last).to_have_text("Delete")


def test_a_verb_alone_asks_for_its_license_and_views_are_pages(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.issue("Trial", licenseName="Tapir lens", expirationDate=in_days(30))
    is_home(page)
    page.keyboard.press("Control+k")
    expect(palette(page)).to_be_visible()
    page.keyboard.type("extend")
    expect(palette(page).get_by_role("option", name="Licenses: Expiring soon")).to_be_visible()
    expect(palette(page).get_by_role("option").first).to_contain_text("Extend: which license?")
    # Browsers say that the mouse moved when something appears under it; it chose nothing.
    palette(page).get_by_role("option").last.dispatch_event("mousemove")
    page.keyboard.press("Enter")
    page.keyboard.type("tapir")
    expect(palette(page).get_by_role("option").first).to_contain_text("Extend: Tapir lens")
    page.keyboard.press("Control+a")
    page.keyboard.type("tapir lens")
    found = palette(page).get_by_role("option", name=re.compile("^Tapir lens"))
    expect(found).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(palette(page).get_by_role("option", name="Suspend")).to_be_visible()
    page.keyboard.press("Escape")
    expect(palette(page).get_by_role("combobox")).to_have_value("tapir lens")
    page.keyboard.press("Control+a")
    page.keyboard.type("license expired")
    expect(palette(page).get_by_role("option").first).to_contain_text("Licenses: Expired")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/licenses\?status=Expired$"))
    expect(entry(page, "Received licenses")).to_have_count(0)


def test_a_key_that_comes_before_the_answer_acts_on_the_answer(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.issue("Trial", licenseName="Numbat east", expirationDate=in_days(30))
    workspace.issue("Trial", licenseName="Numbat western", expirationDate=in_days(30))
    is_home(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("numbat")
    first = palette(page).get_by_role("option", name=re.compile("^Numbat east"))
    expect(first).to_have_attribute("aria-selected", "true")
    page.keyboard.type(" western")
    page.keyboard.press("Tab")
    expect(palette(page).get_by_role("group", name="Numbat western")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    page.keyboard.type("numbat east")
    page.keyboard.press("Shift+Enter")
    dialog = page.get_by_role("dialog", name="Extend license")
    dialog.get_by_role("button", name="Cancel").click()
    heading(page, "Numbat east")
    page.keyboard.press("Control+k")
    page.keyboard.type("numbat")
    expect(first).to_be_visible()
    page.keyboard.type(" western")
    page.keyboard.press("Enter")
    heading(page, "Numbat western")


def test_a_short_text_that_nothing_is_called_is_asked_for_once(owner_page: Page) -> None:
    page = owner_page
    is_home(page)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "/api/search" in sent.url else None)
    page.keyboard.press("Control+k")
    page.keyboard.type("gnu qq7")
    expect(palette(page).get_by_role("status")).to_contain_text("Nothing found")
    expect(palette(page).get_by_role("listbox")).to_have_attribute("aria-busy", "false")
    assert len([url for url in asked if "qq7" in url]) == 1
    page.keyboard.press("Control+a")
    page.keyboard.type("rule")  # one letter from "role"
    options = palette(page).get_by_role("option")
    expect(options.filter(has_text="Connectors")).to_be_visible()
    expect(options.filter(has_text="Members")).to_have_count(0)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("renew quokka", "Extend: Quokka desk"),
        ("why quokka", "Diagnose: Quokka desk"),
        ("issue aurora 1", "Issue license"),
        ("portal link quokka", "Send portal link"),
        ("add customer", "Add customer"),
    ],
)
def test_requests_in_the_words_of_the_desk_are_understood(
    owner_page: Page, workspace: Workspace, typed: str, offered: str
) -> None:
    page = owner_page
    is_home(page)
    workspace.issue(
        "Trial",
        licenseName="Quokka desk",
        issuedTo="quokka@example.com",
        expirationDate=in_days(30),
    )
    page.keyboard.press("Control+k")
    page.keyboard.type(typed.replace("aurora 1", workspace.name))
    expect(palette(page).get_by_role("option").filter(has_text=offered).first).to_be_visible()


def test_slips_are_forgiven_and_what_nothing_is_called_is_sought_in_the_help(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    is_home(page)
    workspace.issue("Perpetual", licenseName="Okapi renderer")
    open_workspace(workspace.owner, "Tapir Render")
    page.keyboard.press("Control+k")
    page.keyboard.type("okpai rendrer")
    expect(palette(page).get_by_role("option", name="Okapi renderer")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("tapir rendr")
    expect(palette(page).get_by_role("option", name="Tapir Render")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("webhoks")
    expect(palette(page).get_by_role("group", name="Did you mean")).to_contain_text("Webhooks")
    page.keyboard.press("Control+a")
    page.keyboard.type("gnu flavors")
    expect(palette(page).get_by_role("status")).to_contain_text("Nothing found")
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox", name="Search the Help center")).to_have_value(
        "gnu flavors"
    )


def test_the_theme_is_a_command(owner_page: Page) -> None:
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    owner_page.keyboard.type("dark")
    palette(owner_page).get_by_role("option", name="Use the dark theme").click()
    expect(owner_page.locator("html")).to_have_attribute("data-theme", "dark")


def test_pages_actions_and_help_are_offered(owner_page: Page) -> None:
    is_home(owner_page)
    owner_page.keyboard.press("Control+k")
    expect(palette(owner_page).get_by_role("option", name="Issue license")).to_be_visible()
    examine(owner_page, "palette")
    owner_page.keyboard.type("node locked")
    expect(palette(owner_page).get_by_role("group", name="Help")).to_be_visible()
    owner_page.keyboard.press("Control+a")
    owner_page.keyboard.type("no such gnu at all")
    expect(palette(owner_page).get_by_role("status")).to_contain_text("Nothing found")
    owner_page.keyboard.press("Control+a")
    owner_page.keyboard.type("statistics")
    owner_page.keyboard.press("Enter")
    heading(owner_page, "Statistics")


# Keys


def test_keys_lead_to_pages_and_fields(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.issue("Perpetual")
    is_home(page)
    page.keyboard.press("g")
    page.keyboard.press("l")
    heading(page, "Licenses")
    search = page.get_by_role("searchbox", name="Search")
    expect(search).to_be_visible()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("gp?")
    heading(page, "Licenses")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(search).to_have_value("gp?")


def test_the_keys_are_told_and_single_ones_can_be_turned_off(owner_page: Page) -> None:
    page = owner_page
    is_home(page)
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(told).to_contain_text("Search everything")
    examine(page, "shortcuts")
    told.get_by_role("switch", name="Use single keys").uncheck()
    told.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)
    page.keyboard.press("?")
    page.keyboard.press("Control+k")
    expect(palette(page)).to_be_visible()
    expect(told).to_have_count(0)


def test_the_content_is_one_key_away(owner_page: Page) -> None:
    is_home(owner_page)
    owner_page.keyboard.press("Tab")
    skip = owner_page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    owner_page.keyboard.press("Enter")
    expect(owner_page.get_by_role("main")).to_be_focused()


# Room and themes


@pytest.mark.parametrize(
    "screen",
    [SMALL, TABLET, *(pytest.param(one, marks=pytest.mark.long) for one in (LAPTOP, DESKTOP))],
    ids=lambda one: one.name,
)
def test_the_navigation_fits_the_window(
    screen: Screen, new_page: NewPage, owner_account: Person
) -> None:
    page = signed_in(new_page(screen), owner_account.email)
    is_home(page)
    main = page.get_by_role("navigation", name="Main")
    if screen.width < 768:
        expect(main).to_have_count(0)
        page.get_by_role("button", name="Open menu").click()
    main.get_by_role("link", name="Products").click()
    heading(page, "Products")
    fits(page)


def test_the_sidebar_can_be_closed_and_stays_so(owner_page: Page) -> None:
    is_home(owner_page)
    show_on(owner_page, LAPTOP)
    owner_page.get_by_role("button", name="Close sidebar").click()
    owner_page.reload()
    expect(owner_page.get_by_role("button", name="Open sidebar")).to_be_visible()
    box = owner_page.get_by_role("link", name="Licenses", exact=True).bounding_box()
    assert box
    assert box["x"] >= 0, "it is cut off at the edge"
    examine(owner_page, "sidebar-closed", (LAPTOP, DARK))


def test_a_chosen_theme_stays_whatever_the_system_asks_for(owner_page: Page) -> None:
    page = owner_page
    root = page.locator("html")
    is_home(page)
    expect(root).to_have_attribute("data-theme", "light")
    show_on(page, DARK)
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Use the light theme").click()
    expect(root).to_have_attribute("data-theme", "light")
    page.reload()
    expect(root).to_have_attribute("data-theme", "light")


# Pages that break


def test_code_that_could_not_be_loaded_is_loaded_when_it_is_tried_again(owner_page: Page) -> None:
    page = owner_page
    is_home(page)
    code = re.compile(r"/assets/StatisticsPage-[^/]+\.js$")
    page.route(code, lambda route: route.abort("internetdisconnected"))
    page.route("**/favicon.svg", lambda route: route.abort("internetdisconnected"))
    with expecting(page, NO_ANSWER, path="/assets/"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Statistics").click()
    lost = page.get_by_role("alert")
    expect(lost).to_contain_text("This page could not be loaded")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    examine(page, "chunk-lost")
    page.unroute(code)
    page.unroute("**/favicon.svg")
    lost.get_by_role("button", name="Try again").click()
    heading(page, "Statistics")
    watch_of(page).take()


def test_code_of_an_older_release_brings_the_new_page(owner_page: Page) -> None:
    page = owner_page
    is_home(page)
    gone: list[str] = []

    def lose(route: Route) -> None:
        if gone:
            route.continue_()
        else:
            gone.append(route.request.url)
            route.fulfill(status=404)

    page.route(re.compile(r"/assets/StatisticsPage-[^/]+\.js$"), lose)
    with expecting(page, 404, path="/assets/"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Statistics").click()
    heading(page, "Statistics")
    assert gone
    watch_of(page).take()


# Lists


def test_a_selection_belongs_to_what_is_shown(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    workspace.issue("Perpetual", licenseName="Shown")
    workspace.act(workspace.issue("Perpetual", licenseName="Held back"), "suspend")
    go(page, f"/licenses?productId={workspace.product}")
    page.get_by_role("checkbox", name="Select Shown").check()
    chosen = page.get_by_role("region", name="Selection")
    expect(chosen).to_contain_text("1 selected")
    expect(chosen).to_contain_text("Shown")
    page.get_by_role("button", name="Suspended", exact=True).click()
    expect(page.get_by_role("row").filter(has_text="Held back").first).to_be_visible()
    expect(chosen).to_have_count(0)
    page.go_back()
    expect(chosen).to_have_count(0)


def test_rows_are_walked_and_selected_by_keyboard(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    made = {name: workspace.issue("Perpetual", licenseName=name) for name in ("C", "B", "A")}
    go(page, f"/licenses?productId={workspace.product}")
    page.get_by_role("link", name="A", exact=True).focus()
    page.keyboard.press("Shift+ArrowDown")
    chosen = page.get_by_role("region", name="Selection")
    expect(chosen).to_contain_text("2 selected")
    expect(page.get_by_role("link", name="B", exact=True)).to_be_focused()
    page.keyboard.press("x")
    expect(chosen).to_contain_text("1 selected")
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/licenses/{made['C']['id']}$"))


def test_columns_are_chosen_and_stay(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    terms = {"productId": workspace.product, "name": "Studio", "type": "Perpetual"}
    policy = workspace.ok("POST", "/api/policies", terms)
    workspace.issue("Perpetual", policyId=policy["id"], tags=["oem"])
    go(page, f"/licenses?productId={workspace.product}")
    expect(page.get_by_title("1 in this list")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Issued to")).to_be_visible()
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("menuitemcheckbox", name="Issued to").click()
    examine(page, "licenses-columns", (LIGHT, DARK))
    # A narrow window leaves it out until somebody wants it.
    created = page.get_by_role("menuitemcheckbox", name="Created")
    expect(created).to_have_attribute("aria-checked", "false")
    created.click()
    for name in ("Policy", "Tags"):
        page.get_by_role("menuitemcheckbox", name=name).click()
    page.keyboard.press("Escape")
    for name in ("Created", "Policy", "Tags"):
        expect(page.get_by_role("columnheader", name=name)).to_be_visible()
    for value in ("Studio", "oem"):
        expect(page.get_by_role("table", name="Licenses")).to_contain_text(value)
    expect(page.get_by_role("columnheader", name="Issued to")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("columnheader", name="Usage")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Issued to")).to_have_count(0)


def test_a_list_begins_without_a_filter(owner_page: Page, workspace: Workspace) -> None:
    """What was filtered before is not remembered, as if licenses were missing."""
    page = owner_page
    workspace.issue("Perpetual", licenseName="Always there")
    go(page, "/licenses?status=Revoked")
    expect(page.get_by_role("button", name="Revoked", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    entry(page, "Licenses").click()
    expect(page).to_have_url(re.compile(r"/licenses$"))
    expect(page.get_by_role("link", name="Always there")).to_be_visible()


def test_the_shell_stands_on_a_phone(new_page: NewPage, owner_account: Person) -> None:
    page = signed_in(new_page(PHONE), owner_account.email)
    is_home(page)
    page.get_by_role("button", name="Open menu").click()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    examine(page, "phone-menu", (PHONE, SMALL))


def test_a_page_that_is_opened_by_its_address_begins_at_its_top(
    new_page: NewPage, owner_account: Person
) -> None:
    page = signed_in(new_page(LAPTOP), owner_account.email)
    for at in ("/help/metering", "/help/node-locked"):
        page.goto(at)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        watch_of(page).hear_out()
        assert page.evaluate("() => scrollY") == 0
        page.evaluate("() => scrollTo(0, 300)")
        page.wait_for_function("() => scrollY === 300")
    page.go_back()
    page.wait_for_function("() => scrollY === 300 && location.pathname === '/help/metering'")


def test_being_offline_is_said_on_a_page_that_knows_nothing_yet(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    for name in ("Known", "New"):
        workspace.issue("Perpetual", licenseName=name)
    go(page, f"/licenses?productId={workspace.product}")
    page.get_by_role("link", name="Known", exact=True).click()
    heading(page, "Known")
    page.go_back()
    page.get_by_role("link", name="New", exact=True).focus()
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="You are offline")).to_be_visible()
    page.context.set_offline(False)
    heading(page, "New")
    expect(page.get_by_text("You are offline")).to_have_count(0)
    watch_of(page).take()  # The stream of notifications may have broken.
