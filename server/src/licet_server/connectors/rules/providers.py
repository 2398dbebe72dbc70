"""What differs by provider: how its events are read, and where its API has the address of a buyer.

Of an event, the ID is read when one is received, and the fact later.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

import msgspec

from licet_server.connectors.rules import generic, lemon_squeezy, paddle, stripe
from licet_server.connectors.rules.facts import Buyer, Fact, UnreadableEvent
from licet_server.connectors.rules.lemon_squeezy import CUSTOMER
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.reading import Record, buyer_in, record_if_any, text_at
from licet_server.kit.json_values import VALUES_MAX, has_too_many_values

MAX_BODY_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """The provider's ID and type of an event; the ID is the same each time it is sent."""

    external_id: str
    type: str


def received_event(kind: ConnectorKind, headers: Mapping[str, str], body: bytes) -> ReceivedEvent:
    """Return the ID and type of an event; names of headers are in lower case.

    Raises:
        UnreadableEvent: the body is no event of this kind of shop.
    """
    event = _decoded(body)
    match kind:
        case ConnectorKind.STRIPE:
            return ReceivedEvent(text_at(event, "id"), text_at(event, "type"))
        case ConnectorKind.PADDLE:
            return ReceivedEvent(text_at(event, "event_id"), text_at(event, "event_type"))
        case ConnectorKind.LEMON_SQUEEZY:
            return ReceivedEvent(lemon_squeezy.event_id(event), lemon_squeezy.type_of(event))
        case ConnectorKind.GENERIC:
            return ReceivedEvent(text_at(headers, "webhook-id"), text_at(event, "type"))


def fact_of(kind: ConnectorKind, external_id: str, body: bytes, zone: tzinfo = UTC) -> Fact | None:
    """Return the fact of an event; `None` if it is not about sales.

    A day lasts until its end in `zone`.

    Raises:
        UnreadableEvent: it does not have the form that the shop documents.
    """
    event = _decoded(body)
    match kind:
        case ConnectorKind.STRIPE:
            return stripe.fact_of(event)
        case ConnectorKind.PADDLE:
            return paddle.fact_of(event)
        case ConnectorKind.LEMON_SQUEEZY:
            return lemon_squeezy.fact_of(event)
        case ConnectorKind.GENERIC:
            return generic.fact_of(event, external_id, zone)


def _decoded(body: bytes) -> Record:
    if has_too_many_values(body):
        raise UnreadableEvent(f"The body must have at most {VALUES_MAX:,} values.")
    try:
        event: Any = msgspec.json.decode(body.removeprefix(BOM_UTF8))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise UnreadableEvent("The body is not valid JSON.") from None
    if not isinstance(event, dict):
        raise UnreadableEvent("The body must be a JSON object.")
    return event


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
