"""A vendor with something on every page, made by requests that people and applications send."""

import re
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import Any
from urllib.parse import quote

import httpx
from e2e.process import NO_TLS, PASSWORD
from e2e.vendor import Vendor, make_vendor
from licenses.factories import EXAMPLES
from patience import eventually

from licet_server.kit.clock import system_clock

Json = dict[str, Any]
MODELS = tuple(EXAMPLES)
ROLES = ("Owner", "Admin", "Member", "Viewer")

_numbers = count(1)


@dataclass(frozen=True)
class Person:
    """Somebody who can sign in."""

    email: str
    name: str
    password: str = PASSWORD


@dataclass
class Workspace(Vendor):
    """A product of the Owner's institution, and its applications on customers' machines."""

    institution: str = ""
    name: str = ""
    licenses: dict[str, Json] = field(default_factory=dict)
    """What `furnish` has issued, by model."""

    @property
    def path(self) -> str:
        return f"/api/products/{self.product}"

    # What applications ask, by the product key.

    def ask(self, path: str, license_: Json, machine: str | None = None, **fields: Any) -> Json:
        """The answer, also where it is a refusal in the body of a 200."""
        body = {"licenseKey": license_["licenseKey"], **fields}
        if machine is not None:
            body |= {"hardwareId": machine, "deviceName": machine}
        key = {"x-api-key": self.api_key}
        answer = httpx.post(
            str(self.owner.base_url.join(path)),
            json=body,
            headers=key,
            trust_env=False,
            timeout=30,
            verify=NO_TLS,
        )
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return dict(answer.json())

    def activate(self, license_: Json, machine: str = "Workstation", **fields: Any) -> Json:
        return self.ask("/api/activations", license_, machine, **fields)

    def validate(self, license_: Json, machine: str | None = None, **fields: Any) -> Json:
        return self.ask("/api/licenses/validate", license_, machine, **fields)

    def connect(self, license_: Json, machine: str = "Workstation", **fields: Any) -> Json:
        return self.ask("/api/sessions/connect", license_, machine, **fields)

    def consume(self, license_: Json, feature: str, quantity: int = 1, **fields: Any) -> Json:
        use = {"featureName": feature, "quantity": quantity, **fields}
        return self.ask(
            "/api/meter/consume", license_, **{"idempotencyKey": f"use-{next(_numbers)}", **use}
        )

    # What the Owner does.

    def release(self, version: str, **fields: Any) -> Json:
        return dict(self.ok("POST", f"{self.path}/releases", {"version": version, **fields}))

    def feature(self, name: str, cost: float | None = None, **fields: Any) -> Json:
        made = self.ok("POST", f"{self.path}/features", {"name": name, **fields})
        if cost is not None:
            self.ok("PUT", f"/api/meter/features/{made['id']}/pricing", {"tokenCost": cost})
        return dict(made)

    def entitlement_set(self, name: str, *features: str) -> Json:
        body = {"name": name, "featureNames": list(features)}
        return dict(self.ok("POST", f"{self.path}/entitlement-sets", body))

    def policy(self, name: str, model: str = "Concurrent", **fields: Any) -> Json:
        body = {"productId": self.product, "name": name, "type": model, "durationDays": 365}
        return dict(self.ok("POST", "/api/policies", body | fields))

    def act(self, license_: Json, action: str, **body: Any) -> Json:
        """Such as `suspend`, `revoke` or `reinstate`."""
        return dict(self.ok("POST", f"/api/licenses/{license_['id']}/{action}", body or None))

    def webhook(self, url: str, *event_types: str, **fields: Any) -> Json:
        body = {"url": url, "eventTypes": list(event_types or ["*"]), **fields}
        return dict(self.ok("POST", "/api/webhooks", body))

    def personal_key(self, name: str, *scopes: str, **fields: Any) -> Json:
        body = {"name": name, "scopes": list(scopes or ["Licenses.Read"]), **fields}
        return dict(self.ok("POST", "/api/api-keys", body))

    # Other people.

    def invite(self, role: str, email: str, **assigned: Any) -> Json:
        """The invitation, with the link in `acceptUrl`."""
        path = f"/api/institutions/{self.institution}/invitations"
        return dict(self.ok("POST", path, {"email": email, "role": role, **assigned}))

    def member(self, role: str, name: str | None = None) -> Person:
        """Somebody new, who was invited and has accepted; a Member has the product assigned."""
        name = name or f"{role} {next(_numbers)}"
        person = Person(f"{name.lower().replace(' ', '.')}@example.com", name)
        assigned = {"productIds": [self.product]} if role == "Member" else {}
        link = self.invite(role, person.email, **assigned)["acceptUrl"]
        token = token_in(link)
        self._visit("/api/auth/accept-invitation", token=token, **_credentials(person))
        return person

    def customer(self, name: str) -> Json:
        """The institution of a customer, which the Owner owns as well."""
        return dict(self.ok("POST", "/api/institutions", {"name": name}))

    def person_of(self, institution: Json, role: str) -> Person:
        """Somebody new in another institution."""
        return replace(self, institution=institution["id"]).member(role)

    def tie(self) -> None:
        """License the product to associated institutions only."""
        self.ok("PUT", self.path, {"accessType": "Associated"})

    def associate(self, institution: Json) -> None:
        invited = self.ok("POST", f"{self.path}/associations", {"email": "buyer@example.com"})
        body = {"token": token_in(invited["inviteUrl"]), "institutionId": institution["id"]}
        self.ok("POST", "/api/associations/accept", body)

    def vouch(self, person: Person) -> None:
        """Verify their email address for them."""
        [found] = self.ok("GET", f"/api/users?search={quote(person.email)}")["items"]
        self.ok("POST", f"/api/users/{found['id']}/verify-email")

    def end_user(self, email: str | None = None, name: str = "Ada Customer") -> Person:
        """Somebody who has opened the portal by the link in an email."""
        person = Person(email or f"customer{next(_numbers)}@customers.example.com", name)
        self._visit("/api/portal/access", email=person.email)
        token = self.mailed_token(person.email)
        self._visit("/api/portal/access/confirm", token=token, **_credentials(person))
        return person

    def mailed_token(self, email: str) -> str:
        """The token in the newest email to an address, as soon as one is written."""

        def newest() -> re.Match[str] | None:
            listed = self.ok("GET", "/api/mails?sort=-createdAt&pageSize=100")["items"]
            texts = (item["text"] or "" for item in listed if item["recipient"] == email)
            return re.search(r"[?&]token=(\S+)", next(texts, ""))

        return str(eventually(newest, f"the email to {email} is written")[1])

    def _visit(self, path: str, **body: Any) -> None:
        url = str(self.owner.base_url.join(path))
        answer = httpx.post(url, json=body, trust_env=False, timeout=30, verify=NO_TLS)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"


