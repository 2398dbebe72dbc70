"""The page of the sign-in, and where it leads."""

import re

from e2e.process import PASSWORD
from playwright.sync_api import Page, expect


def fill_sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_label("Email address").fill(email)
    page.get_by_label(re.compile("^Password")).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def heading(page: Page, name: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def is_home(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page).to_have_url(re.compile(r"^http://[^/]+/$"))
