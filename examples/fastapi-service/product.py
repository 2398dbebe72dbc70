"""What the server calls this product. You can ship all of it; none of it can issue a license."""

from typing import Any

PRODUCT: dict[str, Any] = {
    "product_id": "01920000-0000-7000-8000-000000000001",
    "public_keys": ["MIIBojANBgkqhkiG9w0BAQ...", "MIIBojANBgkqhkiG9w0BAQ..."],
    "api_key": "pk_...",
    "server_base_endpoint": "https://licenses.example.com/api",
}
