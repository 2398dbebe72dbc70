"""The scenarios: checks that need more than one step, by area."""

from conformance.checks import (
    clocks,
    components,
    deliveries,
    enrollment,
    folders,
    leases,
    local,
    metering,
    network,
    offline,
    online,
    proofs,
    reservations,
    seats,
    sessions,
    watching,
)

__all__ = [
    "clocks",
    "components",
    "deliveries",
    "enrollment",
    "folders",
    "leases",
    "local",
    "metering",
    "network",
    "offline",
    "online",
    "proofs",
    "reservations",
    "seats",
    "sessions",
    "watching",
]
