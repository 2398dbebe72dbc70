"""The dashboard in a real browser: the size of its entry, and how soon its pages are usable."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

import licet_server
from benchmarks.report import Report
from benchmarks.seed import copy_licenses
from benchmarks.server import (
    EMAIL,
    PASSWORD,
    SERVE,
    Server,
    durable_postgres,
    running,
    temporary_folder,
)
from benchmarks.size import FULL, Size
from benchmarks.vendor import create_vendor

sys.path.append(str(Path(__file__).parents[1] / "server/tests"))
from dashboard.chromium import find_chromium
from dashboard.entry_size import ENTRY_LIMIT, entry_bytes

TARGET_SECONDS, TARGET_NEXT_SECONDS, TARGET_SHIFT = 1.0, 0.3, 0.02
ROWS_SHOWN = 25
SOURCES = Path(__file__).parents[1] / "dashboard"
BUILT = Path(licet_server.__file__).parent / "_dashboard"
_ROWS_DRAWN = f"""() => new Promise((resolve) => {{
  const look = () => {{
    const rows = document.querySelectorAll("tbody input[type=checkbox]").length;
    if (rows < {ROWS_SHOWN}) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }};
  look();
}})"""
_LICENSE_DRAWN = """() => new Promise((resolve) => {
  const link = document.querySelector("tbody tr a");
  const name = link.innerText;
  const clicked = performance.now();
  const look = () => {
    const heading = document.querySelector("h1")?.innerText ?? "";
    if (!heading.includes(name)) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
  };
  link.click();
  look();
})"""
_SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value;
  });
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 500);
})"""


@dataclass(frozen=True, slots=True)
class Visit:
    """Seconds until pages were usable, and how far their content shifted (a share of the window).

    `following` is a license's page, opened from the list.
    """

    first: float
    again: float
    following: float
    shift: float


def run(report: Report, size: Size) -> None:
    """Print the entry's size and the time to a usable list; in full, also that of the build."""
    build = [["(build, with type check)", f"{_seconds_to_build():.1f}"]] if size is FULL else []
    visits = _visits(licenses=500, times=min(size.rounds, 5))
    first = median(visit.first for visit in visits)
    warm = median(visit.again for visit in visits)
    following = median(visit.following for visit in visits)
    shift = max(visit.shift for visit in visits)
    entry = sum(entry_bytes(BUILT).values()) / 1000
    report.title("The dashboard: `/licenses` of 500, until 25 rows are shown")
    report.table(
        ["visit", "seconds"],
        [
            ["first, empty browser cache", f"{first:.2f}"],
            ["again, scripts cached", f"{warm:.2f}"],
            ["from there to a license", f"{following:.2f}"],
            *build,
        ],
    )
    _figure(report, "entry, gzipped", f"{entry:.0f} kB", ENTRY_LIMIT / 1000, entry)
    _figure(report, "first visit", f"{first:.2f} s", TARGET_SECONDS, first)
    _figure(report, "second visit", f"{warm:.2f} s", TARGET_SECONDS, warm)
    _figure(
        report, "a license, from the list", f"{following:.2f} s", TARGET_NEXT_SECONDS, following
    )
    _figure(report, "shift of the content", f"{shift:.3f}", TARGET_SHIFT, shift)


def _figure(report: Report, name: str, value: str, target: float, measured: float) -> None:
    unit = value.partition(" ")[2]
    report.figure(name, value, f"under {target:g} {unit}".strip(), measured < target)


def _seconds_to_build() -> float:
    beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    started = perf_counter()
    subprocess.run(
        ["npm", "run", "--silent", "build", "--", "--logLevel", "warn"],
        cwd=SOURCES,
        env={**os.environ, "PATH": beside_python},
        check=True,
    )
    return perf_counter() - started


def _visits(licenses: int, times: int) -> list[Visit]:
    """Visit the list of so many licenses, each time with a new browser profile."""
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
    ):
        vendor = create_vendor(server)
        asyncio.run(copy_licenses(cluster.url, vendor.product, vendor.release_id, licenses))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(playwright), args=["--no-sandbox"]
            )
            visits = [_visit(browser, server) for _ in range(times)]
            browser.close()
    return visits


def _visit(browser: Browser, server: Server) -> Visit:
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1280, "height": 800}
    )
    body = {"email": EMAIL, "password": PASSWORD}
    if not (answer := context.request.post("/api/auth/login", data=body)).ok:
        raise RuntimeError(f"sign-in: {answer.status} {answer.text()}")
    page = context.new_page()
    first, shift = _usable_after(page), page.evaluate(_SHIFT)
    visit = Visit(first, _usable_after(page), _opened_after(page), shift)
    context.close()
    return visit


def _usable_after(page: Page) -> float:
    """Return the time from the start of the navigation until the last row is drawn.

    The page itself looks at each frame: an assertion of Playwright looks after 0.1, 0.35, 0.85 s.
    """
    page.goto("/licenses", wait_until="commit")
    milliseconds: float = page.evaluate(_ROWS_DRAWN)
    return milliseconds / 1000


def _opened_after(page: Page) -> float:
    """Return the seconds from the click on the first license to the heading of its page."""
    milliseconds: float = page.evaluate(_LICENSE_DRAWN)
    return milliseconds / 1000
