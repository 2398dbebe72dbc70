"""Every page of the dashboard: its address, who goes there, and the dialogs that open on it.

A new page or tab takes one `Stop` here. `declared.py` reads what there is from the sources, and
test_walk.py names what no stop leads to.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

import httpx
from dashboard.checks import (
    ALL,
    BOTH,
    LIGHT,
    PHONE,
    Screen,
    axe,
    fits,
    look,
    on_each,
    rules_on,
    tables_fit,
)
from dashboard.offline_machine import offline_machine
from dashboard.photographs import photograph
from dashboard.sales import connect
from dashboard.vendor import Json, Person, Workspace, furnish, in_days, open_workspace, token_in
from dashboard.watching import watch_of
from e2e.process import EMAIL, PASSWORD
from offline.machine import Signer
from patience import eventually
from playwright.sync_api import Locator, Page, expect
from volumes import is_long

from licet_server.kit.clock import system_clock

VISITOR = "Visitor"
CUSTOMER = "Customer"
BUYER = "ada@customers.example.com"


@dataclass(frozen=True)
class Stop:
    """`{words}` of an address stand for ids of the furnished vendor."""

    name: str
    address: str
    who: str = "Owner"
    press: tuple[str, ...] = ()
    """Buttons, one after the other; the last opens a dialog."""
    ends: str | None = None
    """Where the address leads, if the page sends its visitor on."""


def _each(who: str, *addresses: str, ends: str | None = None) -> list[Stop]:
    """Named by address: /products/{product}/keys is product-keys."""
    names = [
        urlsplit(address).path.replace("/{", "-{").replace("s-{", "-{").strip("/")
        for address in addresses
    ]
    return [
        Stop(f"{who.lower()}-{_plain(name) or 'home'}", address, who, ends=ends)
        for name, address in zip(names, addresses, strict=True)
    ]


_IDS = tuple(
    f"{{{word}}}"
    for word in ("institution", "product", "webhook", "release", "customer", "order", "connector")
)


def _plain(name: str) -> str:
    for word in _IDS:
        name = name.replace(f"-{word}", "")
    return name.replace("{", "").replace("}", "").replace("/", "-")


STOPS = (
    *_each(
        "Owner",
        "/",
        "/institutions",
        "/institutions/{institution}",
        "/institutions/{institution}/products",
        "/products",
        "/products/new",
        "/products/{product}",
        "/products/{product}/releases",
        "/products/{product}/releases/{release}",
        "/products/{product}/features",
        "/products/{product}/entitlement-sets",
        "/products/{product}/policies",
        "/products/{product}/emails",
        "/products/{product}/keys",
        "/products/{product}/settings",
        "/products/{tied}/associations",
        "/licenses",
        "/licenses/new",
        "/licenses/import",
        "/licenses/{Perpetual}",
        "/licenses/{Subscription}",
        "/licenses/{Concurrent}/activations",
        "/licenses/{AirGapped}/activations",
        "/licenses/{AirGapped}/activations/offline",
        "/licenses/{Floating}",
        "/licenses/{Floating}/sessions",
        "/licenses/{NodeLocked}",
        "/licenses/{NodeLocked}/access-attempts",
        "/licenses/{NodeLocked}/events",
        "/licenses/{NodeLocked}/diagnose",
        "/licenses/{MeteredToken}",
        "/licenses/{MeteredToken}/meter",
        "/licenses/{MeteredToken}/meter/reserved",
        "/licenses/{MeteredCount}/meter",
        "/licenses/{Revoked}",
        "/customers",
        "/customers/{customer}",
        "/customers/{customer}/events",
        "/orders",
        "/orders/{order}",
        "/orders/{unmatched}",
        "/connectors",
        "/connectors/new",
        "/connectors/{connector}",
        "/connectors/{connector}/setup",
        "/connectors/{connector}/rules",
        "/connectors/{connector}/events",
        "/connectors/{connector}/settings",
        "/received-licenses",
        "/received-licenses/products",
        "/received-licenses/{Received}",
        "/statistics",
        "/statistics/renewals",
        "/statistics/sales",
        "/statistics/features",
        "/statistics/activations",
        "/statistics/sessions",
        "/statistics/meter-usage",
        "/statistics/telemetry",
        "/settings",
        "/settings/appearance",
        "/settings/sign-in",
        "/settings/emails",
        "/settings/api-keys",
        "/settings/webhooks",
        "/settings/plan",
        "/settings/team",
        "/settings/audit",
        "/webhooks/new",
        "/webhooks/{webhook}",
        "/webhooks/{webhook}/settings",
        "/notifications",
        "/notifications/preferences",
        "/profile",
        "/profile/password",
        "/profile/second-factor",
        "/profile/sessions",
        "/help",
        "/help/node-locked",
        "/help/metering",
        "/whats-new",
        "/whats-new/changelog",
        "/users",
        "/mails",
        "/doctor",
        "/audit",
        "/nothing-stands-here",
    ),
    *_each("Owner", "/institutions/{institution}/members", ends="/settings/team"),
    *_each("Owner", "/institutions/{institution}/invitations", ends="/settings/team"),
    *_each("Owner", "/institutions/{institution}/audit", ends="/settings/audit"),
    *_each("Owner", "/institutions/{institution}/settings", ends="/settings"),
    *_each("Owner", "/institutions/{institution}/single-sign-on", ends="/settings/sign-in"),
    *_each("Owner", "/webhooks", ends="/settings/webhooks"),
    Stop("other-settings", "/institutions/{other}/settings/plan"),
    Stop("new-institution", "/institutions", press=("New institution",)),
    Stop("invite", "/settings/team", press=("Invite",)),
    Stop("invite-institution", "/products/{tied}/associations", press=("Invite institution",)),
    Stop("add-release", "/products/{product}/releases", press=("Add release",)),
    Stop("add-feature", "/products/{product}/features", press=("Add feature",)),
    Stop("add-policy", "/products/{product}/policies", press=("Add policy",)),
    Stop(
        "apply-policy",
        "/products/{product}/policies",
        press=("Actions for Team, yearly", "Apply to licenses"),
    ),
    Stop("add-customer", "/customers", press=("Add customer",)),
    Stop("erase-customer", "/customers/{customer}", press=("More", "Erase personal data")),
    Stop("merge-customer", "/customers/{customer}", press=("More", "Merge into another")),
    Stop("order-reports", "/orders", press=("Email reports",)),
    Stop("create-rule", "/orders/{unmatched}", press=("Create rule for order B-2002",)),
    Stop("add-rule", "/connectors/{connector}/rules", press=("Add rule",)),
    Stop("replace-secret", "/connectors/{connector}/settings", press=("Replace signing secret",)),
    Stop("delete-connector", "/connectors/{connector}/settings", press=("Delete connector",)),
    Stop("rotate-keys", "/products/{product}/keys", press=("Rotate keys",)),
    Stop("rotate-product-key", "/products/{product}/keys", press=("Rotate product key",)),
    Stop("edit-license", "/licenses/{Trial}", press=("More", "Edit")),
    Stop("send-license", "/licenses/{Trial}", press=("More", "Send by email")),
    Stop("revoke-license", "/licenses/{Trial}", press=("More", "Revoke")),
    Stop("offline-desk", "/licenses/{AirGapped}/activations", press=("Offline desk",)),
    Stop("new-api-key", "/settings/api-keys", press=("New API key",)),
    *_each(
        "Viewer",
        "/",
        "/settings",
        "/settings/plan",
        "/settings/webhooks",
        "/products/{product}",
        "/products/{product}/emails",
        "/products/{product}/keys",
        "/licenses",
        "/licenses/{NodeLocked}",
        "/orders",
        "/orders/{unmatched}",
        "/connectors",
        "/settings/api-keys",
        "/statistics",
    ),
    *_each(
        "Member",
        "/",
        "/products",
        "/licenses",
        "/licenses/{Concurrent}/activations",
        "/statistics",
    ),
    *_each(CUSTOMER, "/portal", "/portal/licenses/{Owned}", "/profile", "/help/node-locked"),
    *_each(
        VISITOR,
        "/login",
        "/setup",
        "/register",
        "/forgot-password",
        "/reset-password",
        "/verify-email",
        "/accept-invitation",
        "/accept-association",
        "/confirm-domain",
        "/stop-reports",
        "/portal/access",
        "/portal/welcome",
        "/o",
    ),
    Stop("visitor-o-request", "/o#{offline}", VISITOR),
    Stop("visitor-invited", "/accept-invitation?token={invitation}", VISITOR),
    Stop("visitor-associated", "/accept-association?token={association}", VISITOR),
    Stop("owner-associated", "/accept-association?token={association}"),
)

OF_EACH_KIND = {
    "owner-home",
    "owner-products",
    "owner-product-keys",
    "owner-license-Floating",
    "owner-license-MeteredToken-meter",
    "owner-licenses-new",
    "owner-order-unmatched",
    "owner-statistics",
    "owner-settings-appearance",
    "owner-help-metering",
    "revoke-license",
    "customer-portal",
    "visitor-login",
}
"""One page of each kind: these are looked at on all screens in the short form, too."""

PHOTOGRAPHED = (LIGHT, PHONE)
CHANGEABLE = {"owner-mails", "owner-doctor", "owner-profile-sessions", "owner-whats-new-changelog"}
"""They have no photograph: emails of one moment in any order, live figures, each sign-in, the
changelog."""


@dataclass
class World:
    """A furnished vendor, and somebody of each kind."""

    people: dict[str, Person]
    ids: dict[str, str]


def make_world(owner: httpx.Client, receiver: str) -> World:
    # First of all: whether it gets what happened shortly before would depend on the machine.
    wanted = {"url": receiver, "eventTypes": ["*"], "description": "The shop's back office"}
    webhook = owner.post("/api/webhooks", json=wanted).raise_for_status().json()
    workspace = open_workspace(owner, "Aurora")
    furnish(workspace)
    owned = workspace.issue("Concurrent", licenseName="Two desks", issuedTo=BUYER)
    workspace.activate(owned, "Ada's laptop", os="Debian 13")
    event = {"name": "file.exported", "occurredAt": system_clock().isoformat()}
    events = [{**event, "properties": {"format": "PNG"}}, {**event, "properties": {"pages": 12}}]
    workspace.ask("/api/telemetry", owned, "Ada's laptop", events=events)
    [release, *_] = workspace.ok("GET", f"{workspace.path}/releases")["items"]
    upload = {"file": ("aurora-2.1.0-amd64.deb", b"A program." * 1000)}
    path = f"/api/releases/{release['id']}/files"
    workspace.owner.post(path, files=upload, data={"platform": "Linux"}).raise_for_status()
    [revoked, *_] = workspace.ok("GET", "/api/licenses?search=Misused")["items"]
    link = workspace.invite("Viewer", "new.colleague@example.com")["acceptUrl"]
    connector, order, unmatched = _sales(workspace)
    tied, received, offered = _license_to_an_institution(workspace)
    provider = {
        "issuer": "https://login.example.com",
        "clientId": "licet",
        "domains": ["example.com"],
    }
    workspace.ok("PUT", f"/api/institutions/{workspace.institution}/sso", provider)
    offline = _machine_without_a_network(workspace)
    return World(
        people={
            "Owner": Person(EMAIL, "Owner", PASSWORD),
            "Viewer": workspace.member("Viewer"),
            "Member": workspace.member("Member"),
            CUSTOMER: workspace.end_user(BUYER),
        },
        ids={
            **{model: made["id"] for model, made in workspace.licenses.items()},
            "institution": workspace.institution,
            "other": workspace.customer("Northwind Europe")["id"],
            "product": workspace.product,
            "release": release["id"],
            "webhook": webhook["id"],
            "Revoked": revoked["id"],
            "Owned": owned["id"],
            "AirGapped": offline.license["id"],
            "offline": offline.sign(),
            "customer": owned["customerId"],
            "connector": connector,
            "order": order["id"],
            "unmatched": unmatched["id"],
            "invitation": link.partition("token=")[2],
            "tied": tied.product,
            "Received": received["id"],
            "association": token_in(offered["inviteUrl"]),
        },
    )


def _machine_without_a_network(workspace: Workspace) -> Signer:
    """A machine whose request waits for approval, and whose next one is on its way."""
    owned = workspace.issue("Concurrent", licenseName="Press room", offlineActivation="Approval")
    machine = offline_machine(workspace, owned, "Press 4")
    url = str(workspace.owner.base_url.join("/api/offline/requests/answer"))
    workspace.owner.post(url, json={"request": machine.sign()}).raise_for_status()
    return machine


def _sales(workspace: Workspace) -> tuple[str, Json, Json]:
    """A connector, an order that has its license, and one that waits for a rule."""
    [policy, *_] = workspace.ok("GET", f"/api/policies?productId={workspace.product}")["items"]
    rules = [
        {"match": {"price": "aurora-team"}, "policyId": policy["id"], "quantityAs": "Seats"},
        {"match": {"product": "support"}},
    ]
    elsewhere = connect(workspace, rules=rules)
    # One after the other, so that events always have the same order.
    elsewhere.sell("B-2001", "aurora-team", email=BUYER, quantity=5, periodEnd=in_days(365))
    order = elsewhere.order("B-2001", "Fulfilled")
    mailed = f"/api/institutions/{workspace.institution}/audit?kind=license.mailed"
    eventually(lambda: workspace.ok("GET", mailed)["items"], "the license is mailed")
    elsewhere.sell("B-2002", "aurora-campus-licence-with-a-long-name", quantity=40)
    unmatched = elsewhere.order("B-2002", "Unmatched")
    elsewhere.tell("order.paid", note="An order without its name.")
    return elsewhere.id, order, unmatched


def _license_to_an_institution(workspace: Workspace) -> tuple[Workspace, Json, Json]:
    """A product with a customer of each kind, a license that one received, and an invitation."""
    tied = open_workspace(workspace.owner, f"{workspace.name} for Teams")
    tied.tie()
    customer = tied.customer("Northwind Traders")
    tied.associate(customer)
    tied.ok("POST", f"{tied.path}/associations", {"institutionId": str(UUID(int=1))})
    invited = {"email": "procurement@contoso.example"}
    offered = tied.ok("POST", f"{tied.path}/associations", invited)
    received = tied.issue("Concurrent", customerInstitutionId=customer["id"])
    tied.activate(received, "Reception", os="Debian 13", appVersion="2.1.0")
    tied.connect(received, "Reception", appVersion="2.1.0")
    return tied, received, offered


def screens_for(stop: Stop) -> tuple[Screen, ...]:
    """Return where to look at a page; each is seen in both themes, and in both widths."""
    return ALL if is_long() or stop.name in OF_EACH_KIND else BOTH


def visit(page: Page, stop: Stop, world: World) -> None:
    """Open the page, press what opens its dialog, and judge what it shows on each screen."""
    address = stop.address.format(**world.ids)
    page.goto(address)
    is_whole(page)
    arrived, meant = urlsplit(page.url).path, (stop.ends or urlsplit(address).path)
    assert arrived == meant, f"{address} leads to {arrived}"
    if stop.ends:
        return  # a stop of its own
    for name in stop.press:
        _called(page, name).click()
    if stop.press:
        expect(page.get_by_role("dialog")).to_be_visible()
    screens = screens_for(stop)
    for screen in on_each(page, screens):
        is_whole(page)
        look(page, f"walk-{stop.name}-{screen.name}")
        fits(page)
        if screen is LIGHT:
            tables_fit(page)
        axe(page, rules=rules_on(screen, screens[0]))
        if screen in PHOTOGRAPHED and stop.name not in CHANGEABLE:
            photograph(page, f"{stop.name}-{screen.name}")
    watch_of(page).check()


def is_whole(page: Page) -> None:
    """The page has its one heading, and waits for nothing more."""
    expect(page.get_by_role("heading", level=1, include_hidden=True)).to_have_count(1)
    watch_of(page).hear_out()
    expect(page.locator(".MuiSkeleton-root")).to_have_count(0)
    expect(page.locator("[role=progressbar]:not([aria-valuenow])")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, include_hidden=True)).to_have_count(1)


def _called(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=name, exact=True)
    return button.or_(page.get_by_role("menuitem", name=name, exact=True)).first
