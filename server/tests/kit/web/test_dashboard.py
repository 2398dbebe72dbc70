"""The dashboard's page and files, from a build that the test makes up."""

import gzip
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from testkit import FakeClock, client_of, running, settings_for

from licet_server.app import Application
from licet_server.kit.passwords import Passwords

SCRIPT = b"export const answer = 42;\n" * 40
ZIPPED = gzip.compress(SCRIPT)
PAGE = """<!doctype html><meta property="csp-nonce" nonce="{nonce}">
<script type="module" nonce="{nonce}" src="/assets/index-AbC123.js"></script>"""
PROBLEM = "application/problem+json"
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("around") / "build"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "index.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-AbC123.js").write_bytes(SCRIPT)
    (folder / "assets" / "index-AbC123.js.gz").write_bytes(ZIPPED)
    (folder / "assets" / "index-AbC123.js.br").write_bytes(b"brotli")
    (folder / "assets" / "logo-9.png").write_bytes(b"png")
    (folder / "assets" / "api-reference-XyZ789.js").write_bytes(SCRIPT)
    (folder.parent / "secret.txt").write_text("not for the world")
    return folder


@pytest.fixture(scope="module")
async def served(
    new_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    shared_clock: FakeClock,
    fast_passwords: Passwords,
    build: Path,
) -> AsyncIterator[Application]:
    settings = settings_for(new_database(), tmp_path_factory.mktemp("data"))
    async with running(settings, shared_clock, fast_passwords, build) as application:
        yield application


@pytest.fixture
async def browser(served: Application) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(served, "127.0.0.1") as client:
        yield client


async def test_each_page_has_a_nonce_of_its_own(browser: httpx.AsyncClient) -> None:
    nonces = set()
    for path in ("/", "/", "/licenses", "/licenses/create?step=2"):
        answer = await browser.get(path, headers=HTML)
        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        policy = answer.headers["content-security-policy"]
        in_policy = re.findall(r"'nonce-([\w-]{22})'", policy)
        in_page = re.findall(r'nonce="([^"]*)"', answer.text)
        assert len(in_policy) == 2
        assert len({*in_policy, *in_page}) == 1
        assert policy.startswith("default-src 'none';")
        assert "unsafe" not in policy
        nonces.add(in_policy[0])
    assert len(nonces) == 4


async def test_hashed_files_are_kept_for_ever(browser: httpx.AsyncClient) -> None:
    plain = await browser.get("/assets/index-AbC123.js", headers={"accept-encoding": "identity"})
    assert plain.content == SCRIPT
    assert plain.headers["content-type"].startswith("text/javascript")
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000, gzip;q=0", None),
        ("deflate", None),
        ("", None),
    ],
)
async def test_the_smallest_form_is_chosen_that_can_be_read(
    browser: httpx.AsyncClient, accepted: str, coding: str | None
) -> None:
    async with browser.stream(
        "GET", "/assets/index-AbC123.js", headers={"accept-encoding": accepted}
    ) as answer:
        assert answer.headers.get("content-encoding") == coding
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert raw == {"br": b"brotli", "gzip": ZIPPED}.get(coding or "", SCRIPT)
    alone = await browser.get("/assets/logo-9.png", headers={"accept-encoding": accepted})
    assert (alone.content, alone.headers["content-type"]) == (b"png", "image/png")
    assert "vary" not in alone.headers


async def test_files_of_the_root_are_kept_for_a_day(browser: httpx.AsyncClient) -> None:
    icon = await browser.get("/favicon.svg", headers={"accept": "image/svg+xml"})
    assert (icon.text, icon.headers["content-type"]) == ("<svg/>", "image/svg+xml")
    assert icon.headers["cache-control"] == "public, max-age=86400"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nothing.js",
        "/assets/index-abc123.js",
        "/assets/index.html",
        "/assets/index-AbC123.js.br",
        "/assets/",
        "/assets/..%2findex.html",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/assets/%00",
        "/assets//etc/passwd",
        "/api",
        "/api/nothing",
        "/API/Nothing/Here",
        "//api/nothing",
        "/%61PI/nothing/here",
        "/Health/nothing",
        "/health",
        "/Metrics/nothing",
    ],
)
async def test_what_programs_ask_for_is_never_the_page(
    browser: httpx.AsyncClient, path: str
) -> None:
    url = httpx.URL("http://licet.test").copy_with(raw_path=path.encode())
    answer = await browser.get(url, headers=HTML)
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)


async def test_views_are_for_those_who_take_html(browser: httpx.AsyncClient) -> None:
    for accept in ("application/json", "image/png", ""):
        answer = await browser.get("/licenses", headers={"accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        answer = await browser.request(method, "/licenses", headers=HTML)
        assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)


async def test_paths_out_of_the_build_are_views(browser: httpx.AsyncClient) -> None:
    """The build's folder is not looked into for them."""
    for path in ("/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2fetc/passwd"):
        url = httpx.URL("http://licet.test").copy_with(raw_path=path.encode())
        answer = await browser.get(url, headers=HTML)
        assert "csp-nonce" in answer.text, path
        assert "not for the world" not in answer.text


async def test_head_is_answered_like_get(browser: httpx.AsyncClient) -> None:
    for path, kind in (
        ("/", "text/html"),
        ("/Licenses/7", "text/html"),
        ("/favicon.svg", "image/svg+xml"),
        ("/assets/index-AbC123.js", "text/javascript"),
    ):
        answer = await browser.head(path, headers=HTML)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)


async def test_all_views_count_as_one_route(browser: httpx.AsyncClient) -> None:
    for path in ("/", "/secret-view", "/secret-view/2"):
        assert (await browser.get(path)).status_code == 200
    figures = (await browser.get("/metrics", headers={"host": "localhost"})).text
    assert 'route="dashboard"' in figures
    assert "secret-view" not in figures


async def test_the_api_reference_loads_its_script_from_the_build(
    browser: httpx.AsyncClient,
) -> None:
    answer = await browser.get("/api/docs", headers=HTML)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "connect-src 'self';" in policy
    assert re.findall(r'<script src="([^"]*)"', answer.text) == ["/assets/api-reference-XyZ789.js"]
    assert (await browser.get("/assets/api-reference-XyZ789.js")).content == SCRIPT


async def test_files_stay_of_one_build(browser: httpx.AsyncClient, build: Path) -> None:
    (build / "index.html").write_text("half wri")
    (build / "assets" / "index-AbC123.js").unlink()
    assert "csp-nonce" in (await browser.get("/")).text
    assert (await browser.get("/assets/index-AbC123.js")).status_code == 200


async def test_without_a_build_the_home_page_says_how_to_make_one(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock, fast_passwords: Passwords
) -> None:
    settings = settings_for(new_database(), tmp_path)
    async with (
        running(settings, clock, fast_passwords, tmp_path / "none") as application,
        client_of(application) as client,
    ):
        home = await client.get("/")
        assert "make dashboard" in home.text
        nonce = re.findall(r'nonce="([^"]*)"', home.text)[0]
        assert f"'nonce-{nonce}'" in home.headers["content-security-policy"]
        assert (await client.get("/licenses", headers=HTML)).status_code == 404
        assert (await client.get("/assets/index-AbC123.js")).status_code == 404
        assert "make dashboard" in (await client.get("/api/docs")).text