def token_in(link: str) -> str:
    """The token of a link that invites."""
    return str(httpx.URL(link).params["token"])


def _credentials(person: Person) -> Json:
    return {"password": person.password, "fullName": person.name}


def open_workspace(owner: httpx.Client, name: str | None = None) -> Workspace:
    """A new product with keys and one release, whose sessions outlive the tests of a module."""
    name = name or f"Aurora {next(_numbers)}"
    made = make_vendor(owner, name)
    made.ok("PUT", f"/api/products/{made.product}", {"settings": {"sessionTimeoutSeconds": 3_600}})
    institution = made.ok("GET", f"/api/products/{made.product}")["institutionId"]
    return Workspace(owner, made.product, made.api_key, made.public_key, institution, name)


def in_days(days: float) -> str:
    """A time from now, as the wire writes it."""
    return (system_clock() + timedelta(days=days)).isoformat()


def furnish(workspace: Workspace, customer: str = "customer@example.com") -> None:
    """Fill every page: each model in use, what needs attention, and a team."""
    workspace.release("2.2.0-beta.1", channel="Beta", notes="For testers.")
    workspace.feature("raw-import", displayName="RAW import")
    workspace.feature("export", cost=2.5, displayName="Batch export")
    standard = workspace.entitlement_set("Standard", "raw-import", "export")
    workspace.policy("Team, yearly", maxActiveUsersCount=5, entitlementSetId=standard["id"])
    _issue_each(workspace, standard, customer)
    _use_devices(workspace)
    _use_meters(workspace)
    workspace.personal_key("Nightly report", "Licenses.Read")
    for role in ROLES:
        workspace.member(role)
    workspace.invite("Viewer", f"invited{next(_numbers)}@example.com")


def _issue_each(workspace: Workspace, standard: Json, customer: str) -> None:
    for model in MODELS:
        terms = {"entitlementSetId": standard["id"]} if model == "Subscription" else {}
        workspace.licenses[model] = workspace.issue(model, issuedTo=customer, **terms)
    workspace.issue("Trial", licenseName="Ends soon", issuedTo=customer, expirationDate=in_days(14))
    suspended = workspace.issue("Perpetual", licenseName="Unpaid", issuedTo=customer)
    workspace.act(suspended, "suspend")
    revoked = workspace.issue("Trial", licenseName="Misused", issuedTo=customer)
    workspace.act(revoked, "revoke")


def _use_devices(workspace: Workspace) -> None:
    """Seats, a live pool, a stranger at a bound license, and a device that waits for approval."""
    for machine in ("Anna's laptop", "Ben's desktop"):
        workspace.activate(
            workspace.licenses["Concurrent"], machine, os="Debian 13", appVersion="2.1.0"
        )
        workspace.connect(workspace.licenses["Floating"], machine, appVersion="2.1.0")
    for machine in ("Workstation 7", "Unknown laptop"):
        workspace.validate(workspace.licenses["NodeLocked"], machine)
    waiting = workspace.issue(
        "NodeLocked", licenseName="Workstation 8", deviceBindingMode="OwnerApproval"
    )
    workspace.validate(waiting, "Workstation 8")


def _use_meters(workspace: Workspace) -> None:
    credits_, counter = workspace.licenses["MeteredToken"], workspace.licenses["MeteredCount"]
    path = f"/api/licenses/{credits_['id']}/meter-settings"
    workspace.ok("PUT", path, {"lowBalanceThreshold": 10})
    for quantity in (1, 2):
        workspace.consume(credits_, "export", quantity)
        workspace.consume(counter, "export", quantity)
    order = {"amount": 2.5, "reason": "Top-up", "externalReference": "INV-2041"}
    workspace.ok("POST", "/api/meter/grant", {"licenseId": credits_["id"], **order})
