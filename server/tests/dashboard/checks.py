"""What every page of the dashboard has to stand, at every size and in both themes."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

import pytest
from dashboard.watching import watch_of
from playwright.sync_api import Page
from volumes import is_long

ROOT = Path(__file__).parents[3]
AXE = ROOT / "dashboard/node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OF_COLORS = ("color-contrast", "link-in-text-block")
"""Rules whose verdict another theme can change."""
OF_LAYOUT = (
    "target-size",
    "scrollable-region-focusable",
    "aria-command-name",
    "aria-input-field-name",
    "aria-toggle-field-name",
    "button-name",
    "label",
    "link-name",
    "nested-interactive",
    "select-name",
)
"""Rules whose verdict another width can change: some controls are on narrow screens only."""


@dataclass(frozen=True)
class Screen:
    """A window and the theme that its system asks for."""

    name: str
    width: int
    height: int
    theme: Literal["light", "dark"]

    @property
    def options(self) -> dict[str, Any]:
        """For a new visitor."""
        size = {"width": self.width, "height": self.height}
        return {"viewport": size, "color_scheme": self.theme}


LIGHT = Screen("light", 1280, 800, "light")
DARK = Screen("dark", 1280, 800, "dark")
PHONE = Screen("phone", 375, 812, "light")
PHONE_DARK = Screen("phone-dark", 375, 812, "dark")
ALL = (LIGHT, DARK, PHONE, PHONE_DARK)
BOTH = (LIGHT, PHONE_DARK)
"""Both themes, both widths."""

_shown_on: WeakKeyDictionary[Page, Screen] = WeakKeyDictionary()


def opened_on(screen: Screen, page: Page) -> Page:
    """Note the screen of a new page, and return the page."""
    _shown_on[page] = screen
    return page


def show_on(page: Page, screen: Screen) -> None:
    """Change the window and the system's theme under the open page."""
    if _shown_on.get(page) != screen:
        page.emulate_media(color_scheme=screen.theme)
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        _shown_on[page] = screen
    settle(page)


def examine(page: Page, name: str, screens: tuple[Screen, ...] = BOTH) -> None:
    """Look at what the page shows now: it fits, axe finds nothing, a screenshot.

    In the short form it looks on the first screen, and axe judges the first state of a test and
    each dialog: test_walk.py looks at every page on the others. In the long form it looks at each
    state on each screen, where axe checks those rules that can come out differently.
    """
    if not is_long():
        _examine_briefly(page, f"{name}-{screens[0].name}", screens[0])
        return
    for screen in screens:
        show_on(page, screen)
        look(page, f"{name}-{screen.name}")
        fits(page)
        axe(page, rules=rules_on(screen, screens[0]))
    show_on(page, screens[0])


def _examine_briefly(page: Page, name: str, screen: Screen) -> None:
    show_on(page, screen)
    look(page, name)
    fits(page)
    if watch_of(page).judged == 0 or page.locator("[role=dialog]:visible").count():
        axe(page)


def rules_on(screen: Screen, examined: Screen) -> tuple[str, ...]:
    """Return the rules to check on a screen when all were checked on `examined`; () means all."""
    colors = OF_COLORS if screen.theme != examined.theme else ()
    layout = OF_LAYOUT if screen.width != examined.width else ()
    return colors + layout


_SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  // What follows the position of a scroll bar moves only with it.
  const moves = (one) =>
    one.playState === "running" &&
    one.timeline instanceof DocumentTimeline &&
    one.effect?.getComputedTiming().endTime !== Infinity;
  const still = () => [
    document.fonts.status !== "loaded" && "letters are loaded",
    document.querySelector("[data-stale]") && "something is dimmed",
    ...document.getAnimations().filter(moves).map((one) => `moves: ${one.animationName ?? one.id}`),
  ].filter(Boolean);
  const end = performance.now() + 60_000;
  for (let open = still(); open.length > 0; open = still()) {
    if (performance.now() > end) throw new Error(`Not at rest after a minute: ${open}`);
    await frame();
  }
  await frame();
  await frame();
}"""


def settle(page: Page) -> None:
    """Wait until nothing moves that comes to an end, nothing is dimmed, letters have their shapes.

    What was shown before is dimmed until that which was asked for arrives.
    """
    page.evaluate(_SETTLED)


# Accessibility


@cache
def _axe_source() -> str:
    if not AXE.is_file():
        pytest.fail(f"{AXE.relative_to(ROOT)} is missing: run `make setup`.", pytrace=False)
    return AXE.read_text()


def violations(
    page: Page, exclude: str | None = None, rules: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """What axe finds against WCAG 2.2 AA, but for the elements of a CSS selector.

    `rules` names the only ones to check.
    """
    # What the bar half covers while the page is scrolled is not too small for it.
    page.evaluate("() => window.scrollTo(0, 0)")
    settle(page)
    if not page.evaluate("() => 'axe' in window"):
        # By the debugger's protocol, which no policy of the page forbids.
        page.evaluate(f"() => {{ {_axe_source()}\n }}")
    context = {"exclude": [exclude]} if exclude else {}
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    options = {
        "runOnly": only,
        "rules": {"target-size": {"enabled": True}},
        "resultTypes": ["violations"],
    }
    ask = "([context, options]) => axe.run(context, options).then((found) => found.violations)"
    if not exclude:
        ask = ask.replace("axe.run(context,", "axe.run(document,")
    return list(page.evaluate(ask, [context, options]))


def axe(page: Page, exclude: str | None = None, rules: tuple[str, ...] = ()) -> None:
    """Fail when the page breaks a rule of WCAG 2.2 A or AA that axe can judge."""
    found = violations(page, exclude, rules)
    watch = watch_of(page)
    watch.judged += 1
    watch.judgements += len(found)
    if found:
        told = "\n".join(_tell(violation) for violation in found)
        pytest.fail(f"axe at {page.url}:\n{told}", pytrace=False)


def _tell(violation: dict[str, Any]) -> str:
    lines = [f"  {violation['id']} ({violation['impact']}): {violation['help']}"]
    for node in violation["nodes"]:
        summary = re.sub(r"\s*\n\s*", " ", node["failureSummary"])
        lines += [f"    {node['html'][:300]}", f"      {summary}"]
    return "\n".join(lines)


# Room


_TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const clips = (one) => getComputedStyle(one).overflowX !== "visible";
  const isClipped = (one) => {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
      if (clips(up) && up.getBoundingClientRect().right <= room + 1) return true;
    return false;
  };
  return [...document.body.querySelectorAll("*")]
    .map((one) => [Math.round(one.getBoundingClientRect().right), one])
    .filter(([right, one]) => right > room && !isClipped(one))
    .sort(([one], [other]) => other - one)
    .slice(0, 5)
    .map(([right, one]) => `${right} of ${room} px: ${one.outerHTML.slice(0, 200)}`)
    .concat([`the page is ${document.documentElement.scrollWidth} of ${room} px wide`]);
}"""


def too_wide(page: Page) -> list[str]:
    """The elements that reach farthest beyond the window, when the page scrolls sideways."""
    return list(page.evaluate(_TOO_WIDE))


def fits(page: Page) -> None:
    """Fail when the page scrolls sideways."""
    if found := too_wide(page):
        pytest.fail(f"{page.url} scrolls sideways:\n  " + "\n  ".join(found), pytrace=False)


_CUT = """() => [...document.querySelectorAll("table")]
  .map((table) => [table.scrollWidth, table.parentElement.clientWidth])
  .filter(([width, room]) => width > room + 1)
  .map(([width, room]) => `a table of ${width} px in ${room} px`)"""


def tables_fit(page: Page) -> None:
    """Fail when a table has to be scrolled sideways, as on a phone it may."""
    if found := page.evaluate(_CUT):
        pytest.fail(f"{page.url}: {', '.join(found)}", pytrace=False)


# Looks


def look(page: Page, name: str) -> None:
    """A picture of the whole page in the folder that SCREENSHOTS names, if it does."""
    if folder := os.environ.get("SCREENSHOTS"):
        settle(page)
        path = Path(folder) / f"{re.sub(r'[^a-zA-Z0-9.-]+', '-', name)}.png"
        page.screenshot(path=path, full_page=True, animations="disabled")


def on_each(page: Page, screens: tuple[Screen, ...]) -> Iterator[Screen]:
    """Shows the open page on each screen in turn."""
    for screen in screens:
        show_on(page, screen)
        yield screen
