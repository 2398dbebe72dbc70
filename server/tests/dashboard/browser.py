"""One Chromium for a test process, driven by Playwright's synchronous API."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dashboard.chromium import find_chromium
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

PATIENCE_MS = 30_000
OFF = (
    # A process that stands by for the next page, which most tests never open.
    "SpareRendererForSitePerProcess",
    # What Playwright turns off: Chromium takes the last list only.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # The one without windows does not ask the system for it, and photographs show each letter.
    "--font-render-hinting=slight",
    # No page of a test lives long enough to earn back what optimizing its code takes.
    "--js-flags=--no-maglev --no-turbofan",
    f"--disable-features={','.join(OFF)}",
)

expect.set_options(timeout=PATIENCE_MS)


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
            path = find_chromium(playwright)
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

    @contextmanager
    def filming(self, film: Path) -> Iterator["Chromium"]:
        """Another browser, which has a camera that sees a film (YUV4MPEG2) and may be used."""
        flags = (
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        )
        path = find_chromium(self._playwright)
        browser = self._playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        try:
            yield Chromium(self._playwright, browser)
        finally:
            browser.close()

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
