"""The list of licenses: found, narrowed, kept as views, exported."""

import csv
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from dashboard.checks import BOTH, LIGHT, PHONE, Screen, axe, examine, fits, look, show_on
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import add_filter
from dashboard.moving import go
from dashboard.vendor import Person, Workspace, furnish, in_days
from dashboard.watching import expecting
from playwright.sync_api import Locator, Page, Route, expect


def listing(**filters: object) -> str:
    return f"/licenses?{urlencode(filters)}"


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def rows(page: Page) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("cell"))


def choose(page: Page, kind: str, option: str) -> None:
    add_filter(page, kind)
    page.get_by_role("menu", name=kind).get_by_role("menuitem", name=option, exact=True).click()


def select(page: Page, name: str) -> None:
    row(page, name).get_by_role("checkbox").check()


def test_a_date_filter_keeps_what_is_typed(owner_page: Page, workspace: Workspace) -> None:
    """It asks for no half-typed date, whose late arrival would replace what was typed since."""
    workspace.issue("Trial", licenseName="Zenith trial", expirationDate=in_days(10))
    go(owner_page, listing(productId=workspace.product))
    expect(rows(owner_page)).to_have_count(1)
    asked: list[str] = []
    owner_page.on("request", lambda request: asked.append(request.url))
    add_filter(owner_page, "Expires by")
    date = owner_page.get_by_label("Expires by", exact=True)
    date.focus()
    date.press_sequentially("11/20/2023", delay=50)
    expect(date).to_have_value("11/20/2023")
    owner_page.get_by_role("button", name="Done").click()
    expect(owner_page.get_by_text("No matching licenses")).to_be_visible()
    filtered = [url for url in asked if "expiringBefore" in url]
    assert filtered
    assert all("2023-11-20" in url for url in filtered)


