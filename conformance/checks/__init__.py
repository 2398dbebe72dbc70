"""The scenarios: checks that need more than one step, by area."""

from conformance.checks import (
    deliveries,
    folders,
    local,
    metering,
    network,
    online,
    seats,
    sessions,
    watching,
)

__all__ = [
    "deliveries",
    "folders",
    "local",
    "metering",
    "network",
    "online",
    "seats",
    "sessions",
    "watching",
]
