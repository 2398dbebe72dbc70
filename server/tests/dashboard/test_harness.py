"""Each thing that fails a browser test does so, and what is well does not."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from dashboard import totals
from dashboard.browser import Chromium
from dashboard.checks import (
    DARK,
    LIGHT,
    PHONE,
    axe,
    examine,
    fits,
    look,
    on_each,
    rules_on,
    too_wide,
    violations,
)
from dashboard.conftest import NewPage
from dashboard.made_up_site import Site, serving
from dashboard.watching import NO_ANSWER, Fault, expecting, watch_of
from playwright.sync_api import Page, expect
from volumes import VARIABLE
from webhooks.receiver import Receiver


@pytest.fixture(scope="module")
def service() -> Iterator[Site]:
    """In the place of the service, so that no build is needed."""
    made = Site()
    with serving(made):
        yield made


@pytest.fixture
def site(service: Site) -> Site:
    service.answers = {"/favicon.ico": (204, "")}
    service.shows("<p>All is well.</p>")
    return service


def taken(page: Page) -> list[Fault]:
    """The faults that the watch would fail the test for; they are forgiven."""
    found = watch_of(page).faults()
    if found:
        with pytest.raises(pytest.fail.Exception) as failure:
            watch_of(page).check()
        assert all(fault.text in str(failure.value) for fault in found)
    return watch_of(page).take()


def kinds(page: Page) -> list[str]:
    return [fault.kind for fault in taken(page)]


# Watching


def test_an_inline_script_violates_the_policy(page: Page, site: Site) -> None:
    site.shows("<script>document.title = 'inline ran'</script>")
    page.goto("/")
    [fault] = taken(page)
    assert (fault.kind, page.title()) == ("csp", "Aurora")
    assert fault.text.startswith("script-src-elem forbids inline")


def test_an_error_in_the_console_fails(page: Page, site: Site) -> None:
    site.runs("console.error('a key is missing')")
    page.goto("/")
    [fault] = taken(page)
    assert fault.kind == "console"
    assert fault.text.startswith("a key is missing")


def test_an_uncaught_error_fails(page: Page, site: Site) -> None:
    site.runs("setTimeout(() => { throw new Error('out of order') })")
    page.goto("/")
    [fault] = taken(page)
    assert fault.kind == "error"
    assert "out of order" in fault.text


def test_a_refusal_that_was_not_announced_fails(page: Page, site: Site) -> None:
    site.answers["/api/things"] = (400, "{}")
    site.runs("fetch('/api/things').then(() => document.title = 'told')")
    page.goto("/")
    expect(page).to_have_title("told")
    assert taken(page) == [Fault("answer", f"GET {site.address}/api/things: 400")]


def test_an_announced_refusal_passes_and_another_does_not(page: Page, site: Site) -> None:
    for number in (1, 2):
        site.answers[f"/api/things/{number}"] = (409, "{}")
    site.runs("for (const n of [1, 2]) fetch(`/api/things/${n}`)")
    with expecting(page, 404, 409, path="/things/1") as told:
        page.goto("/")
    assert told.met == [f"{site.address}/api/things/1"]
    expect(page).to_have_title("Aurora")
    assert taken(page) == [Fault("answer", f"GET {site.address}/api/things/2: 409")]


def test_an_announced_refusal_that_does_not_come_fails(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.watching.PATIENCE_S", 0.1)
    with pytest.raises(AssertionError, match="no answer"), expecting(page, 404):
        page.goto("/")


def test_a_request_without_an_answer_fails_unless_announced(page: Page, site: Site) -> None:
    site.runs("fetch('/api/things').catch(() => document.title = 'offline')")
    page.route("**/api/things", lambda route: route.abort("connectionrefused"))
    with expecting(page, NO_ANSWER):
        page.goto("/")
    assert taken(page) == []
    page.goto("/")
    expect(page).to_have_title("offline")
    assert kinds(page) == ["answer"]


@pytest.mark.timeout(50)  # less than the patience of the watch
def test_the_end_of_an_answer_is_not_waited_for(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/api/things"
    site.answers[path] = (200, "{}")
    monkeypatch.setattr(site, "unended", path)
    site.runs(f"fetch('{path}').then(() => document.title = 'told')")
    page.goto("/")
    expect(page).to_have_title("told")
    assert taken(page) == []


def test_a_file_that_is_missing_fails(page: Page, site: Site) -> None:
    site.shows('<img alt="" src="/assets/logo.png">')
    page.goto("/")
    assert kinds(page) == ["answer"]


def test_a_visitor_may_ask_once_a_visit_whether_he_is_signed_in(page: Page, site: Site) -> None:
    ask = "fetch('/api/auth/refresh', {method: 'POST'})"
    site.answers["/api/auth/refresh"] = (401, "{}")
    site.runs(ask)
    for _ in range(2):
        page.goto("/")
        assert taken(page) == []
    site.runs(f"{ask}; {ask}")
    page.goto("/")
    assert kinds(page) == ["answer"]


def test_a_window_that_the_page_opens_is_watched_too(page: Page, site: Site) -> None:
    site.shows("<script nonce=abc>console.error('in the second')</script>", "/second")
    site.shows("<a href=/second target=_blank>Open</a>")
    page.goto("/")
    with page.context.expect_page() as opened:
        page.get_by_role("link").click()
    opened.value.wait_for_load_state()
    assert kinds(page) == ["console"]


# axe


def test_axe_names_an_unlabelled_field_and_what_to_do(page: Page, site: Site) -> None:
    site.shows("<input id=nameless>")
    page.goto("/")
    with pytest.raises(pytest.fail.Exception) as failure:
        axe(page)
    assert "label (critical)" in str(failure.value)
    assert '<input id="nameless">' in str(failure.value)
    assert "Fix any of the following" in str(failure.value)
    assert watch_of(page).totals() == {"judged": 1, "axe": 1}
    axe(page, exclude="#nameless")
    assert taken(page) == [], "axe came in past the policy without breaking it"


def test_axe_finds_poor_contrast_and_small_targets(page: Page, site: Site) -> None:
    site.shows(
        "<style nonce=abc>p { color: #999; background: #fff }"
        "button { width: 9px; height: 9px; padding: 0; border: 0 }</style><p>Pale</p>"
        "<button aria-label=One></button><button aria-label=Two></button>"
    )
    page.goto("/")
    assert {found["id"] for found in violations(page)} == {"color-contrast", "target-size"}
    for screen, broken in ((DARK, {"color-contrast"}), (PHONE, {"target-size"})):
        rules = rules_on(screen, LIGHT)
        assert {found["id"] for found in violations(page, rules=rules)} == broken


# Room and looks


def test_what_reaches_beyond_the_window_is_named(page: Page, site: Site) -> None:
    site.shows(
        "<style nonce=abc>#wide { width: 500px } #box { overflow-x: auto }"
        "#inside { width: 900px }</style>"
        "<div id=wide>Wide</div><div id=box tabindex=0><div id=inside>A table</div></div>"
    )
    page.goto("/")
    fits(page)
    for _ in on_each(page, (PHONE,)):
        first, *others = too_wide(page)
        assert 'id="wide"' in first
        assert not any("inside" in other for other in others)
        with pytest.raises(pytest.fail.Exception, match="sideways"):
            fits(page)


def test_screens_have_their_size_and_theme(new_page: NewPage, site: Site) -> None:
    page = new_page(PHONE)
    page.goto("/")

    def seen() -> list[object]:
        return list(
            page.evaluate(
                "() => [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches,"
                " matchMedia('(prefers-reduced-motion: reduce)').matches,"
                " navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]"
            )
        )

    assert seen() == [375, False, True, "en-US", "UTC"]
    for _ in on_each(page, (DARK,)):
        assert seen()[:2] == [1280, True]


def test_pictures_are_taken_when_a_folder_is_named(
    page: Page, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.goto("/")
    monkeypatch.delenv("SCREENSHOTS", raising=False)
    look(page, "nowhere")
    monkeypatch.setenv("SCREENSHOTS", str(tmp_path))
    examine(page, "well: all/of it")
    names = [path.name for path in tmp_path.iterdir()]
    assert "well-all-of-it-light.png" in names


def test_axe_judges_the_first_state_each_dialog_and_in_the_long_form_everything(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judgements() -> int:
        watch = watch_of(page)
        before = watch.judged
        examine(page, "state")
        return watch.judged - before

    site.shows("<dialog id=asked aria-label=Sure role=dialog>Sure?</dialog>")
    page.goto("/")
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [judgements(), judgements()] == [1, 0]
    page.evaluate("() => asked.show()")
    assert judgements() == 1
    monkeypatch.setenv(VARIABLE, "long")
    assert judgements() == 2


def test_a_narrow_screen_is_left_for_the_first_one_that_is_examined(
    new_page: NewPage, site: Site
) -> None:
    page = new_page(PHONE)
    page.goto("/")
    examine(page, "wide", (LIGHT,))
    assert page.evaluate("() => innerWidth") == LIGHT.width


# The browser


def test_other_loops_run_while_the_browser_is_not_lent(chromium: Chromium) -> None:
    async def told() -> str:
        await asyncio.sleep(0)
        return "ran"

    asyncio._set_running_loop(None)
    try:
        assert asyncio.run(told()) == "ran"
    finally:
        asyncio._set_running_loop(chromium._loop)
    context = chromium.context()
    context.new_page().set_content("<h1>Still here</h1>")
    context.close()


def test_webhooks_arrive_beside_the_browser(page: Page, site: Site, receiver: Receiver) -> None:
    page.goto("/")
    assert httpx.post(receiver.url, content=b"told", timeout=30, trust_env=False).is_success
    assert [request.body for request in receiver.received] == [b"told"]


def test_totals_are_summed_over_tests() -> None:
    one = SimpleNamespace(when="call", user_properties=[("browser", {"axe": 2, "judged": 3})])
    two = SimpleNamespace(when="call", user_properties=[("browser", {"csp": 1, "error": 4})])
    end = SimpleNamespace(when="teardown", user_properties=[("browser", {"csp": 9})])
    told = totals.describe(totals.add_up([one, two, end, "a warning"]))
    assert told == (
        "dashboard: 2 browser tests, axe looked 3 times; 2 axe violations, 1 CSP violations, "
        "4 console errors, 0 unannounced refusals"
    )
