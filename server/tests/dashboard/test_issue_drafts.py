"""The draft of a license: it outlives the page, and is discarded with a way back."""

import re

from dashboard.checks import examine
from dashboard.entrance import entry
from dashboard.issuing import fill_customer, issued_to
from dashboard.moving import go
from dashboard.vendor import Workspace
from dashboard.watching import expecting
from playwright.sync_api import Page, expect


def test_a_draft_survives_leaving_and_a_reload_until_it_is_discarded(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    go(page, "/licenses")
    page.get_by_role("link", name="Issue license").click()
    page.get_by_role("radio", name="Perpetual", exact=True).check()
    # The only product there is.
    expect(page.get_by_role("combobox", name="Product")).to_have_value(workspace.name)
    fill_customer(page)
    page.get_by_label("Password").fill("correct horse battery")
    expect(page.get_by_text("The draft is kept on this device.")).to_be_visible()
    entry(page, "Products").click()
    expect(page).to_have_url(re.compile("/products$"))
    page.go_back()
    expect(page.get_by_label("License name")).to_have_value("Zenith, order 1001")
    page.reload()
    expect(page.get_by_text("This is your draft of")).to_be_visible()
    expect(page.get_by_role("combobox", name="Product")).to_have_value(workspace.name)
    expect(page.get_by_role("radio", name="Perpetual", exact=True)).to_be_checked()
    expect(issued_to(page)).to_have_value("ada@zenith.example.com")
    # No password is kept in the browser.
    expect(page.get_by_label("Password")).to_have_value("")
    assert "correct horse" not in page.evaluate("() => JSON.stringify(localStorage)")
    examine(page, "issue-draft")
    page.get_by_role("button", name="Discard draft").click()
    expect(issued_to(page)).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(issued_to(page)).to_have_value("ada@zenith.example.com")
    page.get_by_role("button", name="Discard draft").click()
    page.reload()
    expect(issued_to(page)).to_have_value("")
    expect(page.get_by_text("This is your draft of")).to_have_count(0)


def test_a_discarded_draft_comes_back_from_another_page(owner_page: Page) -> None:
    page = owner_page
    go(page, "/licenses")
    page.get_by_role("link", name="Issue license").click()
    issued_to(page).fill("ada@zenith.example.com")
    page.get_by_label("License name").fill("Kept")
    page.get_by_role("button", name="Discard draft").click()
    expect(issued_to(page)).to_have_value("")
    expect(page.get_by_text("The draft is kept on this device.")).to_have_count(0)
    assert "zenith" not in page.evaluate("() => JSON.stringify(localStorage)")
    entry(page, "Products").click()
    expect(page).to_have_url(re.compile("/products$"))
    page.get_by_role("button", name="Undo").click()
    page.go_back()
    expect(page.get_by_label("License name")).to_have_value("Kept")
    page.get_by_label("License name").fill("Kept on")
    page.reload()
    expect(page.get_by_label("License name")).to_have_value("Kept on")


def test_a_product_that_is_gone_is_asked_for_a_few_times_and_said(owner_page: Page) -> None:
    page = owner_page
    gone = "019389ed-a58f-7541-9643-3fc690aebdd8"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with expecting(page, 404, path=f"/api/products/{gone}"):
        go(page, f"/licenses/new?productId={gone}")
        expect(page.get_by_role("combobox", name="Product")).to_have_value("Deleted product")
        page.wait_for_load_state("networkidle")
    assert len([url for url in asked if url.endswith(gone)]) < 5
