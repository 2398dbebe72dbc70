"""Which events can be sent to webhooks, and which of them a webhook wants."""

from collections.abc import Iterator, Sequence

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.errors import FieldError

ALL = "*"
TEST = EventKind.WEBHOOK_TEST
DISABLED = EventKind.WEBHOOK_DISABLED

DELIVERABLE = frozenset(
    {
        EventKind.LICENSE_CREATED,
        EventKind.LICENSE_UPDATED,
        EventKind.LICENSE_RENEWED,
        EventKind.LICENSE_EXPIRING,
        EventKind.LICENSE_EXPIRED,
        EventKind.LICENSE_REVOKED,
        EventKind.LICENSE_SUSPENDED,
        EventKind.LICENSE_REINSTATED,
        EventKind.LICENSE_CONVERTED,
        EventKind.LICENSE_DELETED,
        EventKind.ACTIVATION_CREATED,
        EventKind.ACTIVATION_PENDING,
        EventKind.ACTIVATION_APPROVED,
        EventKind.ACTIVATION_BLOCKED,
        EventKind.ACTIVATION_UNBLOCKED,
        EventKind.ACTIVATION_DELETED,
        EventKind.ACTIVATION_LIMIT_REACHED,
        EventKind.SESSION_STARTED,
        EventKind.SESSION_ENDED,
        EventKind.SESSION_LIMIT_REACHED,
        EventKind.METER_GRANTED,
        EventKind.METER_ADJUSTED,
        EventKind.METER_LOW_BALANCE,
        EventKind.METER_DEPLETED,
        EventKind.ACCESS_ATTEMPT_DETECTED,
        EventKind.RELEASE_PUBLISHED,
        EventKind.PRODUCT_KEYS_ROTATED,
        EventKind.MEMBER_INVITED,
        EventKind.MEMBER_JOINED,
        EventKind.MEMBER_REMOVED,
    }
)
"""What is recorded beyond these is for the audit log, and never leaves."""

KNOWN = DELIVERABLE | {TEST}


def family_of(kind: str) -> str:
    """The pattern for all kinds of events about the same sort of thing, such as `license.*`."""
    return f"{kind.partition('.')[0]}.*"


_PATTERNS = frozenset(map(family_of, KNOWN)) | {ALL}
_TAKEN = f"Take {ALL}, a family such as license.*, or any of {', '.join(sorted(KNOWN))}."


def kind_breaches(event_types: Sequence[str]) -> Iterator[FieldError]:
    """Those that are no kind of event and no pattern."""
    for position, name in enumerate(event_types):
        if name not in KNOWN and name not in _PATTERNS:
            yield FieldError(f"eventTypes[{position}]", f"is no kind of event. {_TAKEN}")


def wants(event_types: Sequence[str], kind: str) -> bool:
    """Whether an event of this kind goes to a webhook with these types.

    A test goes to the webhook that is tested, whatever its types.
    """
    if kind not in DELIVERABLE:
        return False
    return any(name in event_types for name in (ALL, family_of(kind), kind))
