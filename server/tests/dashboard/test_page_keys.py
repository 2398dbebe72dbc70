"""The keys of the page of a license and of a customer, and `?`, which tells them."""

import re
from collections.abc import Iterator

import pytest
from dashboard.accounts import new_owner
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import heading
from dashboard.license_page import tab
from dashboard.moving import go
from dashboard.vendor import Person, Workspace, in_days, open_workspace
from e2e.process import Service
from playwright.sync_api import Page, expect


@pytest.fixture
def desk(service: Service) -> Iterator[tuple[Person, Workspace]]:
    """The Owner of an institution with three licenses, and what fills it."""
    person = new_owner(service)
    with service.sign_in(person.email) as client:
        workspace = open_workspace(client, "Heron")
        for name in ("Third", "Second", "First"):
            workspace.issue(
                "Trial",
                licenseName=name,
                issuedTo=f"{name.lower()}@example.com",
                expirationDate=in_days(20),
            )
        yield person, workspace


def closes(page: Page, dialog: str) -> None:
    expect(page.get_by_role("dialog", name=dialog)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_license_is_worked_on_by_single_keys(
    new_page: NewPage, desk: tuple[Person, Workspace]
) -> None:
    page = signed_in(new_page(), desk[0].email)
    go(page, "/licenses?type=Trial")
    expect(page.get_by_role("row", name="First")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    heading(page, "First")
    page.keyboard.press("j")
    heading(page, "Second")
    page.keyboard.press("j")
    heading(page, "Third")
    page.keyboard.press("j")
    page.keyboard.press("k")
    heading(page, "Second")
    crumb = page.get_by_role("main").get_by_role("link", name="Licenses", exact=True)
    expect(crumb).to_have_attribute("href", "/licenses?type=Trial")
    page.go_back()
    heading(page, "Licenses")
    page.go_forward()
    heading(page, "Second")
    page.keyboard.press("e")
    closes(page, "Edit")
    page.keyboard.press("x")
    closes(page, "Extend")
    page.keyboard.press("2")
    expect(tab(page, "Diagnose")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("n")
    note = page.get_by_role("textbox", name="Add a note")
    expect(note).to_be_focused()
    page.keyboard.type("sex3")
    expect(note).to_have_value("sex3")
    expect(page).to_have_url(re.compile(r"/licenses/[0-9a-f-]+$"))
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.get_by_role("main").focus()
    page.keyboard.press("s")
    page.get_by_role("dialog").get_by_role("button", name="Suspend").click()
    expect(page.get_by_text("Suspended", exact=True).first).to_be_visible()
    page.keyboard.press("?")
    told = page.get_by_role("region", name="On this page")
    expect(told).to_contain_text("Reinstate")
    expect(told).to_contain_text("Copy license key")
    expect(told).to_contain_text("Next in the list")


def test_a_customer_is_worked_on_by_single_keys(
    new_page: NewPage, desk: tuple[Person, Workspace]
) -> None:
    page = signed_in(new_page(), desk[0].email)
    go(page, "/customers")
    row = page.get_by_role("link", name="first@example.com")
    expect(row).to_be_visible()
    page.keyboard.press("j")
    expect(row).to_be_focused()
    page.keyboard.press("Enter")
    heading(page, "first@example.com")
    page.keyboard.press("j")
    heading(page, "second@example.com")
    page.keyboard.press("k")
    heading(page, "first@example.com")
    page.keyboard.press("e")
    closes(page, "Edit")
    page.keyboard.press("p")
    closes(page, "Send portal link")
    page.keyboard.press("2")
    expect(tab(page, "Events")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("region", name="On this page")).to_contain_text("Copy email")
