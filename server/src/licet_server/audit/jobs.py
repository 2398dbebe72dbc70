"""The background work of the audit log."""

from licet_server.audit.service import anchoring
from licet_server.kit.platform import Platform


async def anchor_heads(platform: Platform) -> int:
    """Write the heads of chains outside the database; returns how many."""
    return await anchoring.anchor_heads(platform)
