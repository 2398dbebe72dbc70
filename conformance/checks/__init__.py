"""The scenarios: checks that need more than one step, by area."""

from conformance.checks import (
    deliveries,
    local,
    metering,
    network,
    online,
    seats,
    sessions,
    watching,
)

__all__ = ["deliveries", "local", "metering", "network", "online", "seats", "sessions", "watching"]
