"""The background work of the catalog."""

from licet_server.catalog import service
from licet_server.kit.work import Platform


async def sweep_files(platform: Platform) -> int:
    """Delete the files that nothing tells of any more; answers how many objects."""
    return await service.sweep_files(platform)
