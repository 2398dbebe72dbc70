"""How much of an event somebody sees who may not read the audit log."""

from collections.abc import Mapping
from typing import Any

from licet_server.events.rules.catalog import subject_traits
from licet_server.events.rules.model import RecordedEvent


def public_data(event: RecordedEvent) -> Mapping[str, Any]:
    """Return the data of an event without its sensitive fields."""
    sensitive = subject_traits(event.kind).sensitive_fields
    return {name: value for name, value in event.data.items() if name not in sensitive}
