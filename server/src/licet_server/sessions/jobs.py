"""The background work of sessions."""

from licet_server.kit.platform import Platform
from licet_server.sessions.service.ending import tidy_up


async def reap(platform: Platform) -> int:
    """End the sessions that timed out, in bounded steps; answers how many.

    Nothing depends on it: their seats are free without it. It frees slots, and tells the world.
    """
    return await tidy_up(platform)
