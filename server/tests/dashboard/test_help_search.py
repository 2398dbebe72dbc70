"""What customers and staff ask the Help center in sentences leads to the page that answers it."""

import pytest
from playwright.sync_api import Page, expect

QUESTIONS = {
    "en": {
        "too many devices": "error-codes#MaxActivationsReached",
        "too many requests": "error-codes#RateLimited",
        "customer moved to a new computer": "node-locked",
        "he has a new laptop": "node-locked",
        "the license does not work": "troubleshooting",
        "the application doesn't start": "troubleshooting",
        "why is the license not valid": "why",
        "give a customer more time": "perpetual-trial-subscription",
        "extend a trial": "perpetual-trial-subscription",
        "customer wants a refund": "connectors",
        "customer lost his key": "emails",
        "send the key again": "emails",
        "the key was leaked": "license-lifecycle",
        "add a colleague": "team-and-roles",
        "a colleague left the company": "team-and-roles",
        "I lost my phone": "sign-in-and-security",
        "forgot my password": "sign-in-and-security",
        "machine without internet": "offline",
        "free a seat": "activations-and-sessions",
        "all seats are in use": "floating-and-concurrent",
        "all seats are taken": "activations-and-sessions#common-cases",
        "my license is not accepted": "troubleshooting#my-license-is-not-accepted",
        "someone shares the license": "access-attempts",
        "customer paid but got no license": "connectors",
        "how much did we sell last month": "finance",
        "send an invoice": "finance",
        "import licenses from a spreadsheet": "importing",
        "delete the data of a customer": "customers",
        "customer has a new email address": "customers",
        "merge two customers": "customers",
        "translate the emails": "emails",
        "the credits are used up": "metering",
        "top up the balance": "metering",
        "publish an update": "releases",
        "the webhook does not arrive": "webhooks",
        "who changed this license": "audit-log",
        "try it without real customers": "test-products",
    },
    "de": {
        "zu viele Geräte": "error-codes#MaxActivationsReached",
        "zu viele Anfragen": "error-codes#RateLimited",
        "Kunde hat einen neuen Rechner": "node-locked",
        "Umzug auf einen neuen Laptop": "node-locked",
        "Lizenz funktioniert nicht": "troubleshooting",
        "das Programm startet nicht": "troubleshooting",
        "warum ist die Lizenz ungültig": "why",
        "Lizenz verlängern": "perpetual-trial-subscription",
        "Testlizenz verlängern": "perpetual-trial-subscription",
        "Kunde will sein Geld zurück": "connectors",
        "Kunde hat seinen Schlüssel verloren": "emails",
        "Schlüssel noch einmal senden": "emails",
        "Schlussel noch einmal senden": "emails",
        "der Schlüssel steht im Internet": "license-lifecycle",
        "neue Kollegin einladen": "team-and-roles",
        "ein Kollege verlässt die Firma": "team-and-roles",
        "ich habe mein Telefon verloren": "sign-in-and-security",
        "Passwort vergessen": "sign-in-and-security",
        "Rechner ohne Internet": "offline",
        "Platz freigeben": "activations-and-sessions",
        "alle Plätze sind belegt": "activations-and-sessions#common-cases",
        "meine Lizenz wird nicht akzeptiert": "troubleshooting#my-license-is-not-accepted",
        "jemand gibt die Lizenz weiter": "access-attempts",
        "bezahlt, aber keine Lizenz erhalten": "connectors",
        "wie viel haben wir letzten Monat verkauft": "finance",
        "Rechnung schicken": "finance",
        "Lizenzen aus Excel importieren": "importing",
        "Daten eines Kunden löschen": "customers",
        "Kunde hat eine neue E-Mail-Adresse": "customers",
        "zwei Kunden zusammenführen": "customers",
        "E-Mails übersetzen": "emails",
        "Guthaben ist aufgebraucht": "metering",
        "Guthaben aufladen": "metering",
        "Update veröffentlichen": "releases",
        "Webhook kommt nicht an": "webhooks",
        "wer hat die Lizenz geändert": "audit-log",
        "ohne echte Kunden ausprobieren": "test-products",
    },
}


def answer(page: Page, question: str) -> str:
    """Return the place of the first result."""
    page.get_by_role("main").get_by_role("searchbox").fill(question)
    expect(page.get_by_role("status").filter(has_text=question)).to_be_visible()
    first = page.get_by_role("main").get_by_role("listitem").get_by_role("link").first
    return (first.get_attribute("href") or "").removeprefix("/help/")


@pytest.mark.parametrize("locale", QUESTIONS)
def test_a_question_in_plain_words_finds_its_page_first(owner_page: Page, locale: str) -> None:
    page = owner_page
    page.add_init_script(f"localStorage.setItem('licet.locale', '\"{locale}\"')")
    page.goto("/help")
    found = {question: answer(page, question) for question in QUESTIONS[locale]}
    assert {
        question: place
        for question, place in found.items()
        if not f"{place}#".startswith(f"{QUESTIONS[locale][question]}#")
    } == {}


def test_words_are_found_and_marked_whatever_accents_someone_types(owner_page: Page) -> None:
    page = owner_page
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    page.goto("/help")
    for typed in ("schlussel", "Schlüssel"):
        answer(page, typed)
        marked = page.get_by_role("main").locator("mark")
        expect(marked.filter(has_text="Schlüssel").first).to_be_visible()
