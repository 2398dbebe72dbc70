"""Products, licenses and keys for tests."""

from typing import Any

from testkit import Owner

FUTURE = "2031-01-01T00:00:00Z"

EXAMPLES: dict[str, dict[str, Any]] = {
    "Perpetual": {},
    "Trial": {"expirationDate": FUTURE},
    "Subscription": {"expirationDate": FUTURE},
    "Floating": {"maxActiveUsersCount": 3},
    "Concurrent": {"maxActiveUsersCount": 3},
    "NodeLocked": {},
    "MeteredToken": {"initialMeterBalance": 12.5},
    "MeteredCount": {"initialMeterBalance": 100},
}
"""The terms that each model requires."""


async def make_product(owner: Owner, **fields: Any) -> dict[str, Any]:
    """A product with signing keys."""
    body = {"name": "Aurora", "initialVersion": "2.1.0", **fields}
    product = await owner.ok("POST", "/api/products", body)
    await owner.ok("POST", f"/api/products/{product['id']}/keys/generate", {"keySize": 2048})
    return product


def license_body(product: dict[str, Any], model: str = "Perpetual", **fields: Any) -> Any:
    return {
        "productId": product["id"],
        "type": model,
        "licenseName": f"A {model} license",
        "issuedTo": "customer@example.com",
        **EXAMPLES.get(model, {}),
        **fields,
    }


async def issue(
    owner: Owner, product: dict[str, Any], model: str = "Perpetual", **fields: Any
) -> dict[str, Any]:
    """Issue a license; return the response body."""
    return await owner.ok("POST", "/api/licenses", license_body(product, model, **fields))


async def product_key(owner: Owner, product: dict[str, Any]) -> str:
    credentials = await owner.ok("GET", f"/api/products/{product['id']}/credentials")
    return str(credentials["apiKey"])
