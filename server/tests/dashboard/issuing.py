"""The page on which licenses are issued."""

import re

from dashboard.moving import go
from dashboard.vendor import Workspace
from playwright.sync_api import Locator, Page, expect

LABELS = {
    "NodeLocked": "Node-locked",
    "MeteredToken": "Credit-Based",
    "MeteredCount": "Usage-Based",
}


def begin(page: Page, workspace: Workspace, model: str) -> None:
    """Open the page with a product and a model chosen."""
    go(page, f"/licenses/new?productId={workspace.product}&type={model}")
    expect(page.get_by_role("combobox", name="Product")).to_have_value(workspace.name)
    expect(page.get_by_role("radio", name=LABELS.get(model, model), exact=True)).to_be_checked()


def show_more(page: Page) -> None:
    """Unfold what few licenses have."""
    page.locator("summary").filter(has_text="Issuer, number of licenses").click()


def summary(page: Page) -> Locator:
    """What is about to be issued, in words."""
    return page.get_by_role("region", name="Summary")


def issued_to(page: Page) -> Locator:
    """The field for the customer's address."""
    return page.get_by_role("combobox", name="Issued to")


def issue(page: Page) -> str:
    """Issue what the page says, and return the key."""
    page.get_by_role("button", name="Issue license").click()
    return key_of(page)


def key_of(page: Page) -> str:
    """The key of the license that was just issued."""
    expect(page.get_by_role("status").filter(has_text=" license of ")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?issued="))
    return str(page.get_by_role("region", name="License key").locator("code").inner_text())


def fill_customer(page: Page, name: str = "Zenith, order 1001") -> None:
    issued_to(page).fill("ada@zenith.example.com")
    page.get_by_label("License name").fill(name)
