"""What staff type into the palette in their own words, and what it offers first."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from dashboard.accounts import new_owner
from dashboard.conftest import NewPage, signed_in
from dashboard.entrance import heading
from dashboard.moving import go
from dashboard.sales import connect
from dashboard.vendor import Person, Workspace, in_days, open_workspace
from e2e.process import Service
from playwright.sync_api import Page, expect

ENGLISH = {
    "tom": "Tom Weber",
    "extend": "Extend: which license?",
    "extend tom": "Extend: Tom Weber",
    "ext tom": "Extend: Tom Weber",
    "tom extend": "Extend: Tom Weber",
    "extnd tom": "Extend: Tom Weber",
    "extend tom 30 days": "Extend: Tom Weber .*to ",
    "renew tom for a year": "Extend: Tom Weber .*to ",
    "please extend the license of tom": "Extend: Tom Weber",
    "suspend tom": "Suspend: Tom Weber",
    "grant": "Grant: which license?",
    "grant hill": "Grant Hill",
    "suspended": "Licenses: Suspended",
    "revoked": "Licenses: Revoked",
    "suspend paul": "Reinstate: Paul Martin .*Is suspended already",
    "reinstate paul": "Reinstate: Paul Martin",
    "why paul": "Diagnose: Paul Martin",
    "why does paul not work?": "Diagnose: Paul Martin",
    "revoke leo": "Revoke: Leo Fontaine",
    "suspend marek": "Suspend: Studio, by the month",
    "revoke marek": ".*: Yearly desk Is revoked already · Order 4714 was refunded",
    "refund": "Orders: Refunded 1 order",
    "refunded orders": "Orders: Refunded 1 order",
    "csv": "Export orders as CSV",
    "licenses export": "Export licenses as CSV",
    "monthly": "Sales",
    "replace key leo": "Replace key: Leo Fontaine",
    "rotate key leo": "Replace key: Leo Fontaine",
    "copy key ben adler": "Copy key: Ben Adler",
    "resend license to ben adler": "Send by email: Ben Adler",
    "add note to ben adler": "Add a note: Ben Adler",
    "change email of tom weber": "Edit: Tom Weber",
    "grant 500 maria": "Grant: Maria Rossi 500 credits",
    "grant maria 500": "Grant: Maria Rossi 500 credits",
    "500 credits for maria": "Grant: Maria Rossi 500 credits",
    "night renders balance": "Balance: Night renders",
    "free seat plant lausitz": "Free a seat: Plant Lausitz",
    "studio nord devices": "Devices: Studio Nord",
    "events of leo": "Events: Leo Fontaine",
    "block": "Block: which device?",
    "block device leo": "Devices: Leo Fontaine",
    "block workstation 7": "Block: Workstation 7",
    "deactivate workstation 7": "Deactivate: Workstation 7",
    "workstation 7": "Workstation 7",
    "render node 3": "Render node 3 Render pool",
    "disconnect render node 3": "Disconnect: Render node 3 Render pool",
    "free seat render node 3": "Disconnect: Render node 3 Render pool",
    "order 4713": "4713",
    "portal link maria": "Send portal link: maria@example.com",
    "send portal link to maria": "Send portal link: maria@example.com",
    "open portal as maria": "View portal as customer: maria@example.com",
    "merge customer": "Merge into another: which customer?",
    "merge ben": "Merge into another: ben@example.com",
    "issue trial to eva": "Issue license to eva@example.com Trial",
    "issue a trial for nobody": "Issue license to nobody Trial · New customer",
    "con 5 eva": "Issue license to eva@example.com Concurrent",
    "new license": "Issue license",
    "invite anna@example.com": "Invite people",
    "release 7.3": "7.3",
    "licenses expiring this month": "Licenses: Expiring soon",
    "sales this month": "Sales",
    "unpaid": "Orders",
    "full pool": "Sessions",
    "shared keys": "Home",
    "2fa": "Profile and security",
    "keyboard shortcuts": "Keyboard shortcuts",
    "prolong tom by 2 weeks": "Extend: Tom Weber",
    "pause tom": "Suspend: Tom",
    "unsuspend paul": "Reinstate: Paul",
    "add 200 credits to maria": "Grant: Maria Rossi 200",
    "history of leo": "Events: Leo",
    "comment on eva": "Add a note: eva",
    "sessions render pool": "Sessions: Render pool",
    "remove workstation 7": "Deactivate: Workstation 7",
    "api key": "API keys",
    "revenue": "Sales",
    "audit": "Audit log Settings",
    "lock tom": "Suspend: Tom Weber",
    "cancel leo": "Revoke: Leo Fontaine",
    "terminate leo": "Revoke: Leo Fontaine",
    "kick render node 3": "Disconnect: Render node 3",
    "end session render node 3": "Disconnect: Render node 3",
    "top up maria": "Grant: Maria Rossi",
    "top up maria 500": "Grant: Maria Rossi 500 credits",
    "why doesn't leo's license work": "Diagnose: Leo Fontaine",
    "leo's license": "Leo Fontaine",
    "new key leo": "Replace key: Leo Fontaine",
    "create trial for eva": "Issue license to eva@example.com Trial",
    "create license for eva": "Issue license to eva@example.com",
    "sell hawk to eva": "Issue license to eva@example.com Hawk",
    "more seats plant lausitz": "Edit: Plant Lausitz",
    "login link maria": "Send portal link: maria@example.com",
    "chargebacks": "Orders",
    "logo": "Appearance",
    "logout": "Sign out",
    "time zone": "Time zone Settings · General",
    "support email": "Support email Settings · Appearance",
    "change password": "Change password Profile and security",
    "create rule": "Create rule: Hawk shop",
    "mara": "Mara Lindner mara.lindner@example.com · Viewer",
    "lindner": "Mara Lindner",
    "mara.lindner@example.com": "Mara Lindner",
    "hawk shop": "Hawk shop",
    "back office": "Back office hooks.example.com",
}

GERMAN = {
    "tom verlängern": "Verlängern: Tom Weber",
    "verlängere tom": "Verlängern: Tom Weber",
    "tom um 30 tage verlängern": "Verlängern: Tom Weber .*bis ",
    "sperren tom": "Aussetzen: Tom Weber",
    "paul aussetzen": "Wieder freigeben: Paul Martin .*Ist bereits ausgesetzt",
    "warum geht paul nicht": "Diagnose: Paul Martin",
    "maria 500 gutschreiben": "Gutschreiben: Maria Rossi 500",
    "schlüssel von ben kopieren": "Schlüssel kopieren: Ben Adler",
    "platz freigeben plant lausitz": "Platz freigeben: Plant Lausitz",
    "gerät workstation 7 deaktivieren": "Deaktivieren: Workstation 7",
    "bestellung 4713": "4713",
    "portal link an maria": "Portal-Link senden: maria@example.com",
    "neue lizenz": "Lizenz ausstellen",
    "render node 3 trennen": "Trennen: Render node 3",
    "geräte von studio nord": "Geräte: Studio Nord",
    "verlauf leo": "Ereignisse: Leo",
    "500 credits für maria": "Gutschreiben: Maria Rossi 500",
    "test für eva ausstellen": "Lizenz für eva@example.com ausstellen",
    "lizenz an ben mailen": "Per E-Mail senden: Ben Adler",
    "neuer schlüssel für leo": "Schlüssel ersetzen: Leo Fontaine",
    "neuer kunde": "Kunden anlegen",
    "mitarbeiter einladen": "Personen einladen",
    "rückerstattung": "Bestellungen: Erstattet 1 Bestellung",
    "exportieren": "Kunden als CSV exportieren",
    "monatlich": "Umsatz",
    "zeitzone": "Zeitzone Einstellungen · Allgemein",
}


TEXTS = """(option) => {
  const label = option.querySelector("span[dir=auto]");
  return [label, label.nextElementSibling].map((one) => one?.textContent ?? "").join(" ");
}"""


@pytest.fixture(scope="module")
def desk(service: Service) -> Iterator[Person]:
    """The Owner of an institution with the licenses that are asked for."""
    person = new_owner(service)
    with service.sign_in(person.email) as client:
        fill(open_workspace(client, "Hawk"))
        yield person


def fill(workspace: Workspace) -> None:
    workspace.release("7.3")
    for model, name, term in (
        ("Trial", "Tom Weber", {"expirationDate": in_days(20)}),
        ("Perpetual", "Paul Martin", {}),
        ("Perpetual", "Leo Fontaine", {}),
        ("Perpetual", "Ben Adler", {}),
        ("Perpetual", "Eva Lindt", {}),
        ("Perpetual", "Grant Hill", {}),
        ("Perpetual", "Studio Nord", {}),
        ("MeteredToken", "Maria Rossi", {"initialMeterBalance": 5}),
        ("MeteredToken", "Night renders", {"initialMeterBalance": 5}),
        ("Concurrent", "Plant Lausitz", {"maxActiveUsersCount": 2}),
    ):
        email = f"{name.split()[0].lower()}@example.com"
        made = workspace.issue(model, licenseName=name, issuedTo=email, **term)
        if name == "Paul Martin":
            workspace.act(made, "suspend", reason="INV-1026 is overdue.")
        if name == "Plant Lausitz":
            workspace.activate(made, "Workstation 7")
    pool = workspace.issue("Floating", licenseName="Render pool", maxActiveUsersCount=3)
    for node in ("Render node 3", "Render node 31"):
        workspace.connect(pool, node)
    workspace.member("Viewer", "Mara Lindner")
    workspace.webhook("https://hooks.example.com/licet", description="Back office")
    shop = connect(workspace, "Hawk shop")
    shop.sell("4713", price="brush-pack")
    shop.order("4713", "Unmatched")
    policy = workspace.policy("Yearly desk", maxActiveUsersCount=5)
    rule = {"match": {"price": "desk"}, "policyId": policy["id"]}
    workspace.ok("POST", f"/api/connectors/{shop.id}/rules", rule)
    buyer = {"email": "m.nowak@example.com", "name": "Marek Nowak"}
    sold = [{"product": "hawk", "price": "desk"}]
    shop.tell("order.paid", id="4714", customer=buyer, lines=sold)
    shop.order("4714", "Fulfilled")
    shop.tell("order.refunded", id="4714")
    shop.order("4714", "Refunded")
    workspace.issue("Perpetual", licenseName="Studio, by the month", issuedTo=buyer["email"])


def misunderstood(page: Page, asked: dict[str, str]) -> dict[str, str]:
    """The requests to which something else is offered first, and what."""
    if page.url == "about:blank":
        go(page, "/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("dialog").get_by_role("combobox")
    offers = page.get_by_role("dialog").get_by_role("listbox")
    wrong: dict[str, str] = {}
    for text, first in asked.items():
        field.fill(text)
        expect(offers).to_have_attribute("aria-busy", "false")
        found = offers.get_by_role("option").first.evaluate(TEXTS)
        if not re.match(first, found):
            wrong[text] = found
    return wrong


def test_the_name_of_what_is_in_view_offers_what_is_called_so_and_not_its_acts(
    new_page: NewPage, desk: Person
) -> None:
    page = signed_in(new_page(), desk.email)
    go(page, "/customers?search=leo")
    page.get_by_role("link", name="leo@example.com").first.click()
    heading(page, "leo@example.com")
    asked = {"leo": "Leo Fontaine", "send portal": "Send portal link", "issue leo": "Issue license"}
    assert misunderstood(page, asked) == {}


def test_a_page_that_is_called_so_stands_before_one_that_is_looked_for_so(
    new_page: NewPage, desk: Person
) -> None:
    page = signed_in(new_page(), desk.email)
    asked = {
        "expiring": "Licenses: Expiring soon",
        "rule": "Create rule: Hawk shop",
    }
    assert misunderstood(page, asked) == {}
    page.get_by_role("dialog").get_by_role("combobox").fill("create rule")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=re.compile("rule$"))).to_be_visible()


def test_the_empty_palette_is_short_and_has_what_was_looked_at(
    new_page: NewPage, desk: Person
) -> None:
    page = signed_in(new_page(), desk.email)
    go(page, "/licenses?search=paul")
    page.get_by_role("link", name="Paul Martin").click()
    heading(page, "Paul Martin")
    go(page, "/orders?search=4714")
    page.get_by_role("link", name="4714").click()
    heading(page, "Order 4714")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search or jump to")
    recent = palette.get_by_role("group", name="Recent").get_by_role("option")
    # The order itself is in view.
    expect(recent).to_have_text([re.compile("^Paul Martin")])
    usual = palette.get_by_role("group", name="Most used").get_by_role("option")
    expect(usual).to_have_count(5)
    for key in ("Tab", "Shift+Tab"):
        page.keyboard.press(key)
        expect(palette.get_by_role("combobox")).to_be_focused()
    expect(
        palette.get_by_role("group", name="Paul Martin").get_by_role("option")
    ).not_to_have_count(0)
    page.keyboard.press("Escape")
    palette.get_by_role("combobox").fill("licenses: expired")
    page.keyboard.press("Enter")
    heading(page, "Licenses")
    page.keyboard.press("Control+k")
    expect(usual.first).to_have_text("Licenses: Expired")


def as_shown(instant: str) -> str:
    """Return the day of an instant as the date field shows it."""
    day = datetime.fromisoformat(instant)
    return f"{day:%b} {day.day}, {day.year}"


def test_requests_are_understood_in_english(new_page: NewPage, desk: Person) -> None:
    page = signed_in(new_page(), desk.email)
    assert misunderstood(page, ENGLISH) == {}


def test_requests_are_understood_in_german(new_page: NewPage, desk: Person) -> None:
    page = signed_in(new_page(), desk.email)
    page.add_init_script("localStorage.setItem('licet.locale', '\"de\"')")
    assert misunderstood(page, GERMAN) == {}


def test_a_session_is_disconnected_by_its_first_act(new_page: NewPage, desk: Person) -> None:
    page = signed_in(new_page(), desk.email)
    go(page, "/")
    heading(page, "Home")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("render node 31")
    page.keyboard.press("Shift+Enter")
    dialog = page.get_by_role("dialog", name="Disconnect session")
    expect(dialog).to_contain_text("Render node 31")
    dialog.get_by_role("button", name="Disconnect session").click()
    expect(page.get_by_text("Session on Render node 31 disconnected.")).to_be_visible()
    expect(page.get_by_role("row", name="Render node 31")).to_have_count(0)


def test_what_is_said_with_the_verb_is_filled_in(new_page: NewPage, desk: Person) -> None:
    page = signed_in(new_page(), desk.email)
    go(page, "/")
    heading(page, "Home")
    for text, label, filled in (
        ("grant 500 maria", "Amount", "500"),
        ("extend tom 10 days", "Expiration date", as_shown(in_days(30))),
    ):
        page.keyboard.press("Control+k")
        expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label(label)).to_have_value(filled)
        dialog.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(re.compile(r"^[^?]*$"))


def test_who_only_sees_finds_colleagues_and_asks_for_nothing_else(
    new_page: NewPage, desk: Person
) -> None:
    page = signed_in(new_page(), "mara.lindner@example.com")
    asked = {
        "mara": "Mara Lindner",
        "authenticator": "Authenticator app Profile and security",
        "time zone": "Time zone",
    }
    assert list(misunderstood(page, asked)) == ["time zone"]


def test_the_help_answers_where_nothing_is_called_so(new_page: NewPage, desk: Person) -> None:
    page = signed_in(new_page(), desk.email)
    go(page, "/")
    heading(page, "Home")
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").fill("seat limit")
    answers = page.get_by_role("dialog").get_by_role("group", name="Help").get_by_role("option")
    expect(answers.last).to_have_text("Search the help for “seat limit”")
    expect(answers.nth(1)).to_be_visible()
    answers.first.click()
    expect(page).to_have_url(re.compile("/help/[a-z-]+(#.*)?$"))
