"""What people do most: by keyboard alone on each screen, and by pointer in a few presses."""

import re

import pytest
from dashboard.checks import LIGHT, Screen, look
from dashboard.conftest import NewPage
from dashboard.entrance import heading
from dashboard.issuing import begin, issue, issued_to, key_of
from dashboard.license_page import button, tab
from dashboard.moving import go
from dashboard.pressing import (
    OTHER_SCREENS,
    PHONE,
    SCREENS,
    entered,
    keeps_focus,
    press,
    presses,
    reach,
    skip_to_content,
)
from dashboard.vendor import Json, Person, Workspace, in_days, open_workspace
from playwright.sync_api import Locator, Page, expect

on_each_screen = pytest.mark.parametrize(
    "screen",
    [*SCREENS, *(pytest.param(one, marks=pytest.mark.long) for one in OTHER_SCREENS)],
    ids=lambda one: one.name,
)


@pytest.fixture
def at(screen: Screen, new_page: NewPage, owner_account: Person) -> Page:
    """The Owner at home, on the screen of the test."""
    return entered(new_page(screen), owner_account)


def read(workspace: Workspace, license_: Json) -> Json:
    return dict(workspace.ok("GET", f"/api/licenses/{license_['id']}"))


# By keyboard alone


@on_each_screen
def test_a_license_is_issued_by_keyboard(at: Page, workspace: Workspace) -> None:
    page = at
    open_workspace(workspace.owner)  # The only product would be chosen already.
    press(page, "c")
    expect(page.get_by_role("combobox", name="Product")).to_be_focused()
    typed = "(%20|[+])".join(workspace.name.split())
    asked = re.compile(f"search={typed}(&|$)")
    with page.expect_response(asked):
        page.keyboard.type(workspace.name)
    expect(page.get_by_role("option").first).to_have_text(workspace.name)
    press(page, "Enter")
    reach(page, issued_to(page))
    page.keyboard.type("ada@example.com")
    reach(page, page.get_by_role("radio", name="Perpetual", exact=True))
    press(page, "Space")
    press(page, "Control+Enter")
    key = key_of(page)
    expect(page.get_by_role("status").filter(has_text=" license of ")).to_be_focused()
    press(page, "Tab")
    expect(button(page, "Copy license key")).to_be_focused()
    [made] = workspace.ok("GET", f"/api/licenses?productId={workspace.product}")["items"]
    assert (made["licenseKey"], made["issuedTo"]) == (key, "ada@example.com")
    reach(page, button(page, "Issue another"))
    press(page, "Enter")
    expect(issued_to(page)).to_be_focused()
    assert presses(page) == 0


def waiting_for(page: Page, act: str) -> Locator:
    """The button of what waits; its name ends with the customer's."""
    return page.get_by_role("button", name=act)


@on_each_screen
def test_what_waits_at_home_is_dealt_with_by_keyboard(
    at: Page, screen: Screen, workspace: Workspace
) -> None:
    page = at
    waiting = [
        workspace.issue("NodeLocked", licenseName=name, deviceBindingMode="OwnerApproval")
        for name in ("Studio", "Stage")
    ]
    for license_ in waiting:
        workspace.validate(license_, f"Laptop of {license_['licenseName']}")
    ending = workspace.issue("Trial", licenseName=f"Over {screen.name}", expirationDate=in_days(5))
    page.reload()
    heading(page, "Home")
    skip_to_content(page)
    reach(page, waiting_for(page, "Approve Laptop of Studio"))
    press(page, "Enter")
    expect(page.get_by_text("Laptop of Studio approved.")).to_be_visible()
    expect(waiting_for(page, "Approve Laptop of Stage")).to_be_focused()
    press(page, "z")
    expect(page.get_by_text("Laptop of Studio approved.")).to_have_count(0)
    [asking] = devices(workspace, waiting[0])
    assert asking["status"] == "Pending"
    press(page, "Enter")
    expect(page.get_by_text("Laptop of Stage approved.")).to_be_visible()
    keeps_focus(page)
    [device] = devices(workspace, waiting[1])
    assert device["status"] == "Active"

    extend = waiting_for(page, f"Extend {ending['licenseName']}")
    reach(page, extend, "Tab" if comes_before(page, extend) else "Shift+Tab")
    press(page, "Enter")
    reach(page, button(page.get_by_role("dialog"), "Extend license"))
    press(page, "Enter")
    expect(page.get_by_text(f"{ending['licenseName']} expires on")).to_be_visible()
    keeps_focus(page)
    assert read(workspace, ending)["expirationDate"] > in_days(30)
    press(page, "z")
    expect(page.get_by_text(f"{ending['licenseName']} expires on")).to_have_count(0)
    expect(extend).to_be_visible()
    assert read(workspace, ending)["expirationDate"] == ending["expirationDate"]
    keeps_focus(page)
    assert presses(page) == 0
    workspace.act(ending, "revoke")
    workspace.ok("POST", f"/api/activations/{asking['id']}/approve")


