"""The API reference: shows what there is, finds it, tries it out, and asks no other host."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from dashboard.checks import DARK, LIGHT, OF_COLORS, PHONE, Screen, axe, fits, look
from dashboard.conftest import NewPage
from e2e.process import Service
from playwright.sync_api import Locator, Page, Request, expect

VALIDATE = "/api/docs#tag/runtime/POST/api/licenses/validate"


@pytest.fixture
def page(new_page: NewPage, service: Service) -> Iterator[Page]:
    """A visitor's page; the test fails if it asks another host than the service."""
    made = new_page(LIGHT)
    asked: set[str] = set()

    def note(request: Request) -> None:
        parts = urlsplit(request.url)
        asked.add(f"{parts.scheme}://{parts.netloc}")

    made.context.on("request", note)
    yield made
    assert {host for host in asked if host.startswith("http")} == {service.address}


def operation_of(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def test_operations_are_shown_by_subject_and_found(page: Page) -> None:
    page.goto("/api/docs")
    expect(page.get_by_role("heading", name="Licet", level=1)).to_be_visible()
    for subject in ("Runtime", "Licenses", "Webhooks"):
        expect(page.get_by_role("link", name=subject, exact=True).first).to_be_attached()
    expect(page.get_by_role("heading", name="Runtime", level=2)).to_be_visible()
    page.get_by_role("button", name="Open Search").click()
    page.get_by_role("combobox", name="Enter search query").fill("balance of a metered license")
    page.get_by_role("option", name=re.compile(r"Path: \/api\/meter\/balance$")).click()
    heading = page.get_by_role("heading", name="Get the balance of a metered license; nothing")
    expect(heading).to_be_in_viewport()
    expect(page).to_have_url(re.compile("#tag/runtime/GET/api/meter/balance$"))


def test_the_code_of_each_sdk_stands_beside_a_call_which_is_sent_to_this_service(
    page: Page, service: Service
) -> None:
    page.goto(VALIDATE)
    operation = operation_of(page, "Validate a license for an application")
    expect(operation).to_contain_text("client.validate()")
    shown = "Python SDK"
    for label, call in (
        ("TypeScript SDK", "await client.validate()"),
        (".NET SDK", "await client.ValidateAsync()"),
    ):
        operation.get_by_role("button", name=shown).click()
        page.get_by_role("option", name=label, exact=True).click()
        expect(operation).to_contain_text(call)
        shown = label
    # In the same document: it scrolls there.
    page.goto("/api/docs#tag/service/GET/api/version")
    page.get_by_role("button", name="Test Request (get /api/version)", exact=True).click()
    client = page.get_by_role("dialog", name="API Client")
    with page.expect_response(f"{service.address}/api/version") as answer:
        client.get_by_role("button", name="Send get request").click()
    assert answer.value.status == 200
    expect(client).to_contain_text("200 OK")
    expect(client).to_contain_text("releasedAt")
    axe(page, rules=OF_COLORS)  # the names of some fields are Scalar's
    look(page, "api-reference-request")


@pytest.mark.parametrize(
    "screen",
    [pytest.param(LIGHT, marks=pytest.mark.long), DARK, PHONE],
    ids=lambda screen: screen.name,
)
def test_it_follows_the_theme_of_the_system(new_page: NewPage, screen: Screen) -> None:
    page = new_page(screen)
    page.goto(VALIDATE)
    expect(operation_of(page, "Validate a license for an application")).to_be_visible()
    expect(page.locator("body")).to_have_class(re.compile(f"\\b{screen.theme}-mode\\b"))
    fits(page)
    axe(page)
    look(page, f"api-reference-{screen.name}")
