"""One Chromium for a test process, driven by Playwright's synchronous API."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

PATIENCE_MS = 30_000
DEBIANS = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)

expect.set_options(timeout=PATIENCE_MS)


def find_chromium(playwrights_own: str, named: str | None, debians: Path = DEBIANS) -> Path:
    """The one that is named, Debian's, or Playwright's own; a missing one fails the test."""
    if named:
        if not Path(named).is_file():
            pytest.fail(f"LICET_CHROMIUM names {named}, which is no file.", pytrace=False)
        return Path(named)
    for path in (debians, Path(playwrights_own)):
        if path.is_file():
            return path
    return pytest.fail(
        "There is no Chromium. Install Debian's (apt-get install chromium), let Playwright fetch "
        "its own (.venv/bin/playwright install chromium), or name one in LICET_CHROMIUM.",
        pytrace=False,
    )


class Chromium:
    """A running browser, for one module of tests after another.

    Playwright leaves its event loop marked as running between two calls, so that no other loop
    can run in the process. Outside `lent` the mark is taken away, for the tests of other folders.
    """

    def __init__(self, playwright: Playwright, browser: Browser) -> None:
        self._playwright = playwright
        self._browser = browser
        self._loop = asyncio.get_running_loop()

    @classmethod
    def start(cls) -> "Chromium":
        playwright = sync_playwright().start()
        try:
            named = os.environ.get("LICET_CHROMIUM")
            path = find_chromium(playwright.chromium.executable_path, named)
            browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            made = cls(playwright, browser)
        except BaseException:
            playwright.stop()
            raise
        made._return()
        return made

    @contextmanager
    def lent(self) -> Iterator["Chromium"]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self
        finally:
            self._return()

    def _return(self) -> None:
        asyncio._set_running_loop(None)

    def context(self, **options: Any) -> BrowserContext:
        """A visitor without cookies or storage, at a fixed place, who dislikes movement."""
        made = self._browser.new_context(
            locale="en-US", timezone_id="UTC", reduced_motion="reduce", **options
        )
        made.set_default_timeout(PATIENCE_MS)
        return made

    def stop(self) -> None:
        with self.lent():
            self._browser.close()
            self._playwright.stop()
