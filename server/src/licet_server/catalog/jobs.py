"""The background work of the catalog."""

from licet_server.catalog.service import files
from licet_server.kit.platform import Platform


async def sweep_files(platform: Platform) -> int:
    """Delete the files that nothing tells of any more; answers how many objects."""
    return await files.sweep_files(platform)
