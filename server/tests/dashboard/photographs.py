"""Photographs of pages, compared with those in the repository.

`make photographs` takes them anew: look at each that git shows as changed. What differs between two
runs of the same page, such as keys and times of day, is replaced by words of one kind before. Each
version of a browser may draw letters differently, so that only one of the same major version
is compared; the others warn.
"""

import os
import warnings
from io import BytesIO
from pathlib import Path

import pytest
from dashboard.checks import settle
from PIL import Image, ImageChops
from playwright.sync_api import Page

FOLDER = Path(__file__).parent / "photographs"
TAKE = "PHOTOGRAPHS"
"""With this variable, photographs are written and not compared."""
TOLERATED = 16
"""Pixels that may differ: less than a changed letter."""
_DARKER = 48
"""Of 255; differences of a pixel up to this are not seen."""

_BROWSER = FOLDER / "browser.txt"
_SETTLED = Path(__file__).with_name("settled_words.js")


def photograph(page: Page, name: str) -> None:
    """Compare the whole page with its photograph."""
    path = FOLDER / f"{name}.webp"
    if TAKE in os.environ:
        taken = _take(page)
        FOLDER.mkdir(exist_ok=True)
        _BROWSER.write_text(f"{_browser_of(page)}\n")
        if not path.is_file() or difference(_open(path.read_bytes()), taken) is not None:
            taken.save(path, lossless=True, method=6)
        return
    if not path.is_file():
        _refuse(_take(page), path, "is missing")
    # A picture that cannot be compared is not taken: that costs more than all else here.
    if (before := _BROWSER.read_text().strip()) != (now := _browser_of(page)):
        warnings.warn(f"{now} does not compare the photographs of {before}.", stacklevel=1)
        return
    taken = _take(page)
    if found := difference(_open(path.read_bytes()), taken):
        _refuse(taken, path, f"shows another page: {found}")


def _take(page: Page) -> Image.Image:
    settle(page)
    page.evaluate(_SETTLED.read_text())
    return _open(page.screenshot(full_page=True, animations="disabled"))


def difference(kept: Image.Image, taken: Image.Image) -> str | None:
    """Tell in words how two pictures differ; `None` if nobody sees it."""
    if kept.size != taken.size:
        was, now = (f"{width} x {height}" for width, height in (kept.size, taken.size))
        return f"{was} pixels became {now}"
    changed = ImageChops.difference(kept, taken).convert("L").point(lambda by: by > _DARKER and 255)
    seen = changed.histogram()[255]
    if seen <= TOLERATED:
        return None
    left, top, right, bottom = changed.getbbox() or (0, 0, 0, 0)
    return f"{seen:,} pixels between ({left}, {top}) and ({right}, {bottom})"


def _browser_of(page: Page) -> str:
    browser = page.context.browser
    return "Chromium" if browser is None else f"Chromium {browser.version.partition('.')[0]}"


def _open(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content)).convert("RGB")


def _refuse(taken: Image.Image, path: Path, reason: str) -> None:
    told = f"{path.relative_to(FOLDER.parents[3])} {reason}."
    if folder := os.environ.get("SCREENSHOTS"):
        kept = Path(folder) / f"photograph-{path.stem}.png"
        taken.save(kept)
        told += f" The page as it is: {kept}."
    else:
        told += " SCREENSHOTS=folder keeps the page as it is."
    pytest.fail(f"{told} If that is right: make photographs.", pytrace=False)
