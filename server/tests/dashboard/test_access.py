"""How people come in: setup, sign-in, emails, invitations."""

import re
from collections.abc import Callable, Iterator
from itertools import count

import httpx
import pyotp
import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, fill_sign_in, heading, is_home
from dashboard.vendor import Person, Workspace
from dashboard.watching import expecting
from e2e.forked import quick_command_line
from e2e.process import ADMIN, NO_TLS, PASSWORD, Service
from patience import eventually
from playwright.sync_api import Page, expect

NEW_PASSWORD = "another horse battery"
_numbers = count(1)


@pytest.fixture(scope="module")
def service(new_database: Callable[[], str]) -> Iterator[Service]:
    """A service with an Owner that takes new accounts."""
    shared = Service(
        {
            **ADMIN,
            "DATABASE_URL": new_database(),
            "LICET_SIGNUP": "open",
            "LICET_TRUSTED_PROXIES": "127.0.0.1",
        },
        main=quick_command_line,
    )
    try:
        shared.start()
        yield shared
    finally:
        shared.remove()


@pytest.fixture
def fresh(new_database: Callable[[], str]) -> Iterator[Service]:
    """A service that nobody has set up."""
    made = Service({"DATABASE_URL": new_database()}, main=quick_command_line)
    try:
        made.start()
        yield made
    finally:
        made.remove()


def fresh_address() -> str:
    return f"somebody{next(_numbers)}@example.com"


def has_no_token(page: Page) -> None:
    expect(page).to_have_url(re.compile(r"^[^?]+$"))


def api_for(page: Page, headers: dict[str, str]) -> httpx.Client:
    """A client for what the page's visitor would do elsewhere."""
    address = re.findall(r"^http://[^/]+", page.url)[0]
    return httpx.Client(
        base_url=address, headers=headers, timeout=30, trust_env=False, verify=NO_TLS
    )


# Setup


def test_the_first_run_is_set_up_with_the_token_of_the_console(
    fresh: Service, new_page: NewPage
) -> None:
    said = re.search(r"^  ([\w-]{20,})$", fresh.output(), re.MULTILINE)
    assert said, fresh.output()
    assert f"{fresh.address}/setup" in fresh.output()
    page = new_page()
    page.goto(f"{fresh.address}/licenses?page=2")
    heading(page, "Set up Licet")
    examine(page, "setup")
    page.get_by_label("Setup token").fill("not the token of the console")
    page.get_by_label("Email address").fill("ada@example.com")
    page.get_by_label("Full name").fill("Ada Lovelace")
    page.get_by_label(re.compile("^Password")).fill("shorter-ish")
    expect(page.get_by_text("Fair. Longer is better.")).to_be_visible()
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    expect(page.get_by_text("Strong.")).to_be_visible()
    page.get_by_role("button", name="Show password").click()
    expect(page.get_by_label(re.compile("^Password"))).to_have_attribute("type", "text")
    page.get_by_label("Institution").fill("Aurora Software")
    with expecting(page, 401, path="/api/auth/setup"):
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_role("alert")).to_contain_text("The setup token is not valid")
    page.get_by_label("Setup token").fill(f" {said[1]} ")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Set up").click()
    is_home(page)
    page.goto(f"{fresh.address}/setup")
    heading(page, "Licet is already set up")
    other = new_page()
    other.goto(f"{fresh.address}/setup")
    other.get_by_role("link", name="Sign in").click()
    fill_sign_in(other, "ada@example.com")
    is_home(other)
    other.goto(f"{fresh.address}/register")
    heading(other, "Sign-up is closed")
    examine(other, "register-closed")


# Sign-in


