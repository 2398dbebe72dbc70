"""API keys: made with a reach, shown once, good for that and no more, and ended."""

import re
from pathlib import Path

import httpx
import pytest
from dashboard.checks import examine
from dashboard.conftest import signed_in
from dashboard.entrance import choose, entry
from dashboard.moving import go
from dashboard.vendor import Workspace
from e2e.process import Service
from playwright.sync_api import Page, expect


def press(page: Page, name: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def reach(page: Page, area: str, to: str) -> None:
    page.get_by_role("group", name=area).get_by_role("button", name=to, exact=True).click()


def ask(service: Service, key: str, method: str, path: str, **body: object) -> int:
    with service.client(key) as client:
        return client.request(method, path, json=body or None).status_code


def test_a_key_does_what_its_scopes_say_until_it_is_revoked(
    owner_page: Page, workspace: Workspace, service: Service, tmp_path: Path
) -> None:
    page = owner_page
    go(page, "/")
    entry(page, "Settings").click()
    page.get_by_role("tab", name="API keys").click()
    page.get_by_role("button", name="New API key").first.click()
    page.get_by_role("textbox", name="Name").fill("Web shop")
    page.get_by_role("button", name="Reporting").click()
    expect(page.get_by_text("Sees licenses, customers, orders")).to_be_visible()
    page.get_by_role("button", name="Choose each scope").click()
    for area in ("Customers", "Connectors", "Meter", "Statistics"):
        reach(page, area, "None")
    reach(page, "Licenses", "None")
    create = page.get_by_role("button", name="Create API key")
    create.click()
    expect(page.get_by_text("Choose at least one scope.")).to_be_visible()
    reach(page, "Licenses", "Read")
    reach(page, "Products", "Read and write")
    page.get_by_label("Allowed addresses").fill("127.0.0.0/8")
    page.get_by_role("combobox", name="Expires").click()
    page.get_by_role("option", name="In 30 days").click()
    expect(page.get_by_text("YOUR_API_KEY")).to_be_visible()
    examine(page, "api-key-new")
    create.click()

    secret = page.get_by_role("region", name="API key").inner_text()
    with page.expect_download() as saved:
        press(page, "Download")
    saved.value.save_as(tmp_path / "key.txt")
    assert (tmp_path / "key.txt").read_text().strip() == secret
    examine(page, "api-key-secret")
    press(page, "I've saved it")
    expect(page.get_by_text(secret)).to_have_count(0)
    row = page.get_by_role("row").filter(has_text="Web shop")
    expect(row).to_contain_text("Licenses: read")
    expect(row).to_contain_text("Products: write")
    expect(row).to_contain_text("127.0.0.0/8")
    assert secret not in page.url
    assert secret not in page.evaluate("() => JSON.stringify(localStorage)")

    product = f"/api/products/{workspace.product}"
    assert ask(service, secret, "GET", "/api/licenses") == 200
    assert ask(service, secret, "PUT", product, description="By a program") == 200
    assert ask(service, secret, "POST", "/api/licenses", **workspace.draft()) == 403
    assert ask(service, secret, "GET", f"{product}/releases") == 403

    choose(row, "Rotate secret")
    press(page, "Rotate secret")
    renewed = page.get_by_role("region", name="API key").inner_text()
    press(page, "I've saved it")
    assert ask(service, secret, "GET", "/api/licenses") == 401
    assert ask(service, renewed, "GET", "/api/licenses") == 200

    choose(row, "Revoke")
    page.get_by_label("to confirm").fill("Web shop")
    press(page, "Revoke API key")
    expect(row).to_contain_text("Revoked")
    expect(row.get_by_role("button")).to_have_count(0)
    assert ask(service, renewed, "GET", "/api/licenses") == 401
    examine(page, "api-keys")


@pytest.mark.specification("mission-9")
def test_api_keys_are_under_settings(owner_page: Page) -> None:
    go(owner_page, "/settings/api-keys")
    expect(owner_page.get_by_role("heading", name="Settings")).to_be_visible()
    main = owner_page.get_by_role("navigation", name="Main")
    expect(main.get_by_text("API keys")).to_have_count(0)
    owner_page.get_by_role("tab", name="General").click()
    expect(owner_page).to_have_url(re.compile(r"/settings$"))
    expect(owner_page.get_by_role("heading", name="Rate limits")).to_be_visible()


@pytest.mark.specification("mission-9")
def test_the_description_of_a_key_is_rich_text(owner_page: Page, workspace: Workspace) -> None:
    page = owner_page
    go(page, "/settings/api-keys")
    page.get_by_role("button", name="New API key").first.click()
    page.get_by_role("textbox", name="Name").fill("Billing")
    description = page.get_by_role("textbox", name="Description")
    description.fill("Looked after by")
    description.press("End")
    description.press_sequentially(" ")
    page.get_by_role("button", name="Bold").click()
    page.keyboard.type("Ada")
    expect(description).to_have_value("Looked after by **Ada**")
    description.fill(
        "Looked after by **Ada** <img src=x onerror=alert(1)> [x](javascript:alert(1))"
    )
    page.get_by_role("button", name="Preview").click()
    preview = page.get_by_role("region", name="Preview of Description")
    expect(preview.locator("strong")).to_have_text("Ada")
    expect(preview.locator("img")).to_have_count(0)
    expect(preview).to_contain_text("Looked after by Ada")
    expect(preview.locator("a")).to_have_count(0)
    examine(page, "api-key-description")
    page.get_by_role("button", name="Choose each scope").click()
    reach(page, "Meter", "Read and write")
    expect(page.get_by_role("group", name="Statistics").get_by_role("button")).to_have_count(2)
    page.get_by_role("button", name="Create API key").click()
    press(page, "I've saved it")
    row = page.get_by_role("row").filter(has_text="Billing")
    expect(row.locator("strong")).to_have_text("Ada")
    expect(row).to_contain_text("Meter: write")
    [made] = [
        item for item in workspace.ok("GET", "/api/api-keys")["items"] if item["name"] == "Billing"
    ]
    assert made["scopes"] == ["Licenses.Read", "Meter.Write"]
    workspace.ok("DELETE", f"/api/api-keys/{made['id']}")


def test_without_keys_the_page_says_what_they_are_for(
    owner: httpx.Client, owner_page: Page
) -> None:
    made = owner.post("/api/institutions", json={"name": "Without keys"}).raise_for_status()
    go(owner_page, "/institutions")
    owner_page.get_by_role("button", name="Switch to Without keys").click()
    expect(owner_page.get_by_text("Current")).to_be_visible()
    go(owner_page, "/settings/api-keys")
    expect(owner_page.get_by_text("No API keys yet")).to_be_visible()
    examine(owner_page, "api-keys-none")
    owner.delete(f"/api/institutions/{made.json()['id']}").raise_for_status()


def test_a_viewer_is_told_who_makes_keys(workspace: Workspace, page: Page) -> None:
    signed_in(page, workspace.member("Viewer").email).goto("/settings/api-keys")
    expect(page.get_by_text("Only Owners and Admins can manage API keys")).to_be_visible()
    expect(page.get_by_role("button", name="New API key")).to_have_count(0)
