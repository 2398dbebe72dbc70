"""The page of the sign-in, and where it leads."""

import re

from e2e.process import PASSWORD
from playwright.sync_api import Locator, Page, expect


def fill_sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_label("Email address").fill(email)
    page.get_by_label(re.compile("^Password")).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def heading(page: Page, name: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def entry(page: Page, name: str) -> Locator:
    """A link of the main navigation."""
    return page.get_by_role("navigation", name="Main").get_by_role("link", name=name, exact=True)


def choose(row: Locator, action: str) -> None:
    """Choose an action in the menu of a row."""
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    row.page.get_by_role("menuitem", name=action, exact=True).click()


def is_home(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page).to_have_url(re.compile(r"^http://[^/]+/$"))


def add_filter(page: Page, *names: str) -> None:
    """Choose from the menus of a list's filters: what to filter by, then its value."""
    page.get_by_role("button", name="Add filter", exact=True).click()
    for name in names:
        page.get_by_role("menuitem", name=name, exact=True).click()
