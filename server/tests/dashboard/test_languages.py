"""The dashboard in another language: chosen, or the browser's."""

import re

import pytest
from dashboard.checks import LIGHT, PHONE, axe, fits, look, settle, show_on
from dashboard.conftest import NewPage
from dashboard.moving import go
from dashboard.vendor import Person, Workspace
from dashboard.watching import NO_ANSWER, expecting
from e2e.process import PASSWORD
from playwright.sync_api import Page, expect

PAGES = (
    "/",
    "/licenses",
    "/licenses/new",
    "/licenses/{license}",
    "/notifications",
    "/customers",
    "/products",
    "/products/{product}/policies",
    "/products/{product}/settings",
    "/statistics",
    "/webhooks/new",
    "/settings",
    "/settings/emails",
    "/settings/webhooks",
    "/profile",
    "/o",
    "/audit",
    "/help",
    "/whats-new",
    "/help/access-attempts",
)
ENGLISH = ("License", "Settings", "Search", "Sign in", "Device", "Expires")
"""Words that no page has in German."""
IN_ENGLISH = ("/whats-new/changelog",)
"""Pages whose text is not translated."""
IN_BOTH = ("/licenses/{license}/diagnose",)
"""Pages with sentences of the server, which are in English."""
SENTENCES = (" the ", " is ", " are ", " with ", " of ")
"""Words of which each English text has some, and no German one."""


def chosen_german(page: Page) -> Page:
    """Choose German at the sign-in, as somebody does who cannot read the rest."""
    page.goto("/login")
    page.get_by_role("combobox", name="Language").select_option(label="Deutsch")
    expect(page.get_by_role("button", name="Anmelden", exact=True)).to_be_visible()
    return page


def test_the_language_is_chosen_before_and_after_the_sign_in(
    page: Page, owner_account: Person
) -> None:
    chosen_german(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    axe(page)
    page.get_by_label("E-Mail-Adresse").fill(owner_account.email)
    page.get_by_role("textbox", name="Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden", exact=True).click()
    expect(page.get_by_role("heading", name="Start", level=1)).to_be_visible()
    go(page, "/profile")
    page.get_by_label("Sprache").select_option(label="English")
    expect(page.get_by_role("heading", name="Profile", level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_pages_are_in_german_and_fit_on_a_phone(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Floating", licenseName="Werkbank", maxActiveUsersCount=5)
    workspace.policy("Team")
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    for address in PAGES:
        go(page, address.format(product=workspace.product, license=made["id"]))
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)
        text = page.locator("body").inner_text()
        assert [word for word in ENGLISH if f" {word} " in f" {text} ".replace("\n", " ")] == []
        show_on(page, PHONE)
        look(page, f"german-{address}")
        fits(page)
        show_on(page, LIGHT)


def test_a_date_is_typed_and_shown_as_in_german(owner_page: Page, workspace: Workspace) -> None:
    made = workspace.issue("Trial", licenseName="Werkbank")
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    go(page, f"/licenses/{made['id']}?act=term")
    field = page.get_by_label("Ablaufdatum")
    for typed in ("31. Dezember 2097", "2097-12-31", "31.12.97"):
        field.fill(typed)
        field.blur()
        expect(field).to_have_value("31.12.2097")
    field.fill("+2 Wochen")
    field.blur()
    expect(field).to_have_value(re.compile(r"^\d\d\.\d\d\.\d{4}$"))


def test_what_is_not_translated_is_marked_as_english_and_the_page_says_so(
    owner_page: Page, workspace: Workspace
) -> None:
    made = workspace.issue("NodeLocked", licenseName="Werkbank")
    workspace.validate(made, "Workstation")
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    for address in (*IN_ENGLISH, *IN_BOTH):
        go(page, address.format(license=made["id"]))
        if address in IN_BOTH:
            page.get_by_role("main").locator("summary").first.click()
        expect(page.get_by_role("main").locator("[lang=en]").first).to_be_visible()
        note = page.get_by_text("Diese Seite ist auf Englisch.")
        expect(note).to_have_count(1 if address in IN_ENGLISH else 0)
        settle(page)
        marked, rest = page.get_by_role("main").evaluate(_BY_LANGUAGE)
        assert [word for word in SENTENCES if word in marked] != [], address
        assert [word for word in SENTENCES if word in rest] == [], address
    go(page, "/profile")
    expect(page.get_by_text("Einzelheiten vom Server sind auf Englisch.")).to_be_visible()


def test_a_refusal_is_told_in_german_and_in_the_words_of_the_server(owner_page: Page) -> None:
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    with expecting(page, 404, path="/api/webhooks/"):
        go(page, "/webhooks/00000000-0000-7000-8000-000000000000")
        told = page.get_by_role("alert")
        expect(told).to_contain_text("Das gibt es nicht, oder Sie haben keinen Zugriff darauf.")
    expect(told.locator("[lang=en]")).to_contain_text("There is no such webhook")


_BY_LANGUAGE = """(main) => {
  const texts = { en: "", de: "" };
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    texts[parentElement.closest("[lang]").lang] += ` ${data} `;
  }
  return [texts.en, texts.de];
}"""


@pytest.mark.parametrize(
    ("browser_language", "language", "button"),
    [("de-AT", "de", "Anmelden"), ("fr-FR", "en", "Sign in")],
)
def test_the_language_of_the_browser_is_shown_if_there_is_one(
    new_page: NewPage, browser_language: str, language: str, button: str
) -> None:
    page = new_page()
    page.add_init_script(
        f"Object.defineProperty(navigator, 'languages', {{get: () => ['{browser_language}']}})"
    )
    page.goto("/login")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()


def test_a_catalog_that_cannot_be_loaded_leaves_the_page_in_english(new_page: NewPage) -> None:
    page = new_page()
    page.route("**/assets/de-*.js", lambda route: route.abort())
    page.goto("/login")
    with expecting(page, NO_ANSWER, path="/assets/"):
        page.get_by_role("combobox", name="Language").select_option(label="Deutsch")
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_help_is_read_in_german_at_the_address_of_the_english_heading(owner_page: Page) -> None:
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    go(page, "/help/access-attempts#marking-as-reviewed")
    heading = page.get_by_role("heading", name="Als geprüft markieren", level=2)
    expect(heading).to_be_focused()
    expect(page.get_by_role("article")).to_have_attribute("lang", "de")
    expect(page.get_by_text("Diese Seite ist auf Englisch.")).to_have_count(0)
    go(page, "/help?q=Zugriffsversuch markieren")
    result = page.get_by_role("main").get_by_role("listitem").get_by_role("link").first
    expect(result).to_have_attribute("href", re.compile("access-attempts#marking-as-reviewed$"))


def test_help_that_cannot_be_loaded_in_german_is_in_english(owner_page: Page) -> None:
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    page.route("**/assets/bodies.de-*.js", lambda route: route.abort())
    with expecting(page, NO_ANSWER, path="/assets/"):
        go(page, "/help/access-attempts")
        expect(page.get_by_text("Diese Seite ist auf Englisch.")).to_be_visible()
        expect(page.get_by_role("article")).to_have_attribute("lang", "en")


def test_help_is_found_by_german_words(owner_page: Page) -> None:
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    go(page, "/help?q=Rückerstattung")
    results = page.get_by_role("main").get_by_role("list").get_by_role("link")
    expect(results.first).to_contain_text("Konnektoren")
