"""Finds the browser that tests drive; `make test` asks first for it."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

VARIABLE = "LICET_CHROMIUM"
INSTALLED = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without windows, which takes a tenth less work."""


class NoChromium(Exception):
    """There is no browser to test in; the message says what to install."""


def find_chromium(playwright: Playwright, environment: Mapping[str, str] = os.environ) -> str:
    """The browser that is named, else the system's, else Playwright's own.

    Raises:
        NoChromium: when there is none, also when another one than the named is there.
    """
    named = environment.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise NoChromium(f"{VARIABLE} names {named}, which is no program that can be run.")
        return found
    for name in INSTALLED:
        if (found := shutil.which(name, path=environment.get("PATH"))) is not None:
            return found
    own = playwright.chromium.executable_path
    if Path(own).is_file():
        return own
    raise NoChromium(
        "The dashboard is tested in a real Chromium, and there is none. Install it (Debian: "
        "apt-get install chromium-headless-shell; elsewhere: .venv/bin/playwright install "
        f"chromium) or name one with {VARIABLE}=/path/to/it."
    )


if __name__ == "__main__":
    try:
        with sync_playwright() as playwright:
            find_chromium(playwright)
    except NoChromium as missing:
        sys.exit(str(missing))
