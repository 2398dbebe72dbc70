"""The background work of the audit log."""

from licet_server.audit.service import anchoring, clock
from licet_server.kit.platform import Platform


async def check_clock(platform: Platform) -> int:
    """Check whether the clock may date what is signed; returns how many faults it has."""
    return await clock.check_clock(platform)


async def anchor_heads(platform: Platform) -> int:
    """Write the heads of chains outside the database; returns how many."""
    return await anchoring.anchor_heads(platform)
