"""A product on a running service, created through its API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.server import Server, call_api, signed_in


@dataclass(frozen=True, slots=True)
class Vendor:
    """A product with its first release, and the headers of its applications."""

    product: dict[str, Any]
    release_id: str
    headers: dict[str, str]


def create_vendor(
    server: Server,
    settings: Mapping[str, object] | None = None,
    *,
    institution_id: str | None = None,
) -> Vendor:
    """Create a product with these settings, in the Owner's first institution or another one."""
    with signed_in(server) as client:
        body = {
            "name": "Aurora",
            "initialVersion": "3.2.0",
            "settings": settings or {},
            "institutionId": institution_id,
        }
        product = call_api(client, "POST", "/api/products", body)
        place = f"/api/products/{product['id']}"
        [release] = call_api(client, "GET", f"{place}/releases")["items"]
        key = call_api(client, "GET", f"{place}/credentials")["apiKey"]
    return Vendor(product, release["id"], {"X-API-KEY": key})
