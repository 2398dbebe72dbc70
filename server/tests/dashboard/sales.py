"""A shop elsewhere that a connector brings in: its signed events, and the steps of its tests."""

import json
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx
from connectors.shops import sign
from dashboard.vendor import Json, Workspace
from patience import eventually
from playwright.sync_api import Locator, Page

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.clock import system_clock

_numbers = count(1)


@dataclass
class Elsewhere:
    """A shop that sends Standard Webhooks messages to the inbox of a connector."""

    workspace: Workspace
    id: str
    secret: str

    def send(self, kind: str, secret: str | None = None, **data: Any) -> httpx.Response:
        """Send an event about an order; the answer may be a refusal."""
        now = system_clock()
        event = {"type": kind, "timestamp": now.isoformat(), "data": data}
        raw = json.dumps(event).encode()
        name = f"msg_{self.id}_{next(_numbers)}"
        headers = sign(ConnectorKind.GENERIC, raw, now, secret or self.secret, name)
        inbox = self.workspace.ok("GET", f"/api/connectors/{self.id}")["inboxUrl"]
        return self.workspace.owner.post(
            urlsplit(inbox).path,
            content=raw,
            headers={"content-type": "application/json", **headers},
        )

    def tell(self, kind: str, **data: Any) -> None:
        self.send(kind, **data).raise_for_status()

    def sell(self, order: str, price: str, email: str = "jane@example.com", **line: Any) -> None:
        self.tell(
            "order.paid",
            id=order,
            customer={"email": email, "name": "Jane Doe"},
            lines=[{"product": "aurora", "price": price, **line}],
        )

    def order(self, name: str, status: str) -> Json:
        """An order, as soon as it has this status."""

        def found() -> Json | None:
            path = f"/api/orders?connectorId={self.id}&status={status}&pageSize=100"
            items = self.workspace.ok("GET", path)["items"]
            return next((item for item in items if item["externalId"] == name), None)

        return dict(eventually(found, f"order {name} is {status}"))


def connect(workspace: Workspace, name: str = "Web shop", **fields: Any) -> Elsewhere:
    """A generic connector of the Owner."""
    body = {"institutionId": workspace.institution, "kind": "Generic", "name": name, **fields}
    made = workspace.ok("POST", "/api/connectors", body)
    return Elsewhere(workspace, made["id"], made["signingSecret"])


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def confirm(page: Page, action: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=action, exact=True).click()


def order_row(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="Orders").get_by_role("row").filter(has_text=name)


def choose_product(dialog: Locator, page: Page, workspace: Workspace) -> None:
    # Not typed: the only product of an institution is chosen by itself meanwhile.
    dialog.get_by_role("combobox", name="Licensed product").click()
    page.get_by_role("option", name=workspace.name, exact=True).click()


def policy_of(workspace: Workspace, **fields: Any) -> str:
    return str(workspace.policy("Team, yearly", **{"maxActiveUsersCount": 5, **fields})["id"])


def connected(workspace: Workspace, **fields: Any) -> Elsewhere:
    return connect(workspace, f"Shop {next(_numbers)}", **fields)
