"""A Chromium that follows orders, a JSON line each: open a page, call a function in it, close.

The response is a line with ``ok`` or, if the order failed, with ``error``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[3] / "server/tests/dashboard"))
from chromium import find_chromium  # type: ignore[import-not-found]

CALL = "async ([module, name, args]) => (await import(module))[name](...args)"
START_MS = 180_000
PATIENCE_MS = 60_000
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP plain.test 127.0.0.1",
)


def main() -> None:
    with sync_playwright() as playwright:
        chromium = find_chromium(playwright)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=START_MS)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        pages: dict[str, Page] = {}
        print("ready", flush=True)
        for line in sys.stdin:
            try:
                response = {"ok": follow(json.loads(line), context, pages)}
            except Error as error:
                response = {"error": str(error)}
            print(json.dumps(response), flush=True)
        browser.close()


def follow(order: dict[str, Any], context: BrowserContext, pages: dict[str, Page]) -> Any:
    name = order["page"]
    if order["do"] == "open":
        pages[name] = pages.get(name) or context.new_page()
        pages[name].goto(order["url"])
    elif order["do"] == "clear":
        origin = {"origin": pages[name].evaluate("origin"), "storageTypes": "all"}
        context.new_cdp_session(pages[name]).send("Storage.clearDataForOrigin", origin)
    elif order["do"] == "close":
        pages.pop(name).close(run_before_unload=True)
    else:
        return pages[name].evaluate(CALL, order["call"])
    return None


if __name__ == "__main__":
    main()