def test_a_second_factor_is_set_up_and_asked_for(
    person: Person, page: Page, new_page: NewPage
) -> None:
    signed_in(page, person.email).goto("/profile/second-factor")
    page.get_by_role("button", name="Turn on").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="QR code with the secret")).to_be_visible()
    examine(page, "second-factor-dialog")
    secret = re.sub(r"\s", "", dialog.locator("code").inner_text())
    dialog.get_by_label("Authentication code").fill("000000")
    with expecting(page, 401, path="/api/auth/totp/confirm"):
        dialog.get_by_role("button", name="Turn on").click()
        expect(dialog.get_by_role("alert")).to_contain_text("The code is wrong")
    dialog.get_by_label("Authentication code").fill(pyotp.TOTP(secret).now())
    dialog.get_by_role("button", name="Turn on").click()
    kept = page.get_by_role("region", name="Recovery codes")
    expect(kept).to_be_visible()
    codes = kept.inner_text().split()
    assert len(codes) == 10
    examine(page, "recovery-codes")
    page.get_by_role("button", name="I've saved it").click()
    expect(page.get_by_text("Recovery codes left")).to_be_visible()
    expect(page.get_by_text("10", exact=True)).to_be_visible()
    examine(page, "second-factor-on")

    other = new_page()
    other.goto("/profile")
    heading(other, "Sign in")
    examine(other, "sign-in")
    with expecting(other, 401, path="/api/auth/login"):
        fill_sign_in(other, person.email, "a wrong password")
        expect(other.get_by_role("alert")).to_contain_text("is wrong")
    with expecting(other, 401, path="/api/auth/login"):
        fill_sign_in(other, person.email)
        expect(other.get_by_label("Authentication code")).to_be_focused()
    examine(other, "sign-in-code")
    other.get_by_label("Authentication code").fill("000000")
    with expecting(other, 401, path="/api/auth/login"):
        other.get_by_role("button", name="Sign in", exact=True).click()
        expect(other.get_by_role("alert")).to_contain_text("is wrong")
    other.get_by_role("button", name="Use a recovery code").click()
    other.get_by_label("Recovery code").fill(codes[0].lower())
    other.get_by_role("button", name="Sign in", exact=True).click()
    heading(other, "Profile and security")

    page.get_by_role("button", name="Turn off").click()
    # The session has seen the password only, and the second factor takes a code.
    with expecting(page, 403, path="/api/auth/totp"):
        page.get_by_role("dialog").get_by_role("button", name="Turn off").click()
        confirm = page.get_by_role("dialog", name="Confirm it is you")
        expect(confirm.get_by_label("Your password")).to_have_count(0)
    confirm.get_by_label("Authentication or recovery code").fill("000000")
    with expecting(page, 401, path="/api/auth/step-up"):
        confirm.get_by_role("button", name="Confirm").click()
        expect(confirm.get_by_role("alert")).to_contain_text("The code is wrong")
    confirm.get_by_label("Authentication or recovery code").fill(codes[1])
    confirm.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()


def test_too_many_tries_are_told_when_to_come_back(person: Person, new_page: NewPage) -> None:
    # From elsewhere, so that the other tests may go on signing in.
    elsewhere = {"X-Forwarded-For": "203.0.113.80"}
    page = new_page(extra_http_headers=elsewhere)
    page.goto("/login")
    with api_for(page, elsewhere) as api:
        body = {"email": person.email, "password": "wrong"}
        eventually(lambda: api.post("/api/auth/login", json=body).status_code == 429, "enough")
    with expecting(page, 429, path="/api/auth/login"):
        fill_sign_in(page, person.email)
        expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Try again in \d+ seconds"))


# Sign-up and emails


def test_an_account_is_made_and_its_address_verified(workspace: Workspace, page: Page) -> None:
    email = fresh_address()
    page.goto("/login")
    page.get_by_role("link", name="Create an account").click()
    heading(page, "Create an account")
    examine(page, "register")
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Full name").fill("<script>alert(1)</script>")
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_label("Institution").fill("N" * 200)
    page.get_by_role("button", name="Create account").click()
    heading(page, "Verify your email address")
    examine(page, "registered")
    page.get_by_role("button", name="Go to the dashboard").click()
    banner = page.get_by_role("region", name="Email address")
    expect(banner).to_contain_text(email)
    banner.get_by_role("button", name="Resend email").click()
    expect(page.get_by_text("Verification email sent.")).to_be_visible()
    page.goto("/profile")
    expect(page.get_by_text("Not verified")).to_be_visible()
    examine(page, "profile")
    page.goto(f"/verify-email?token={workspace.mailed_token(email)}")
    heading(page, "Verify your email address")
    has_no_token(page)
    examine(page, "verify-email")
    page.get_by_role("button", name="Verify email address").click()
    heading(page, "Your email address is verified")
    page.get_by_role("link", name="Go to the dashboard").click()
    is_home(page)
    expect(banner).to_have_count(0)
    page.goto("/verify-email?token=used")
    with expecting(page, 401, path="/api/auth/verify-email"):
        page.get_by_role("button", name="Verify email address").click()
        expect(page.get_by_role("alert")).to_contain_text("This link is no longer valid")


