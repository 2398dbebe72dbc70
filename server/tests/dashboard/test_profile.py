"""Accounts, one's own and those of others: sessions, password, users, emails."""

import re

import httpx
import pyotp
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, fill_sign_in, heading
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from dashboard.watching import NO_ANSWER, expecting
from e2e.process import NO_TLS, PASSWORD
from playwright.sync_api import Page, Route, expect

NEW_PASSWORD = "another horse battery"


def look_again(page: Page) -> None:
    """Come back to the window, upon which a page asks for what may have changed."""
    page.evaluate("() => window.dispatchEvent(new Event('visibilitychange'))")


def test_signing_out_everywhere_ends_other_browsers(
    person: Person, page: Page, new_page: NewPage
) -> None:
    other = signed_in(new_page(), person.email)
    go(other, "/profile?from=here")
    heading(other, "Profile and security")
    signed_in(page, person.email).goto("/profile/sessions")
    expect(page.get_by_text("This session")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Actions for Chrome"))).to_have_count(1)
    examine(page, "sessions")
    page.get_by_role("button", name="Sign out everywhere").click()
    # The other browser learns of it with the next thing that it asks for, and comes back. That may
    # be the stream of notifications, which ends at once.
    with expecting(other, 401):
        page.get_by_role("dialog").get_by_role("button", name="Sign out everywhere").click()
        heading(page, "Sign in")
        look_again(other)
        expect(other.get_by_text("Your session has expired.")).to_be_visible()
    examine(other, "session-ended")
    fill_sign_in(other, person.email)
    heading(other, "Profile and security")
    expect(other).to_have_url(re.compile(r"/profile\?from=here$"))


def test_a_sign_out_is_one_for_all_tabs_and_a_lost_connection_is_none(
    person: Person, page: Page
) -> None:
    signed_in(page, person.email).goto("/profile")
    tab = page.context.new_page()
    go(tab, "/profile")
    for shown in (page, tab):
        heading(shown, "Profile and security")
    # Nothing arrives: nobody is signed out.
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    with expecting(page, NO_ANSWER):
        page.get_by_label("Full name").fill("Changed")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Could not reach the server.")).to_be_visible()
        page.get_by_role("button", name=re.compile("your account$")).click()
        page.get_by_role("menuitem", name="Sign out").click()
        expect(page.get_by_text("You are still signed in.")).to_be_visible()
        page.unroute("**/api/**")  # until here, notifications ask again now and then
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Name changed.")).to_be_visible()
    page.get_by_role("button", name=re.compile("your account$")).click()
    # The other tab asks as soon as it is told, or when somebody looks at it.
    with expecting(tab, 401):
        page.get_by_role("menuitem", name="Sign out").click()
        heading(page, "Sign in")
        look_again(tab)
        expect(tab.get_by_text("Your session has expired.")).to_be_visible()


def test_a_new_password_ends_other_sessions(person: Person, page: Page) -> None:
    signed_in(page, person.email).goto("/profile/password")
    heading(page, "Profile and security")
    examine(page, "password")
    page.get_by_label("Current password").fill("wrong")
    page.get_by_label("New password").fill(NEW_PASSWORD)
    with expecting(page, 401, path="/api/auth/password"):
        page.get_by_role("button", name="Change password").click()
        expect(page.get_by_role("alert")).to_contain_text("The password is wrong")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed")).to_be_visible()
    expect(page.get_by_label("Current password")).to_have_value("")
    page.reload()
    heading(page, "Profile and security")


# The service


def test_a_system_admin_helps_who_cannot_help_himself(
    workspace: Workspace, person: Person, owner_page: Page
) -> None:
    with httpx.Client(
        base_url=workspace.owner.base_url, timeout=30, trust_env=False, verify=NO_TLS
    ) as api:
        body = {"email": person.email, "password": PASSWORD}
        token = api.post("/api/auth/login", json=body).json()["accessToken"]
        api.headers["authorization"] = f"Bearer {token}"
        secret = api.post("/api/auth/totp").json()["secret"]
        code = {"otpCode": pyotp.TOTP(secret).now()}
        api.post("/api/auth/totp/confirm", json=code).raise_for_status()
    unverified = workspace.member("Viewer")
    page = owner_page
    go(page, "/users")
    heading(page, "Users")
    page.get_by_role("searchbox", name="Search").fill(unverified.email[:8])
    row = page.get_by_role("row").filter(has_text=unverified.email)
    expect(row).to_contain_text("Viewer")
    choose(row, "Mark as verified")
    page.get_by_role("dialog").get_by_role("button", name="Mark as verified").click()
    expect(row).to_contain_text("Verified")
    expect(row).not_to_contain_text("Not verified")
    page.get_by_role("searchbox", name="Search").fill("nobody at all")
    expect(page.get_by_text("No users found")).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill(person.email)
    row = page.get_by_role("row").filter(has_text=person.email)
    choose(row, "Remove second factor")
    examine(page, "take-off-factor")
    take = page.get_by_role("dialog").get_by_role("button", name="Remove second factor")
    expect(take).to_be_disabled()
    page.get_by_role("dialog").get_by_role("textbox").fill(person.email)
    take.click()
    expect(row).not_to_contain_text("On")
    page.get_by_role("searchbox", name="Search").fill("")
    expect(page.get_by_role("row").nth(2)).to_be_visible()
    examine(page, "users")

    go(page, "/mails")
    expect(
        page.get_by_text("Emails are not sent until a mail server is configured")
    ).to_be_visible()
    examine(page, "mails")
    page.get_by_role("button", name=re.compile("second factor.*turned off for you")).click()
    expect(page.get_by_role("dialog")).to_contain_text(person.email)
    expect(page.get_by_role("dialog").get_by_role("link")).to_have_count(0)
    examine(page, "letter")


def test_what_a_session_through_a_provider_cannot_change_is_said_first(
    person: Person, page: Page
) -> None:
    def through_a_provider(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "accountClosed": True})

    signed_in(page, person.email)
    page.route("**/api/auth/me", through_a_provider)
    sentence = page.get_by_text("To change your account, sign out and sign in with your password")
    page.goto("/profile/password")
    expect(sentence).to_be_visible()
    expect(page.get_by_role("button", name="Change password")).to_have_count(0)
    page.goto("/profile/second-factor")
    expect(sentence).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Turn on|Add passkey"))).to_have_count(0)
    page.goto("/notifications/preferences")
    expect(sentence).to_be_visible()
    switches = page.get_by_role("switch")
    expect(switches.first).to_be_disabled()
    expect(page.locator("input[role=switch]:enabled")).to_have_count(0)
