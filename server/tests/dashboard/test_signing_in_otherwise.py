"""Passkeys with Chromium's virtual authenticator, and single sign-on, in the dashboard."""

import re
from collections.abc import Iterator

import pytest
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, fill_sign_in
from dashboard.vendor import Person, Workspace
from dashboard.watching import expecting
from e2e.process import PASSWORD, Service
from playwright.sync_api import CDPSession, Page, expect
from sso.idp import Idp, idp_in_a_thread


def with_authenticator(page: Page, *, verifies: bool = True) -> CDPSession:
    """Give the page's browser an authenticator, with a user who agrees to everything."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": verifies,
        "isUserVerified": verifies,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session


@pytest.fixture
def idp() -> Iterator[Idp]:
    with idp_in_a_thread() as made:
        yield made


def enter(page: Page, address: str, email: str) -> None:
    body = {"email": email, "password": PASSWORD}
    answer = page.context.request.post(f"{address}/api/auth/login", data=body)
    assert answer.ok, answer.text()


def test_a_passkey_is_added_and_signs_in_alone_and_as_second_factor(
    page: Page, service: Service, person: Person
) -> None:
    address = f"http://localhost:{service.port}"
    enter(page, address, person.email)
    with_authenticator(page)
    page.goto(f"{address}/profile/second-factor")
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_label("Name").fill("Work laptop")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("dialog", name="Save your recovery codes")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button").last.click()
    expect(page.get_by_role("list", name="Passkeys")).to_contain_text("Work laptop")
    examine(page, "passkeys")

    page.context.clear_cookies()
    page.goto(f"{address}/login")
    examine(page, "sign-in-ways")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    page.context.clear_cookies()
    page.goto(f"{address}/login")
    with expecting(page, 401, path="/api/auth/login"):
        fill_sign_in(page, person.email)
        page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile(r"/$"))

    page.goto(f"{address}/profile/second-factor")
    choose(page.get_by_role("list", name="Passkeys"), "Remove")
    page.get_by_role("button", name="Remove passkey").click()
    expect(page.get_by_role("list", name="Passkeys")).to_have_count(0)


def test_at_another_name_the_page_says_where_passkeys_work(owner_page: Page) -> None:
    with_authenticator(owner_page)
    owner_page.goto("/profile/second-factor")
    owner_page.get_by_role("button", name="Add passkey").click()
    owner_page.get_by_label("Name").fill("Nowhere")
    owner_page.get_by_role("button", name="Continue").click()
    expect(owner_page.get_by_role("alert")).to_contain_text("work at localhost only")


def test_an_owner_connects_a_provider_and_a_colleague_comes_in(
    owner_page: Page, owner_account: Person, new_page: NewPage, idp: Idp
) -> None:
    page = owner_page
    page.goto("/institutions")
    profile = page.context.request.post("/api/auth/refresh").json()["user"]
    place = profile["memberships"][0]["institutionId"]
    page.goto(f"/institutions/{place}/single-sign-on")
    expect(page).to_have_url(re.compile(r"/settings/sign-in$"))
    expect(page.get_by_role("button", name="Test connection")).to_be_disabled()
    page.get_by_role("button", name="Enter data").click()
    page.get_by_label("Issuer").fill(idp.issuer)
    page.get_by_label("Client ID").fill("licet")
    page.get_by_label("Client secret").fill("a secret")
    page.get_by_label("Email domains").fill("company.example")
    page.get_by_role("button", name="Connect").click()
    required = page.get_by_role("switch", name="Require single sign-on")
    expect(required).to_be_disabled()
    page.get_by_role("button", name="Mark as confirmed: company.example").click()
    page.get_by_role("dialog").get_by_role("button", name="Mark as confirmed").click()
    expect(page.get_by_role("list", name="Domains")).to_contain_text("Confirmed")
    expect(page.get_by_text("Test the connection first.")).to_be_visible()
    expect(required).to_be_disabled()
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_text("The provider can be used.")).to_be_visible()
    examine(page, "single-sign-on")
    required.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("everyone but Owners")
    expect(dialog).to_contain_text(f"no second factor yet and need one: {owner_account.name}")
    examine(page, "require-single-sign-on")
    dialog.get_by_role("button", name="Cancel").click()

    idp.user = {"sub": "ada", "email": "ada@company.example", "name": "Ada"}
    visitor = new_page()
    visitor.goto("/login")
    visitor.get_by_role("button", name="Sign in with single sign-on").click()
    visitor.get_by_label("Email address").fill("ada@company.example")
    visitor.get_by_role("button", name="Continue").click()
    expect(visitor).to_have_url(re.compile(r"/$"))
    expect(visitor.get_by_role("region", name="Email address")).to_contain_text(
        "ada@company.example"
    )

    stranger = new_page()
    stranger.goto("/login")
    stranger.get_by_role("button", name="Sign in with single sign-on").click()
    stranger.get_by_label("Email address").fill("eve@elsewhere.example")
    stranger.get_by_role("button", name="Continue").click()
    expect(stranger.get_by_role("alert")).to_contain_text("No institution uses single sign-on")


def test_an_owner_requires_a_second_factor(
    owner_page: Page, new_page: NewPage, workspace: Workspace, person: Person
) -> None:
    page, place = owner_page, workspace.institution
    workspace.owner.delete(f"/api/institutions/{place}/sso")
    page.goto(f"/institutions/{place}/settings/sign-in")
    expect(page.get_by_text(re.compile(f"members have none: .*{person.name}"))).to_be_visible()
    page.get_by_label("Require a second factor").click()
    expect(page.get_by_role("dialog")).to_contain_text("members have no second factor and see only")
    page.get_by_role("button", name="Require it").click()
    expect(page.get_by_text("A second factor is required.")).to_be_visible()
    closed = page.get_by_role("region", name="Closed institutions")
    expect(closed).to_have_count(0)  # a system Admin reaches everything

    member = signed_in(new_page(), person.email)
    member.goto("/profile")
    banner = member.get_by_role("region", name="Closed institutions")
    expect(banner).to_contain_text("requires a second factor")
    banner.get_by_role("link", name="Second factor").click()
    expect(member.get_by_role("button", name="Turn on")).to_be_visible()

    page.get_by_label("Require a second factor").click()
    page.get_by_role("button", name="Stop requiring it").click()
    expect(page.get_by_text("no longer required")).to_be_visible()
