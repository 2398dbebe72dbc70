"""Where the API of each shop has the address of a buyer, and how its answer is read."""

import re
from collections.abc import Mapping
from typing import Any

from licet_server.connectors.rules.facts import Buyer
from licet_server.connectors.rules.lemon_squeezy import CUSTOMER
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.reading import buyer_in, record_if_any

ORDER = "order:"

_ID = re.compile(r"[A-Za-z0-9_-]{1,255}\Z")


def path_of_buyer(kind: ConnectorKind, reference: str, order: str | None) -> str | None:
    """Return the path of a buyer in the API of a shop; `None` if there is none.

    `reference` is the ID of the buyer, and `order` the reference of one of their orders.
    """
    match kind:
        case ConnectorKind.STRIPE:
            folder, name = "/v1/customers", reference
        case ConnectorKind.PADDLE:
            folder, name = "/customers", reference
        case ConnectorKind.LEMON_SQUEEZY if order is not None:
            folder, name = "/v1/orders", order.removeprefix(ORDER)
        case ConnectorKind.LEMON_SQUEEZY:
            folder, name = "/v1/customers", reference.removeprefix(CUSTOMER)
        case ConnectorKind.GENERIC:
            return None
    return f"{folder}/{name}" if _ID.match(name) else None


def buyer_of(kind: ConnectorKind, reference: str, answer: Mapping[str, Any]) -> Buyer | None:
    """Return a buyer as the API of a shop names them; `None` if it names no address."""
    match kind:
        case ConnectorKind.STRIPE:
            said: Mapping[str, Any] = answer
        case ConnectorKind.LEMON_SQUEEZY:
            said = record_if_any(record_if_any(answer, "data"), "attributes")
        case _:
            said = record_if_any(answer, "data")
    email, name = said.get("user_email", said.get("email")), said.get("user_name", said.get("name"))
    locales = said.get("preferred_locales")
    locale = locales[0] if isinstance(locales, list) and locales else said.get("locale")
    found = buyer_in(reference, email, name, locale)
    return found if found is not None and (found.email or found.unusable) else None
