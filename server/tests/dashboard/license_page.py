"""The page of a license: its tabs, buttons and dialogs."""

import re

import httpx
from dashboard.moving import go
from dashboard.vendor import Json, Workspace
from e2e.process import NO_TLS
from playwright.sync_api import Locator, Page, expect


def opened(page: Page, license_: Json, tab: str = "") -> Page:
    go(page, f"/licenses/{license_['id']}{f'/{tab}' if tab else ''}")
    expect(page.get_by_role("heading", level=1)).to_have_text(license_["licenseName"])
    return page


def button(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def do(page: Page, action: str) -> Locator:
    """Open the dialog of an action, by its button or in the menu; returns the dialog."""
    shown = button(page, action)
    more = button(page.get_by_role("main"), "More")  # the navigation has one, too
    expect(shown.or_(more).first).to_be_visible()
    if not shown.is_visible():
        more.click()
        shown = page.get_by_role("menuitem", name=action, exact=True)
    shown.click()
    return page.get_by_role("dialog")


def confirm(dialog: Locator, name: str) -> None:
    button(dialog, name).click()
    expect(dialog).to_be_hidden()


def status(page: Page, word: str) -> None:
    heading = page.get_by_role("heading", level=1)
    expect(heading.locator("..")).to_contain_text(word)


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=re.compile(name))


def refusal(workspace: Workspace, path: str, body: Json) -> str:
    """The code with which an application's request is refused."""
    url = str(workspace.owner.base_url.join(path))
    key = {"x-api-key": workspace.api_key}
    answer = httpx.post(url, json=body, headers=key, trust_env=False, timeout=30, verify=NO_TLS)
    return str(answer.json()["errorCode"])