def test_a_forgotten_password_is_replaced_once(
    workspace: Workspace, person: Person, page: Page
) -> None:
    page.goto("/login")
    page.get_by_label("Email address").fill(person.email)
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.get_by_label("Email address")).to_have_value(person.email)
    examine(page, "forgot-password")
    page.get_by_role("button", name="Send link").click()
    heading(page, "Check your email")
    examine(page, "forgot-password-asked")
    # The email is read in the outbox, where no mail server is set up.
    written = lambda: "reset-password" in _emails(workspace.owner, person.email)  # noqa: E731
    eventually(written, "the email is written")
    token = workspace.mailed_token(person.email)
    page.goto(f"/reset-password?token={token}")
    has_no_token(page)
    page.get_by_label("New password").fill(NEW_PASSWORD)
    examine(page, "reset-password")
    page.get_by_role("button", name="Set password").click()
    heading(page, "Password changed")
    page.get_by_role("link", name="Sign in").click()
    fill_sign_in(page, person.email, NEW_PASSWORD)
    is_home(page)
    with expecting(page, 401, path="/api/auth/password-reset/preview"):
        page.goto(f"/reset-password?token={token}")
        page.get_by_label("New password").fill("one more long password")
        page.get_by_role("button", name="Set password").click()
        expect(page.get_by_role("alert")).to_contain_text("This link is no longer valid")
    page.get_by_role("link", name="Request a new link").click()
    heading(page, "Forgot your password?")


def _emails(owner: httpx.Client, email: str) -> str:
    """The newest email to an address."""
    listed = owner.get("/api/mails?sort=-createdAt&pageSize=100").json()["items"]
    return str(next((item["text"] for item in listed if item["recipient"] == email), ""))


# Invitations


def invitation(workspace: Workspace, email: str, role: str = "Viewer") -> str:
    """The path of the link that is handed over."""
    return str(httpx.URL(workspace.invite(role, email)["acceptUrl"]).raw_path.decode())


def test_somebody_new_accepts_an_invitation(workspace: Workspace, page: Page) -> None:
    link = invitation(workspace, fresh_address())
    page.goto(link)
    heading(page, re.compile("^Join "))
    has_no_token(page)
    expect(page.get_by_text("You have been invited as Viewer.")).to_be_visible()
    examine(page, "invitation-new")
    page.get_by_label("Full name").fill("Grace Hopper")
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_role("button", name="Create account and join").click()
    is_home(page)
    page.reload()
    is_home(page)
    with expecting(page, 401, path="/api/auth/invitation"):
        page.goto(link)
        expect(page.get_by_role("alert")).to_contain_text("This link is no longer valid")
    examine(page, "invitation-over")


def test_somebody_who_works_elsewhere_accepts_and_switches(
    workspace: Workspace, person: Person, page: Page
) -> None:
    email = fresh_address()
    with httpx.Client(
        base_url=workspace.owner.base_url, timeout=30, trust_env=False, verify=NO_TLS
    ) as api:
        own = {"fullName": "Ada", "institutionName": "Her own", "password": PASSWORD}
        api.post("/api/auth/register", json={"email": email, **own}).raise_for_status()
    joined = workspace.ok("GET", f"/api/institutions/{workspace.institution}")
    # Somebody else is signed in here.
    signed_in(page, person.email).goto(invitation(workspace, email))
    expect(page.get_by_text(f"You are signed in as {person.email}")).to_be_visible()
    examine(page, "invitation-signed-in")
    with expecting(page, 403, path="/api/auth/accept-invitation"):
        page.get_by_role("button", name="Accept", exact=True).click()
        expect(page.get_by_text("This invitation is for a different email address")).to_be_visible()
    page.get_by_role("button", name="Sign out and use another account").click()
    expect(page.get_by_text("An account with this email address already exists.")).to_be_visible()
    examine(page, "invitation-account")
    fill_sign_in(page, email)
    expect(page.get_by_text(f"You are signed in as {email}")).to_be_visible()
    page.get_by_role("button", name="Accept", exact=True).dblclick()
    is_home(page)
    switcher = page.get_by_role("button", name=re.compile("^Institution: "))
    expect(switcher).to_have_text(joined["name"])
    switcher.click()
    expect(page.get_by_role("menuitem")).to_have_count(2)
    page.get_by_role("menuitem", name=re.compile("^Her own")).click()
    expect(switcher).to_have_text("Her own")
    page.goto("/profile")
    mine = page.get_by_role("region", name="Your institutions")
    choose(mine.get_by_role("listitem").filter(has_text=joined["name"]), "Leave")
    examine(page, "leave")
    page.get_by_role("button", name="Leave institution").click()
    expect(mine.get_by_role("listitem").filter(has_text=joined["name"])).to_have_count(0)
    choose(mine.get_by_role("listitem").filter(has_text="Her own"), "Leave")
    with expecting(page, 409, path="/members/"):
        page.get_by_role("button", name="Leave institution").click()
        expect(page.get_by_role("alert").last).to_contain_text("This is the last Owner")


def test_a_customer_is_led_to_the_portal(workspace: Workspace, page: Page) -> None:
    email = fresh_address()
    workspace.issue("Perpetual", issuedTo=email)
    customer = workspace.end_user(email)
    page.goto("/licenses")
    fill_sign_in(page, customer.email)
    expect(page).to_have_url(re.compile("/portal$"))
