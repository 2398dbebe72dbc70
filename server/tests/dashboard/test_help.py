"""The Help center: what is looked for is found, and every page can be read and left again."""

import re

import pytest
from dashboard.checks import PHONE, axe, examine, fits, look
from dashboard.conftest import NewPage, signed_in
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from playwright.sync_api import Locator, Page, expect


def field_of(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search the Help center")


def results_of(page: Page) -> Locator:
    return page.get_by_role("list", name="Search results").get_by_role("link")


def status_of(page: Page) -> Locator:
    """What is announced of the search; the bar announces other things."""
    return page.get_by_role("status").filter(has_text="result")


def open_help(page: Page, address: str = "/help") -> None:
    go(page, address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.specification("versions.help")
def test_a_word_is_found_marked_and_counted(owner_page: Page) -> None:
    open_help(owner_page)
    groups = owner_page.get_by_role("region", name="License models")
    expect(groups.get_by_role("link", name="Floating and Concurrent")).to_be_visible()
    field_of(owner_page).fill("seat")
    expect(status_of(owner_page)).to_contain_text("results for “seat”")
    first = results_of(owner_page).first
    expect(first).to_contain_text("Floating and Concurrent")
    expect(first.get_by_role("mark").first).to_have_text("seat")
    expect(groups).to_be_hidden()
    field_of(owner_page).fill("zzyzx")
    expect(status_of(owner_page)).to_contain_text("0 results")
    expect(owner_page.get_by_text("No results")).to_be_visible()
    field_of(owner_page).press("Escape")
    expect(field_of(owner_page)).to_have_value("")
    expect(groups).to_be_visible()


def test_a_word_with_a_typing_error_is_found(owner_page: Page) -> None:
    open_help(owner_page)
    field_of(owner_page).fill("entitelment")
    expect(results_of(owner_page).first).to_contain_text("Features and entitlement sets")


def test_a_code_is_opened_by_keyboard_and_the_way_back_leads_to_the_results(
    owner_page: Page,
) -> None:
    open_help(owner_page)
    field_of(owner_page).press_sequentially("MaxActivationsReached")
    expect(results_of(owner_page).first).to_contain_text("Error codes and statuses")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        owner_page.keyboard.press(key)
    expect(results_of(owner_page).first).to_be_focused()
    owner_page.keyboard.press("Enter")
    expect(owner_page).to_have_url(re.compile(r"/help/error-codes#MaxActivationsReached$"))
    heading = owner_page.get_by_role("heading", name="MaxActivationsReached", exact=True)
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    owner_page.go_back()
    expect(field_of(owner_page)).to_have_value("MaxActivationsReached")
    expect(results_of(owner_page).first).to_be_visible()
    field_of(owner_page).press("Enter")
    expect(heading).to_be_focused()


def test_an_address_with_an_anchor_shows_its_place_and_is_copied(
    new_page: NewPage, owner_account: Person
) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_help(signed_in(page, owner_account.email), "/help/error-codes#SessionNotFound")
    heading = page.get_by_role("heading", name="SessionNotFound", exact=True)
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    page.get_by_role("button", name="Copy link to “SessionNotFound”").click()
    expect(page.get_by_role("button", name="Copy link to “SessionNotFound”")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == page.url
    contents = page.get_by_role("navigation", name="On this page")
    contents.get_by_role("link", name="Metering", exact=True).click()
    expect(page.get_by_role("heading", name="Metering", exact=True)).to_be_in_viewport()
    expect(heading).not_to_be_in_viewport()
    open_help(page, "/help/statistics")
    page.get_by_role("link", name="Search help").click()
    expect(field_of(page)).to_be_focused()


def test_codes_are_listed_and_narrowed_by_what_is_typed(owner_page: Page) -> None:
    page = owner_page
    open_help(page, "/help/error-codes")
    codes = page.get_by_role("article").get_by_role("heading", level=3)
    contents = page.get_by_role("navigation", name="On this page")
    expect(contents.get_by_role("link", name="SessionNotFound", exact=True)).to_have_count(1)
    field = page.get_by_role("searchbox", name="Code, status or words")
    field.fill("sessionnot")
    expect(codes).to_have_text(["SessionNotFound"])
    field.fill("http 429")
    expect(codes.filter(has_text="RateLimited")).to_be_visible()
    expect(codes.filter(has_text="SessionNotFound")).to_have_count(0)
    field.fill("zzyzx")
    expect(page.get_by_text("No code matches.")).to_be_visible()
    go(page, "/help/error-codes#SessionNotFound")
    expect(codes.filter(has_text="SessionNotFound")).to_be_focused()


def test_help_opens_beside_the_page_which_stays_as_it_is(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    go(page, f"/licenses/new?productId={workspace.product}")
    trial = page.get_by_role("radio", name="Trial", exact=True)
    trial.check()
    page.get_by_role("main").get_by_role("link", name=re.compile("^Help: ")).first.click()
    help_ = page.get_by_role("dialog")
    title = help_.get_by_role("heading", level=2).first
    expect(title).to_be_visible()
    examine(page, "help-drawer")
    first = title.inner_text()
    help_.get_by_role("article").locator("a[href^='/help/']").first.click()
    expect(title).not_to_have_text(first)
    expect(page).to_have_url(re.compile("/licenses/new"))
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)
    expect(trial).to_be_checked()


def test_an_unknown_page_leads_to_the_search(owner_page: Page) -> None:
    open_help(owner_page, "/help/nothing")
    expect(owner_page.get_by_text("This page does not exist")).to_be_visible()
    owner_page.get_by_role("link", name="Search help").first.click()
    expect(field_of(owner_page)).to_be_focused()


@pytest.mark.long
def test_every_page_is_read_on_a_phone_and_none_of_its_links_is_dead(
    new_page: NewPage, owner_account: Person
) -> None:
    page = signed_in(new_page(PHONE), owner_account.email)
    open_help(page)
    shown = page.get_by_role("main").locator("a[href^='/help/']").evaluate_all(_HREFS)
    page.get_by_role("link", name="Your first license in ten minutes").click()
    places: set[str] = set()
    linked: set[str] = set(shown)
    onward = page.get_by_role("navigation", name="Previous and next page")
    while True:
        expect(page.get_by_role("heading", name="Related")).to_be_visible()
        address = re.sub(r"[?#].*", "", page.url).removeprefix(page.url.split("/help")[0])
        fits(page)
        axe(page)
        look(page, f"help-{address.rsplit('/', 1)[-1]}-phone")
        anchors = page.get_by_role("article").locator("[id]").evaluate_all(_IDS)
        places |= {address, *(f"{address}#{anchor}" for anchor in anchors)}
        linked |= set(page.get_by_role("main").locator("a[href^='/help/']").evaluate_all(_HREFS))
        forward = onward.get_by_role("link", name=re.compile("^Next"))
        if forward.count() == 0:
            break
        title = forward.inner_text().split("\n")[-1]
        forward.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        page.wait_for_function("() => scrollY === 0")
    assert {place for place in places if "#" not in place} == set(shown)
    assert linked - places == set()


_HREFS = "(links) => links.map((one) => one.getAttribute('href'))"
_IDS = "(all) => all.map((one) => one.id)"


@pytest.mark.long
def test_the_pages_are_well_on_every_screen(owner_page: Page) -> None:
    open_help(owner_page)
    examine(owner_page, "help")
    field_of(owner_page).fill("license revoked")
    expect(results_of(owner_page).first).to_be_visible()
    examine(owner_page, "help-search")
    for topic in ("models", "node-locked", "error-codes#LicenseExpired"):
        open_help(owner_page, f"/help/{topic}")
        expect(owner_page.get_by_role("heading", name="Related")).to_be_visible()
        examine(owner_page, f"help-{topic}")