def test_filters_stand_in_the_address_and_can_be_taken_away(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    workspace.issue("Trial", licenseName="Zenith trial", expirationDate=in_days(10))
    workspace.issue("Perpetual", licenseName="Zenith forever")
    workspace.issue("Perpetual", licenseName="Borealis forever")
    go(page, listing(productId=workspace.product))
    expect(rows(page)).to_have_count(3)
    page.get_by_role("searchbox", name="Search").fill("zen")
    expect(rows(page)).to_have_count(2)
    choose(page, "Model", "Trial")
    choose(page, "Expires in", "Within 30 days")
    expect(rows(page)).to_have_count(1)
    page.reload()
    expect(row(page, "Zenith trial")).to_contain_text("in 10 days")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("zen")
    page.get_by_role("button", name="Remove filter Model: Trial").click()
    page.get_by_role("button", name="Remove filter Expires within 30 days").click()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("searchbox", name="Search").fill("no such license")
    page.get_by_role("button", name="Clear all filters").click()
    expect(row(page, "Borealis forever")).to_be_visible()
    assert "productId" not in page.url


def test_the_server_sorts(owner_page: Page, workspace: Workspace) -> None:
    for name in ("Beta", "Alpha"):
        workspace.issue("Perpetual", licenseName=name)
    go(owner_page, listing(productId=workspace.product))
    expect(rows(owner_page).first).to_contain_text("Alpha")
    by_name = (
        owner_page.get_by_role("columnheader").filter(has_text="License").get_by_role("button")
    )
    by_name.click()
    expect(owner_page).to_have_url(re.compile("sort=licenseName"))
    expect(rows(owner_page).first).to_contain_text("Alpha")
    by_name.click()
    expect(rows(owner_page).first).to_contain_text("Beta")


def test_a_view_is_saved_renamed_shared_and_deleted(
    owner_page: Page, new_page: NewPage, workspace: Workspace
) -> None:
    page = owner_page
    workspace.act(workspace.issue("Perpetual", licenseName="Unpaid"), "suspend")
    workspace.issue("Perpetual", licenseName="Paid")
    go(page, listing(productId=workspace.product, status="Suspended"))
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Save view").click()
    page.get_by_role("textbox", name="Name").fill("Held back")
    page.get_by_role("button", name="Save", exact=True).click()
    views = page.get_by_role("group", name="Views")
    views.get_by_role("button", name="All", exact=True).click()
    expect(row(page, "Paid").first).to_be_visible()
    page.reload()
    views.get_by_role("button", name="Held back", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(row(page, "Unpaid")).to_be_visible()
    views.get_by_role("button", name="Edit view Held back").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="Name").fill("On hold")
    page.get_by_role("button", name="Save", exact=True).click()
    on_hold = views.get_by_role("button", name="On hold", exact=True)
    expect(on_hold).to_be_visible()
    expect(on_hold).to_have_attribute("title", "1 in this list")
    viewer = signed_in(new_page(), workspace.member("Viewer").email)
    go(viewer, listing(productId=workspace.product))
    theirs = viewer.get_by_role("group", name="Views")
    expect(theirs.get_by_role("button", name="Revoked", exact=True)).to_be_visible()
    expect(theirs.get_by_role("button", name="On hold")).to_have_count(0)
    views.get_by_role("button", name="Edit view On hold").click()
    page.get_by_role("menuitem", name="Share", exact=True).click()
    expect(page.get_by_text("Everyone sees the view On hold now.")).to_be_visible()
    viewer.reload()
    theirs.get_by_role("button", name="On hold", exact=True).click()
    expect(rows(viewer)).to_have_count(1)
    expect(theirs.get_by_role("button", name="Edit view On hold")).to_have_count(0)
    examine(page, "licenses-view-shared")
    views.get_by_role("button", name="Edit view On hold").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete view").click()
    expect(views.get_by_role("button", name="On hold")).to_have_count(0)


def test_a_view_of_a_product_that_is_gone_shows_nothing_and_breaks_nothing(
    owner_page: Page,
) -> None:
    gone = "019a0000-0000-7000-8000-000000000000"
    with expecting(owner_page, 404, path=f"/products/{gone}"):
        go(owner_page, listing(productId=gone))
    expect(owner_page.get_by_text("No matching licenses")).to_be_visible()
    expect(owner_page.get_by_role("button", name="Remove filter Product: deleted")).to_be_visible()


def test_the_export_holds_what_the_filters_let_through(
    owner_page: Page, workspace: Workspace
) -> None:
    for number in range(12):
        workspace.issue("Perpetual", licenseName=f"License {number}")
    workspace.issue("Trial", licenseName="Not this one")
    go(owner_page, f"{listing(productId=workspace.product, type='Perpetual')}&size=10&page=1")
    expect(rows(owner_page)).to_have_count(10)
    with owner_page.expect_download() as download:
        owner_page.get_by_role("button", name="Export CSV").click()
    expect(owner_page.get_by_text("Exported all 12 that match")).to_be_visible()
    with Path(download.value.path()).open(newline="") as file:
        names = [line["licenseName"] for line in csv.DictReader(file)]
    assert names == [f"License {number}" for number in range(12)]


def test_a_viewer_reads_and_changes_nothing(page: Page, workspace: Workspace) -> None:
    workspace.issue("Perpetual", licenseName="Only to read")
    viewer = workspace.member("Viewer")
    signed_in(page, viewer.email)
    go(page, listing(productId=workspace.product))
    expect(row(page, "Only to read")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    expect(page.get_by_role("link", name="Issue license")).to_have_count(0)
    go(page, "/licenses/new")
    expect(page.get_by_text("You cannot issue licenses")).to_be_visible()
    expect(page.get_by_role("button", name="Issue license")).to_have_count(0)
    examine(page, "issue-forbidden", (LIGHT,))


def test_the_list_stands_on_every_screen(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    furnish(workspace)
    workspace.issue("Perpetual", licenseName="<script>alert(1)</script>")
    workspace.issue("Perpetual", licenseName="شركة البرمجيات المحدودة")
    workspace.issue("Perpetual", licenseName="W" * 200)
    go(page, listing(productId=workspace.product))
    expect(page.get_by_text("Tried by 1 other device")).to_be_visible()
    expect(page.get_by_text("2 of 3").first).to_be_visible()
    examine(page, "licenses")
    select(page, "Ends soon")
    for screen in BOTH:
        show_on(page, screen)
        look(page, f"licenses-selected-{screen.name}")
        fits(page)
        axe(page)
    show_on(page, LIGHT)
    row(page, "Ends soon").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/licenses/[0-9a-f-]{36}$"))


def edges(page: Page) -> list[float]:
    """Where the columns begin."""
    edge = "heads => heads.map(head => Math.round(head.getBoundingClientRect().left))"
    found: list[float] = page.get_by_role("columnheader").evaluate_all(edge)
    return found


def test_columns_stand_from_the_start_and_name_the_customer(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    email = f"josephine.{workspace.product}@example.com"
    named = {"name": "Josephine Baker of Paris", "email": email}
    workspace.ok("POST", "/api/customers", named | {"institutionId": workspace.institution})
    workspace.issue("Perpetual", licenseName="Hers", issuedTo=email)
    workspace.issue("Perpetual", licenseName="Nobody's")
    held: list[Route] = []
    page.route("**/api/licenses?*", lambda route: held.append(route))  # noqa: PLW0108
    go(page, listing(productId=workspace.product))
    expect(page.get_by_role("table", name="Licenses")).to_have_attribute("aria-busy", "true")
    before = edges(page)
    held[0].continue_()
    page.unroute("**/api/licenses?*")
    expect(row(page, "Hers")).to_contain_text(f"Josephine Baker of Paris{email}")
    assert edges(page) == before
    expect(row(page, "Nobody's")).not_to_contain_text("—")
    workspace.act(workspace.issue("Perpetual", licenseName="W" * 90), "suspend")
    page.reload()
    expect(rows(page)).to_have_count(3)
    assert edges(page) == before


def test_views_that_do_not_fit_stand_in_a_menu(
    new_page: NewPage, workspace: Workspace, owner_account: Person
) -> None:
    page = signed_in(new_page(PHONE), owner_account.email)
    go(page, listing(productId=workspace.product))
    more = page.get_by_role("button", name="More views")
    more.click()
    page.get_by_role("menuitem", name="Usage-Based").click()
    expect(page).to_have_url(re.compile("type=MeteredCount"))
    chosen = page.get_by_role("button", name="Usage-Based", exact=True)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(more).to_have_count(0)


@pytest.mark.parametrize("screen", [LIGHT, PHONE], ids=["table", "cards"])
def test_the_menu_of_a_license_in_the_list_extends_it(
    screen: Screen, new_page: NewPage, owner_account: Person, workspace: Workspace
) -> None:
    made = workspace.issue("Trial", licenseName=f"Soon over on {screen.name}")
    page = signed_in(new_page(screen), owner_account.email)
    go(page, f"/licenses?search={made['licenseName'].replace(' ', '+')}")
    page.get_by_role("link", name=made["licenseName"]).focus()
    page.keyboard.press(".")
    expect(page.get_by_role("menuitem", name="Extend")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Extend")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/licenses/{made['id']}[?]act=term$"))


def test_a_phone_shows_cards_and_the_filters_when_asked_for(
    new_page: NewPage, workspace: Workspace, owner_account: Person
) -> None:
    workspace.issue("Perpetual", licenseName="In a pocket")
    page = signed_in(new_page(PHONE), owner_account.email)
    go(page, listing(productId=workspace.product))
    cards = page.get_by_role("list", name="Licenses").get_by_role("listitem")
    expect(cards).to_have_count(1)
    page.get_by_role("button", name="Actions for the list").click()
    expect(page.get_by_role("menuitem")).to_have_text(["Export CSV", "Import"])
    menu, button = (
        found.bounding_box()
        for found in (
            page.get_by_role("menu"),
            page.locator("[aria-haspopup=menu][aria-expanded=true]"),
        )
    )
    assert menu
    assert button
    assert menu["x"] + menu["width"] <= button["x"] + button["width"] + 1, (
        "it ends where its button does"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add filter").click()
    examine(page, "licenses-phone-filters", (PHONE,))
    page.keyboard.press("Escape")
    choose(page, "Status", "Revoked")
    expect(page.get_by_text("No matching licenses")).to_be_visible()


def test_an_institution_without_licenses_is_told_what_comes_first(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    made = workspace.ok("POST", "/api/institutions", {"name": "Newcomer"})
    page.add_init_script(
        f"localStorage.setItem('licet.institution', JSON.stringify('{made['id']}'))"
    )
    go(page, "/licenses")
    expect(page.get_by_role("link", name="Create product")).to_be_visible()
    body = {"name": "Firstling", "initialVersion": "1.0", "institutionId": made["id"]}
    product = workspace.ok("POST", "/api/products", body)
    page.reload()
    expect(page.get_by_role("link", name="Generate RSA keys")).to_be_visible()
    workspace.ok("POST", f"/api/products/{product['id']}/keys/generate", {"keySize": 2048})
    page.reload()
    expect(page.get_by_role("link", name="Issue your first license")).to_be_visible()
    examine(page, "licenses-none", (LIGHT, PHONE))


ROOMY = Screen("roomy", 1920, 1080, "light")
CUT = """() => [...document.querySelectorAll("td *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .filter((one) => getComputedStyle(one).textOverflow === "ellipsis")
  .map((one) => one.textContent)"""


def test_names_and_addresses_are_whole_where_there_is_room(
    new_page: NewPage, owner_account: Person, workspace: Workspace
) -> None:
    name, email = (
        "Workstations of the retouching department",
        "licenses.office@granite-pictures.example",
    )
    workspace.issue("Perpetual", licenseName=name, issuedTo=email)
    page = signed_in(new_page(ROOMY), owner_account.email)
    go(page, listing(productId=workspace.product))
    expect(row(page, name)).to_contain_text(email)
    assert page.evaluate(CUT) == []


def test_views_leave_room_for_the_search_in_german(
    new_page: NewPage, owner_account: Person, workspace: Workspace
) -> None:
    page = signed_in(new_page(Screen("laptop", 1366, 768, "light")), owner_account.email)
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    workspace.issue("Perpetual")
    go(page, "/licenses")
    expect(page.get_by_role("button", name="Nutzungsbasiert")).to_be_visible()
    search = page.get_by_role("searchbox")
    # Views that do not fit scroll beside it.
    seen = """(one) => {
      const { x, y, height } = one.getBoundingClientRect();
      return one === document.elementFromPoint(x + 2, y + height / 2);
    }"""
    assert search.evaluate(seen)
    needs = """(one) => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(one).font;
      return pen.measureText(one.placeholder).width <= one.clientWidth;
    }"""
    assert search.evaluate(needs)
