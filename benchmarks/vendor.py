"""A product on a running service, made through its API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.server import Server, ask, signed_in


@dataclass(frozen=True, slots=True)
class Vendor:
    """A product with its first release, and the headers of its applications."""

    product: dict[str, Any]
    release_id: str
    headers: dict[str, str]


def make_vendor(
    server: Server,
    settings: Mapping[str, object] | None = None,
    *,
    institution_id: str | None = None,
) -> Vendor:
    """One product with these settings, in the Owner's first institution or another one."""
    with signed_in(server) as client:
        body = {
            "name": "Aurora",
            "initialVersion": "3.2.0",
            "settings": settings or {},
            "institutionId": institution_id,
        }
        product = ask(client, "POST", "/api/products", body)
        place = f"/api/products/{product['id']}"
        [release] = ask(client, "GET", f"{place}/releases")["items"]
        key = ask(client, "GET", f"{place}/credentials")["apiKey"]
    return Vendor(product, release["id"], {"X-API-KEY": key})
