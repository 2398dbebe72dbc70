"""Event types that a webhook can subscribe to."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from licet_server.events.rules.catalog import DELIVERED
from licet_server.events.rules.kinds import EventKind, OpenStrEnum
from licet_server.kit.errors import FieldError

ALL = "*"

KNOWN = DELIVERED | {EventKind.WEBHOOK_TEST}


def family_of(kind: str) -> str:
    """Return the pattern that covers all kinds of one family, such as `license.*`."""
    return f"{kind.partition('.')[0]}.*"


SUBSCRIBABLE = tuple(sorted({ALL, *map(family_of, KNOWN), *KNOWN}))
"""Everything that `eventTypes` may hold: kinds of events, families of kinds, and `*`."""

if TYPE_CHECKING:
    WebhookEventType = str
else:
    # An enum, so that the OpenAPI document has it; `kind_breaches` refuses what is not in it.
    WebhookEventType = OpenStrEnum(
        "WebhookEventType", [(name, name) for name in SUBSCRIBABLE], module=__name__
    )
    WebhookEventType.__doc__ = "A kind of event, a family of kinds such as `license.*`, or `*`."

_ALLOWED = f"Use {ALL}, a family such as license.*, or any of {', '.join(sorted(KNOWN))}."


def kind_breaches(event_types: Sequence[str]) -> Iterator[FieldError]:
    """Report the event types that are neither a kind of event nor a pattern."""
    for position, name in enumerate(event_types):
        if name not in SUBSCRIBABLE:
            yield FieldError(f"eventTypes[{position}]", f"is not an event type. {_ALLOWED}")


def subscribes(event_types: Sequence[str], kind: EventKind) -> bool:
    """Tell whether a webhook with these event types receives events of a kind.

    A test event is sent to the tested webhook only, whatever its event types.
    """
    if kind not in DELIVERED:
        return False
    return any(name in event_types for name in (ALL, family_of(kind), kind))
