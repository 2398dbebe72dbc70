"""Going to an address stays in the open dashboard, and leaves the page before."""

from dashboard.entrance import heading
from dashboard.moving import go
from playwright.sync_api import Page


def test_going_loads_nothing_again_and_shows_nothing_of_the_page_before(owner_page: Page) -> None:
    page = owner_page
    go(page, "/products")
    heading(page, "Products")
    page.evaluate("() => { window.loaded = 'once'; }")
    before = page.locator("main h1").element_handle()
    go(page, "/licenses?status=Revoked")
    assert before.evaluate("(one) => !one.isConnected")
    heading(page, "Licenses")
    assert page.url.endswith("/licenses?status=Revoked")
    assert page.evaluate("() => window.loaded") == "once"
    page.go_back()
    heading(page, "Products")
