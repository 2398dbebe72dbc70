"""Confirming that it is you before what is hard to undo, and accounts that others disable."""

import httpx
from dashboard.accounts import execute
from dashboard.checks import examine
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import choose, fill_sign_in, heading
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from dashboard.watching import expecting
from e2e.process import NO_TLS, PASSWORD, Service
from patience import eventually
from playwright.sync_api import Page, expect


def grow_old(service: Service, email: str) -> None:
    """Let a person have proved who they are 20 minutes ago."""
    execute(
        service,
        "UPDATE sign_ins SET authenticated_at = authenticated_at - interval '20 minutes' "
        "FROM users WHERE users.id = user_id AND email = :email",
        email=email,
    )


def test_an_action_goes_on_once_it_is_confirmed(
    person: Person, page: Page, service: Service
) -> None:
    signed_in(page, person.email).goto("/settings/api-keys")
    page.get_by_role("button", name="New API key").first.click()
    page.get_by_role("textbox", name="Name").fill("Web shop")
    grow_old(service, person.email)
    create = page.get_by_role("button", name="Create API key")
    confirm = page.get_by_role("dialog", name="Confirm it is you")
    with expecting(page, 403, path="/api/api-keys"):
        create.click()
        expect(confirm.get_by_label("Your password")).to_be_focused()
    examine(page, "confirm-it-is-you")
    confirm.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("you did not confirm that it is you")
    with expecting(page, 403, path="/api/api-keys"):
        create.click()
        expect(confirm.get_by_label("Your password")).to_be_focused()
    confirm.get_by_label("Your password").fill("wrong")
    with expecting(page, 401, path="/api/auth/step-up"):
        confirm.get_by_role("button", name="Confirm").click()
        expect(confirm.get_by_role("alert")).to_contain_text("The password is wrong")
    confirm.get_by_label("Your password").fill(PASSWORD)
    confirm.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("region", name="API key")).to_contain_text("licet_ak_")
    page.get_by_role("button", name="I've saved it").click()
    # It counts for a while.
    choose(page.get_by_role("row", name="Web shop"), "Rotate secret")
    page.get_by_role("dialog").get_by_role("button", name="Rotate secret", exact=True).click()
    expect(page.get_by_role("region", name="API key")).to_contain_text("licet_ak_")


def test_a_reset_lists_api_keys_and_revokes_them(
    workspace: Workspace, person: Person, page: Page
) -> None:
    with httpx.Client(base_url=workspace.owner.base_url, trust_env=False, verify=NO_TLS) as api:
        body = {"email": person.email, "password": PASSWORD}
        token = api.post("/api/auth/login", json=body).json()["accessToken"]
        api.headers["authorization"] = f"Bearer {token}"
        named = {"name": "Web shop", "scopes": ["Products.Read"]}
        key = api.post("/api/api-keys", json=named).raise_for_status().json()["secret"]
        api.post("/api/auth/password-reset", json={"email": person.email}).raise_for_status()

    def is_written() -> bool:
        mails = workspace.ok("GET", "/api/mails?sort=-createdAt&pageSize=100")["items"]
        texts = [mail["text"] or "" for mail in mails if mail["recipient"] == person.email]
        return "/reset-password?token=" in texts[0]

    eventually(is_written, "the email is written")
    page.goto(f"/reset-password?token={workspace.mailed_token(person.email)}")
    page.get_by_label("New password").fill("another horse battery")
    listed = page.get_by_role("alert")
    expect(listed).to_contain_text("Web shop")
    examine(page, "reset-password-api-keys")
    listed.get_by_role("checkbox").check()
    page.get_by_role("button", name="Set password").click()
    heading(page, "Password changed")
    headers = {"x-api-key": key}
    with httpx.Client(
        base_url=workspace.owner.base_url, trust_env=False, verify=NO_TLS, headers=headers
    ) as api:
        assert api.get("/api/products").status_code == 401


def test_a_system_admin_disables_an_account_and_enables_it(
    person: Person, owner_page: Page, new_page: NewPage
) -> None:
    page = owner_page
    go(page, "/users")
    page.get_by_role("searchbox", name="Search").fill(person.email)
    row = page.get_by_role("row").filter(has_text=person.email)
    dialog = page.get_by_role("dialog")
    choose(row, "End sessions")
    dialog.get_by_role("button", name="End sessions").click()
    expect(page.get_by_text("Sessions ended.")).to_be_visible()
    choose(row, "Disable account")
    examine(page, "disable-account")
    dialog.get_by_role("button", name="Disable account").click()
    expect(row.get_by_text("Disabled", exact=True)).to_be_visible()
    examine(page, "users-disabled")
    other = new_page()
    other.goto("/login")
    with expecting(other, 403, path="/api/auth/login"):
        fill_sign_in(other, person.email)
        expect(other.get_by_role("alert")).to_contain_text("This account is disabled")
    choose(row, "Enable account")
    dialog.get_by_role("button", name="Enable account").click()
    expect(dialog).to_have_count(0)  # which hides all rows from roles
    expect(row.get_by_text("Disabled", exact=True)).to_have_count(0)
    fill_sign_in(other, person.email)
    expect(other.get_by_role("navigation", name="Main")).to_be_visible()