def devices(workspace: Workspace, license_: Json) -> list[Json]:
    return list(workspace.ok("GET", f"/api/licenses/{license_['id']}/activations")["items"])


def comes_before(page: Page, target: Locator) -> bool:
    """Whether the focus is before the target, in the order of the page."""
    following = "Node.DOCUMENT_POSITION_FOLLOWING"
    ask = f"(one) => (document.activeElement.compareDocumentPosition(one) & {following}) !== 0"
    return bool(target.evaluate(ask))


@on_each_screen
def test_a_license_is_found_and_explained_by_keyboard(
    at: Page, screen: Screen, workspace: Workspace
) -> None:
    page = at
    name = f"Zephyr {screen.name}"
    workspace.validate(workspace.issue("NodeLocked", licenseName=name), "workstation-7")
    press(page, "Control+k")
    page.keyboard.type(name)
    expect(page.get_by_role("option", name=name)).to_have_attribute("aria-selected", "true")
    press(page, "Enter")
    heading(page, name)
    expect(page.get_by_role("main")).to_be_focused()
    reach(page, tab(page, "Overview"))
    press(page, "ArrowRight")
    expect(tab(page, "Diagnose")).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_role("region", name="Result")).to_contain_text("The license is valid")
    expect(tab(page, "Diagnose")).to_be_focused()
    assert presses(page) == 0


@pytest.mark.parametrize("screen", SCREENS, ids=lambda one: one.name)
def test_a_license_is_extended_on_its_page_by_keyboard(
    at: Page, screen: Screen, workspace: Workspace
) -> None:
    page = at
    made = workspace.issue("Trial", licenseName="Runs out", expirationDate=in_days(60))
    go(page, f"/licenses/{made['id']}")
    opener = button(page, "Actions" if screen.width < 600 else "Extend")
    heading(page, "Runs out")
    skip_to_content(page)
    reach(page, opener)
    press(page, "Enter")
    if screen.width < 600:
        reach(page, page.get_by_role("menuitem", name="Extend"), "ArrowDown")
        press(page, "Enter")
    dialog = page.get_by_role("dialog")
    reach(page, button(dialog, "+2 years"))
    press(page, "Space")
    reach(page, button(dialog, "Extend license"))
    press(page, "Enter")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
    assert read(workspace, made)["expirationDate"] > in_days(600)
    assert presses(page) == 0


# Several at once


def open_list(page: Page, workspace: Workspace) -> None:
    """The licenses of the product; the focus comes to the first of them."""
    go(page, f"/licenses?productId={workspace.product}")
    expect(page.get_by_role("link", name="A", exact=True)).to_be_visible()
    press(page, "/")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    press(page, "ArrowDown")
    expect(page.get_by_role("link", name="A", exact=True)).to_be_focused()


