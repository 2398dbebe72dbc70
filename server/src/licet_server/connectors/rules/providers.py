"""Reads the events of all providers: the ID when one is received, and the fact later."""

from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

import msgspec

from licet_server.connectors.rules import generic, lemon_squeezy, paddle, stripe
from licet_server.connectors.rules.facts import Fact, UnreadableEvent
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.reading import Record, text_at
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
