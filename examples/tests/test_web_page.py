from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from dashboard.chromium import find_chromium
from playwright.sync_api import Browser, Page, expect, sync_playwright

from examples.tests.kit import REASONS, Copy
from examples.tests.node import require_build

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")
PATIENCE_MS = 120_000


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def palette(copy: Callable[..., Copy]) -> Copy:
    made = copy("web-page")
    (made.folder / "licet").symlink_to(require_build())
    return made


@pytest.fixture
def address(palette: Copy) -> Iterator[str]:
    handler = partial(Files, directory=str(palette.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=find_chromium(playwright), args=FLAGS, timeout=PATIENCE_MS
        )
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a browser context of its own."""
    shown = browser.new_page()
    shown.set_default_timeout(PATIENCE_MS)
    shown.goto(address)
    yield shown
    shown.close()


def enter(page: Page, key: str) -> None:
    page.get_by_placeholder("License key").fill(key)
    page.get_by_role("button", name="Use").click()


def test_a_key_is_needed_once_and_unlocks_more_shades(palette: Copy, page: Page) -> None:
    more = page.get_by_role("button", name="More shades")
    expect(page.locator("#message")).to_contain_text("enter a license key")
    expect(more).to_be_disabled()
    enter(page, palette.key)
    expect(page.locator("#message")).to_have_text("The license is valid.")
    more.click()
    assert len((page.locator("#shades").text_content() or "").splitlines()) == 10
    page.reload()
    expect(more).to_be_enabled()


def test_a_key_that_cannot_be_one_is_told(page: Page) -> None:
    enter(page, "x")
    expect(page.locator("#message")).to_contain_text("Check the key")


@pytest.mark.parametrize("reason", REASONS)
def test_nothing_is_unlocked_without_a_license(palette: Copy, page: Page, reason: str) -> None:
    told = palette.refuse(reason)
    expect(page.locator("#message")).to_contain_text("enter a license key")
    enter(page, palette.key)
    expect(page.locator("#message")).to_contain_text(told)
    expect(page.get_by_role("button", name="More shades")).to_be_disabled()
