"""A product of the running service, and what its operator does with it."""

from dataclasses import dataclass
from typing import Any

import httpx
from client_scenarios import Target
from licenses.factories import EXAMPLES

FUTURE = "2099-01-01T00:00:00Z"


@dataclass
class Vendor:
    """An Owner's client and one product with keys."""

    owner: httpx.Client
    product: str
    api_key: str
    public_key: str

    def issue(self, model: str = "Perpetual", **fields: Any) -> Any:
        return self.ok("POST", "/api/licenses", self.draft(model, **fields))

    def draft(self, model: str = "Perpetual", **fields: Any) -> dict[str, Any]:
        terms = dict(EXAMPLES[model])
        if "expirationDate" in terms:
            terms["expirationDate"] = FUTURE
        return {
            "productId": self.product,
            "type": model,
            "licenseName": f"A {model} license",
            "issuedTo": "customer@example.com",
            **terms,
            **fields,
        }

    def ok(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.owner.request(method, path, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def file(self, license_: Any, **query: str) -> bytes:
        answer = self.owner.get(f"/api/licenses/{license_['id']}/file", params=query)
        return answer.raise_for_status().content

    @property
    def target(self) -> Target:
        """The product, as an application knows it."""
        return Target(
            str(self.owner.base_url.join("/api")), self.api_key, self.product, self.public_key
        )


def make_vendor(owner: httpx.Client, name: str = "Aurora") -> Vendor:
    vendor = Vendor(owner, "", "", "")
    body = {"name": name, "initialVersion": "2.1.0"}
    vendor.product = vendor.ok("POST", "/api/products", body)["id"]
    path = f"/api/products/{vendor.product}"
    vendor.ok("POST", f"{path}/keys/generate", {"keySize": 2048})
    vendor.api_key = vendor.ok("GET", f"{path}/credentials")["apiKey"]
    vendor.public_key = vendor.ok("GET", f"{path}/keys/public")["publicKeyPem"]
    return vendor
