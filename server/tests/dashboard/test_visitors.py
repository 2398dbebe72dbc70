"""A browser context that was lent before is like a new one, and fetches no file again."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboard.checks import LIGHT, PHONE
from dashboard.made_up_site import Site, serving
from dashboard.visitors import Visitors
from playwright.sync_api import Error

LEAVE = """async () => {
  document.cookie = "left=1";
  localStorage.left = sessionStorage.left = "1";
  await caches.open("left");
  await new Promise((done) => { indexedDB.open("left").onsuccess = done; });
  console.error("left");
}"""
FIND = """async () => [
  document.cookie, localStorage.length, sessionStorage.length, history.length,
  (await caches.keys()).length, (await indexedDB.databases()).length,
  (await navigator.permissions.query({ name: "geolocation" })).state, navigator.onLine,
  innerWidth, matchMedia("(prefers-color-scheme: dark)").matches,
  await fetch("/api/ok").then((answer) => answer.status, () => "lost"),
]"""


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    with serving(made):
        made.answers["/favicon.ico"] = (204, "")
        yield made


def test_a_visitor_is_lent_again_and_knows_only_files(visitors: Visitors, site: Site) -> None:
    site.shows("<script nonce=abc src=/kept.js></script>")
    site.answers |= {"/kept.js": (200, ""), "/api/ok": (200, "{}")}
    visitor = visitors.lend(site.address, LIGHT)
    page = visitor.open_page()
    page.goto("/")
    page.goto("/?again")
    page.goto("/")
    page.evaluate(LEAVE)
    visitor.context.new_page().goto("/")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 400, "height": 400})
    visitor.context.grant_permissions(["geolocation"])
    visitor.context.route("**/api/ok", lambda route: route.abort())
    left = page.evaluate(FIND)
    visitor.context.set_offline(True)
    visitors.take_back(visitor)
    other = visitors.lend(site.address, PHONE)
    assert other is not visitor
    assert visitors.lend(site.address, LIGHT) is visitor
    assert visitor.context.pages == [visitor.window]
    page = visitor.open_page()
    page.goto("/")
    found = page.evaluate(FIND)
    assert found == ["", 0, 0, 2, 0, 0, "prompt", True, 1280, False, 200]
    is_online = True
    assert [one for one, other in zip(left, found, strict=True) if one == other] == [is_online]
    assert visitor.watch.faults() == []
    assert site.asked.count("/kept.js") == 1
    for each in (visitor, other):
        each.context.close()


def test_a_visitor_with_options_of_its_own_is_for_one_test(visitors: Visitors, site: Site) -> None:
    own = visitors.lend(site.address, LIGHT, permissions=["geolocation"])
    visitors.take_back(own)
    with pytest.raises(Error, match="closed"):
        own.context.new_page()


def test_no_test_asks_of_a_visitor_what_it_cannot_forget() -> None:
    lasting = re.compile(r"context\.(add_init_script|expose_\w+|clock|tracing)\b|page\.clock\b")
    files = set(Path(__file__).parent.glob("test_*.py"))
    assert [path.name for path in files if lasting.search(path.read_text())] == []
