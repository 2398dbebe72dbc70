"""Which events can be sent to webhooks, and which of them a webhook wants."""

from collections.abc import Iterator, Sequence

from licet_server.kit.errors import FieldError

ALL = "*"
TEST = "webhook.test"
DISABLED = "webhook.disabled"

DELIVERABLE = frozenset(
    {
        "license.created",
        "license.updated",
        "license.renewed",
        "license.expiring",
        "license.expired",
        "license.revoked",
        "license.suspended",
        "license.reinstated",
        "license.converted",
        "license.deleted",
        "activation.created",
        "activation.pending",
        "activation.approved",
        "activation.blocked",
        "activation.unblocked",
        "activation.deleted",
        "activation.limit_reached",
        "session.started",
        "session.ended",
        "session.limit_reached",
        "meter.granted",
        "meter.adjusted",
        "meter.low_balance",
        "meter.depleted",
        "access_attempt.detected",
        "release.published",
        "product.keys_rotated",
        "member.invited",
        "member.joined",
        "member.removed",
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
