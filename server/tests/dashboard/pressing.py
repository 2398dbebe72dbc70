"""A keyboard without a pointer, and a pointer whose presses are counted."""

from dashboard.checks import Screen
from dashboard.conftest import signed_in
from dashboard.entrance import heading
from dashboard.vendor import Person
from playwright.sync_api import Locator, Page, expect

PHONE = Screen("390-dark", 390, 844, "dark")
LAPTOP = Screen("1366", 1366, 768, "light")
SCREENS = (PHONE, LAPTOP)
OTHER_SCREENS = (Screen("768", 768, 1024, "light"), Screen("1920-dark", 1920, 1080, "dark"))
FAR = 60
"""Nothing is farther away than so many presses of Tab."""

_COUNT = """
window.presses = 0;
window.addEventListener("pointerdown", () => { window.presses += 1; }, true);
"""


def entered(page: Page, person: Person) -> Page:
    """The home page of somebody; the presses of a pointer are counted from here on."""
    page.add_init_script(_COUNT)
    signed_in(page, person.email).goto("/")
    heading(page, "Home")
    return page


def presses(page: Page) -> int:
    """How often the pointer was pressed since the page was loaded."""
    return int(page.evaluate("() => window.presses"))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def skip_to_content(page: Page) -> None:
    """From a page that was just opened."""
    press(page, "Tab", "Enter")
    expect(page.get_by_role("main")).to_be_focused()


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press a key until the target has the focus, which never gets lost on the way."""
    expect(target).to_be_visible()
    for _ in range(FAR):
        if target.evaluate("(one) => one === document.activeElement"):
            return
        press(page, key)
    raise AssertionError(f"{FAR} times {key} do not lead to {target}, but to {focus_of(page)}")


def focus_of(page: Page) -> str:
    """What has the focus, for messages."""
    return str(page.evaluate("() => document.activeElement.outerHTML.slice(0, 200)"))


def keeps_focus(page: Page) -> None:
    """Fail when the focus is nowhere, and stays there."""
    expect(page.locator("main:focus, main :focus")).to_have_count(1)