def selected(page: Page) -> Locator:
    return page.get_by_role("region", name="Selection")


def choose(page: Page, action: str) -> Locator:
    """Go from the list to the actions, and take one; returns its dialog."""
    press(page, "b")
    expect(selected(page).locator(":focus")).to_have_count(1)
    reach(page, button(selected(page), action))
    press(page, "Enter")
    return page.get_by_role("dialog")


def finish(page: Page, sentence: str) -> None:
    """The result is a toast, and the focus is in the list again."""
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


@on_each_screen
def test_several_are_changed_by_keyboard(at: Page, screen: Screen, workspace: Workspace) -> None:
    page = at
    made = [
        workspace.issue("Trial", licenseName=name, expirationDate=in_days(90))
        for name in ("C", "B", "A")
    ]
    open_list(page, workspace)
    press(page, "Shift+ArrowDown", "ArrowDown", "x")
    expect(selected(page)).to_contain_text("3 selected")
    last = page.get_by_role("link", name="C", exact=True)
    expect(last).to_be_focused()

    dialog = choose(page, "Extend")
    look(page, f"keyboard-bulk-{screen.name}")
    reach(page, button(dialog, "Extend 3 licenses"))
    press(page, "Enter")
    finish(page, "3 licenses extended.")
    expect(last).to_be_focused()
    expect(selected(page)).to_have_count(0)

    press(page, "Control+a")
    expect(selected(page)).to_contain_text("3 selected")
    dialog = choose(page, "Suspend")
    reach(page, dialog.get_by_label("Reason"))
    page.keyboard.type("Unpaid")
    expect(button(dialog, "Suspend 3 licenses")).to_be_enabled()
    press(page, "Enter")
    finish(page, "3 licenses suspended.")
    expect(last).to_be_focused()
    press(page, "z")
    finish(page, "Undone: 3 licenses suspended.")
    expect(last).to_be_focused()

    press(page, "x", "ArrowUp", "x")
    expect(selected(page)).to_contain_text("2 selected")
    dialog = choose(page, "Revoke")
    reach(page, dialog.get_by_label("to confirm"))
    page.keyboard.type("revoke 2 licenses")
    press(page, "Enter")
    finish(page, "2 licenses revoked.")
    expect(page.get_by_role("link", name="B", exact=True)).to_be_focused()
    assert [read(workspace, one)["status"] for one in made] == ["Revoked", "Revoked", "Active"]
    assert presses(page) == 0


