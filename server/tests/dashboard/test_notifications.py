"""Notifications in the browser: they come live, are read, lead somewhere, and can be chosen."""

import re
from collections.abc import Callable

import httpx
import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.vendor import Workspace, open_workspace
from dashboard.watching import NO_ANSWER, expecting
from patience import eventually
from playwright.sync_api import Locator, Page, Request, Route, expect

STREAM = "**/api/notifications/stream"


def unread(workspace: Workspace) -> int:
    return int(workspace.ok("GET", "/api/notifications/unread-count")["unread"])


def of_unread(workspace: Workspace) -> str:
    return str(workspace.ok("GET", "/api/notifications?unread=true")["items"])


@pytest.fixture(scope="module", autouse=True)
def settled(owner: httpx.Client) -> None:
    """Nothing that happened before the tests is notified during them.

    The Owner's invitation reaches their list only where it is dispatched after they accepted it.
    An activation comes after it, and surely reaches them.
    """
    workspace = open_workspace(owner)
    workspace.activate(workspace.issue("Concurrent"), "Anna's laptop")
    eventually(lambda: unread(workspace) > 0, "the activation is in their list")
    workspace.ok("POST", "/api/notifications/read-all")


def bell(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Notifications"))


def follow(page: Page, address: str = "/help") -> None:
    """Open a page and wait until it listens."""
    with page.expect_response(STREAM):
        page.goto(address)


def shows(page: Page, workspace: Workspace) -> None:
    """Wait until the bell counts what is unread: events of earlier modules may still come in."""

    def agrees() -> bool:
        page.wait_for_timeout(20)
        count = unread(workspace)
        name = f"Notifications, {count} unread" if count else "Notifications"
        return page.get_by_role("button", name=name, exact=True).is_visible()

    eventually(agrees, "the bell counts what is unread")


def test_a_new_one_comes_into_the_open_page_and_leads_to_its_license(
    owner_page: Page, workspace: Workspace
) -> None:
    page = owner_page
    license_ = workspace.issue("Concurrent", licenseName="Design team")
    before = unread(workspace)
    follow(page)
    workspace.activate(license_, "Anna's laptop")
    eventually(lambda: unread(workspace) > before, "the activation is notified")
    shows(page, workspace)
    said = page.get_by_role("status").filter(has_text="New notification")
    expect(said).to_contain_text("activated under “Design team”")

    bell(page).click()
    latest = page.get_by_role("dialog", name="Latest notifications")
    news = latest.get_by_role("listitem").filter(has_text="Design team").first
    expect(news).to_contain_text("Anna's laptop")
    examine(page, "notifications-bell")
    news.get_by_role("link").click()
    expect(latest).to_be_hidden()
    expect(page).to_have_url(re.compile(f"/licenses/{license_['id']}/activations$"))
    eventually(lambda: "Design team" not in of_unread(workspace), "it is read")
    shows(page, workspace)


def test_they_are_read_one_by_one_and_all_at_once(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    license_ = workspace.issue("Concurrent", licenseName="A team")
    for machine in ("Anna's laptop", "Ben's desktop"):
        workspace.activate(license_, machine)
    eventually(lambda: unread(workspace) >= 2, "both are notified")
    with page.expect_response(STREAM):
        page.goto("/notifications")
    shows(page, workspace)
    items = page.get_by_role("main").get_by_role("listitem")
    expect(items.first).to_contain_text("Ben's desktop")
    examine(page, "notifications")

    page.get_by_role("button", name="Unread", exact=True).click()
    items.filter(has_text="Ben's desktop").get_by_role("button", name="Mark as read").click()
    expect(items.filter(has_text="Ben's desktop")).to_have_count(0)
    shows(page, workspace)
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("You're all caught up")).to_be_visible()
    shows(page, workspace)
    page.reload()
    expect(page.get_by_text("You're all caught up")).to_be_visible()
    examine(page, "notifications-all-read")
    page.get_by_role("link", name="Show all").click()
    expect(items.first).to_contain_text("Ben's desktop")
    assert unread(workspace) == 0


def test_they_are_told_in_the_language_and_the_times_of_the_reader(
    owner_page: Page, workspace: Workspace
) -> None:
    page, before = owner_page, unread(workspace)
    workspace.activate(workspace.issue("Concurrent"), "Anna's laptop")
    eventually(lambda: unread(workspace) > before, "they are notified")
    ending = {"license": "Northwind", "product": "Aurora", "expirationDate": "2026-12-07T09:30:00Z"}
    told = [
        {"event": "license.expiring", "daysLeft": 7, **ending},
        {"event": "activation.created"},
        {"event": "license.expiring"},
        None,
    ]

    def tell(route: Route) -> None:
        answer = route.fetch()
        listed = answer.json()
        [item, *_] = listed["items"]
        kept = {**item, "title": "Something ends", "body": "It ends."}
        listed["items"] = [
            {**kept, "id": f"{item['id'][:-1]}{place}", "facts": facts}
            for place, facts in enumerate(told)
        ]
        route.fulfill(response=answer, json=listed)

    page.route(re.compile(r"/api/notifications\?"), tell)
    page.goto("/notifications")
    items = page.get_by_role("main").get_by_role("listitem")
    expect(items.nth(0)).to_contain_text("“Northwind” expires in 7 days")
    ends = r"“Northwind” \(Aurora\) ends on Dec 7, 2026, 9:30\sAM\. Extend"
    expect(items.nth(0)).to_contain_text(re.compile(ends))
    expect(items.nth(1)).to_contain_text("A device now uses a deleted license.")

    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    page.reload()
    expect(items.nth(0)).to_contain_text("„Northwind“ läuft in 7 Tagen ab")
    expect(items.nth(0)).to_contain_text("„Northwind“ (Aurora) endet am 07.12.2026, 09:30. Verl")
    expect(items.nth(0).locator("[lang=en]")).to_have_count(0)
    for too_little in (2, 3):
        english = items.nth(too_little).locator("[lang=en]")
        expect(english).to_have_text(["Something ends", "It ends."])


def test_a_choice_is_kept_and_obeyed(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    page.goto("/notifications/preferences")
    here = page.get_by_role("switch", name="Device activated, in app")
    expect(here).to_be_checked()
    here.uncheck()
    expect(page.get_by_text("Saved. Device activated, in app: off.")).to_be_visible()
    page.reload()
    expect(here).not_to_be_checked()
    expect(page.get_by_role("switch", name="Device activated, email")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Low balance, email")).to_be_checked()
    examine(page, "notifications-preferences")
    here.check()
    expect(page.get_by_text("Saved. Device activated, in app: on.")).to_be_visible()
    chosen = workspace.ok("GET", "/api/notifications/preferences")["DeviceActivated"]
    assert chosen == {"inApp": True, "email": False}


def test_a_switch_shows_the_choice_before_it_is_saved(
    new_page: NewPage, workspace: Workspace
) -> None:
    page = signed_in(new_page(), workspace.member("Viewer").email)
    page.goto("/notifications/preferences")
    in_app = page.get_by_role("switch", name="Device activated, in app")
    expect(in_app).to_be_checked()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/notifications/preferences", hold)
    assert in_app.evaluate("input => { input.click(); return input.checked; }") is False
    expect(in_app).not_to_be_checked()

    def is_sent() -> bool:
        page.wait_for_timeout(20)
        return bool(held)

    eventually(is_sent, "the choice is sent")
    held.pop().continue_()
    expect(page.get_by_text("Saved. Device activated, in app: off.")).to_be_visible()
    expect(in_app).not_to_be_checked()


def test_a_choice_that_is_refused_is_taken_back(new_page: NewPage, workspace: Workspace) -> None:
    page = signed_in(new_page(), workspace.member("Viewer").email)
    page.goto("/notifications/preferences")
    in_app = page.get_by_role("switch", name="Device activated, in app")
    expect(in_app).to_be_checked()
    page.route("**/api/notifications/preferences", lambda route: route.abort())
    with expecting(page, NO_ANSWER):
        in_app.click()
        expect(page.get_by_text("Could not reach the server.")).to_be_visible()
        expect(in_app).to_be_checked()


def test_who_is_told_of_nothing_reads_why(new_page: NewPage, workspace: Workspace) -> None:
    page = signed_in(new_page(), workspace.member("Viewer").email)
    page.goto("/notifications")
    expect(page.get_by_text("Owners and Admins are notified")).to_be_visible()
    bell(page).click()
    expect(page.get_by_role("dialog").get_by_text("No notifications")).to_be_visible()
    page.get_by_role("dialog").get_by_role("link", name="Preferences").click()
    expect(page.get_by_role("alert").filter(has_text="notified about invitations")).to_be_visible()


def test_who_signs_out_listens_no_longer(owner_page: Page) -> None:
    page = owner_page
    begun: list[str] = []
    ended: list[str] = []

    def note(into: list[str]) -> Callable[[Request], None]:
        return lambda one: into.append(one.url) if one.url.endswith("/stream") else None

    page.on("request", note(begun))
    page.on("requestfinished", note(ended))
    page.on("requestfailed", note(ended))
    follow(page)
    page.get_by_role("button", name=re.compile("your account$")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()

    def has_ended() -> bool:
        page.wait_for_timeout(20)
        return bool(ended)

    eventually(has_ended, "the connection ends")
    assert len(begun) == len(ended) == 1
