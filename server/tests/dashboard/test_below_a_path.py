"""A service below a path of its host: page, API and cookies, with a proxy that keeps the path."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from dashboard.conftest import NewPage
from e2e.forked import quick_command_line
from e2e.process import ADMIN, PASSWORD, Service
from playwright.sync_api import expect

BELOW = "/vendor/licet"


@pytest.fixture(scope="module")
def service(new_database: Callable[[], str]) -> Iterator[Service]:
    below = Service({**ADMIN, "DATABASE_URL": new_database()}, main=quick_command_line)
    below.variables["LICET_PUBLIC_URL"] = f"{below.address}{BELOW}"
    try:
        below.start()
        yield below
    finally:
        below.remove()


def test_the_dashboard_works_below_a_path(service: Service, new_page: NewPage) -> None:
    page = new_page()
    strays: list[str] = []
    page.on(
        "request",
        lambda sent: strays.append(sent.url) if not _is_below(service, sent.url) else None,
    )
    page.goto(f"{service.address}{BELOW}/licenses")
    page.get_by_label("Email").fill(ADMIN["LICET_ADMIN_EMAIL"])
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Licenses", level=1)).to_be_visible()
    page.get_by_role("link", name="Products").click()
    expect(page).to_have_url(f"{service.address}{BELOW}/products")
    page.reload()
    expect(page.get_by_role("heading", name="Products", level=1)).to_be_visible()
    page.goto(f"{service.address}{BELOW}/statistics")
    page.get_by_role("tab").nth(1).click()
    expect(page).to_have_url(re.compile(f"{BELOW}/statistics/"))
    page.get_by_role("button", name=re.compile("your account$")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.goto(f"{service.address}{BELOW}/o")
    page.get_by_role("button", name="Scan QR code").click()
    expect(page.get_by_role("button", name="Close camera")).to_be_visible()
    page.goto(f"{service.address}{BELOW}/api/docs")
    expect(page.get_by_text("Issue, distribute, validate").first).to_be_visible()
    assert strays == []


def _is_below(service: Service, url: str) -> bool:
    return not url.startswith(service.address) or url.startswith(f"{service.address}{BELOW}/")


def test_a_proxy_may_strip_the_path_or_keep_it(service: Service) -> None:
    body = {"email": ADMIN["LICET_ADMIN_EMAIL"], "password": PASSWORD}
    for prefix in ("", BELOW):
        with httpx.Client(base_url=f"{service.address}{prefix}") as proxy:
            page = proxy.get("/licenses", headers={"accept": "text/html"}).raise_for_status()
            assert f'src="{BELOW}/assets/' in page.text
            assert "./assets/" not in page.text
            signed_in = proxy.post("/api/auth/login", json=body).raise_for_status()
            assert f"Path={BELOW}/api/auth;" in signed_in.headers["set-cookie"]
            assert proxy.get("/api/nothing").status_code == 404
    with httpx.Client(base_url=service.address) as near:
        assert near.get(f"{BELOW}x/api/version").headers["content-type"].startswith("text/html")
        assert (
            near.get(f"{BELOW.upper()}/api/version").headers["content-type"].startswith("text/html")
        )