@pytest.mark.parametrize("screen", [PHONE, LIGHT], ids=lambda one: one.name)
def test_a_selection_is_left_without_losing_the_place(at: Page, workspace: Workspace) -> None:
    page = at
    other = workspace.issue("Perpetual", licenseName="B")
    workspace.issue("Perpetual", licenseName="A")
    open_list(page, workspace)
    # A checkbox takes no letters.
    reach(page, page.get_by_role("checkbox", name=re.compile("^Select A · ")), "Shift+Tab")
    press(page, "Space", "b")
    first = selected(page).get_by_role("button").first
    expect(first).to_be_focused()
    press(page, "Enter", "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(first).to_be_focused()
    press(page, "Escape")
    expect(selected(page)).to_have_count(0)
    expect(page.get_by_role("link", name="A", exact=True)).to_be_focused()
    press(page, "ArrowDown", "x", "b")
    reach(page, button(selected(page), "Clear selection"))
    press(page, "Enter")
    expect(page.get_by_role("link", name="B", exact=True)).to_be_focused()
    # Suspended, it is no longer among those that are shown.
    # By its key: a key may begin or end with the letter of the other one's name.
    asked = f"status=Active&search={other['licenseKey']}"
    go(page, f"/licenses?productId={workspace.product}&{asked}")
    expect(page.get_by_role("link", name="B", exact=True)).to_be_visible()
    press(page, "j", "x")
    reach(page, button(choose(page, "Suspend"), "Suspend 1 license"))
    press(page, "Enter")
    finish(page, "1 license suspended.")
    expect(page.get_by_text("No matching licenses")).to_be_visible()
    keeps_focus(page)


@pytest.mark.parametrize("screen", [LIGHT], ids=lambda one: one.name)
def test_a_list_is_within_reach_once_a_filter_is_set(at: Page, workspace: Workspace) -> None:
    page = at
    for name in ("B", "A"):
        workspace.issue("Perpetual", licenseName=name)
    go(page, "/licenses")
    add = button(page, "Add filter")
    add.focus()
    press(page, "Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    press(page, "p", "Enter")
    field = page.get_by_role("combobox", name="Product")
    expect(field).to_be_focused()
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.type(workspace.name)
    expect(page.get_by_role("option").first).to_have_text(workspace.name)
    press(page, "Enter")
    expect(page.locator("[data-row]")).to_have_count(2)
    expect(add).to_be_focused()
    press(page, "Control+a")
    expect(selected(page)).to_contain_text("2 selected")
    press(page, "j")
    expect(page.get_by_role("link", name="A", exact=True)).to_be_focused()
    press(page, "?")
    told = page.get_by_role("region", name="In lists")
    expect(told).to_contain_text("Suspend")
    expect(told).to_contain_text("Select the row")
    assert presses(page) == 0


def test_enter_after_a_choice_sends_the_form_and_does_not_ask_again(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    newer = workspace.release("1.5.0")
    made = workspace.issue("Perpetual", licenseName="Chosen by Enter")
    go(page, f"/licenses/{made['id']}?act=edit")
    dialog = page.get_by_role("dialog")
    choice = dialog.get_by_role("combobox", name="Release")
    choice.focus()
    page.keyboard.press("Enter")
    page.get_by_role("option", name="1.5.0").focus()
    page.keyboard.press("Enter")
    expect(choice).to_be_focused()
    expect(choice).to_have_text("1.5.0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(dialog).to_have_count(0)
    assert read(workspace, made)["softwareReleaseId"] == newer["id"]


# By pointer


GOALS = {"issue": 3, "approve": 1, "extend": 2, "find and explain": 2}


def test_what_is_done_most_takes_few_presses(
    page: Page, owner_account: Person, workspace: Workspace
) -> None:
    """Typing needs no pointer, nor does the Enter that ends it."""
    entered(page, owner_account)
    begin(page, workspace, "Perpetual")
    issued_to(page).fill("ada@example.com")
    issue(page)
    waiting = workspace.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    workspace.validate(waiting, "Laptop of Ada")
    workspace.issue("Trial", licenseName="Over soon", expirationDate=in_days(5))
    counted: dict[str, int] = {}

    def begins_at_home() -> None:
        page.goto("/")
        heading(page, "Home")

    begins_at_home()
    page.get_by_role("link", name="Issue license").click()
    expect(issued_to(page)).to_be_focused()
    page.keyboard.type("grace@example.com")
    button(page, "Issue license").click()
    key_of(page)
    counted["issue"] = presses(page)

    begins_at_home()
    waiting_for(page, "Approve Laptop of Ada").click()
    expect(page.get_by_text("Laptop of Ada approved.")).to_be_visible()
    counted["approve"] = presses(page)

    begins_at_home()
    waiting_for(page, "Extend Over soon").click()
    button(page, "Extend license").click()
    expect(page.get_by_text("Over soon expires on")).to_be_visible()
    counted["extend"] = presses(page)

    begins_at_home()
    button(page, "Search or jump to…").click()
    page.keyboard.type(waiting["licenseKey"])
    expect(page.get_by_role("option").first).to_contain_text(waiting["licenseName"])
    press(page, "Enter")
    tab(page, "Diagnose").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    counted["find and explain"] = presses(page)

    assert all(counted.values())
    assert {what: most for what, most in counted.items() if most > GOALS[what]} == {}
