"""A Chromium that follows orders, a JSON line each: open a page, call a function in it, close."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[3] / "server/tests/dashboard"))
from chromium import find_chromium  # type: ignore[import-not-found]

CALL = "async ([module, name, args]) => (await import(module))[name](...args)"
PATIENCE_MS = 180_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")


def main() -> None:
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=FLAGS, timeout=PATIENCE_MS
        )
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        pages: dict[str, Page] = {}
        print("ready", flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            name, result = order["page"], None
            if order["do"] == "open":
                pages[name] = pages.get(name) or context.new_page()
                pages[name].goto(order["url"])
            elif order["do"] == "close":
                pages.pop(name).close(run_before_unload=True)
            else:
                result = pages[name].evaluate(CALL, order["call"])
            print(json.dumps(result), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
