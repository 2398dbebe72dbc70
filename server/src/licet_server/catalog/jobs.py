"""Background jobs of the catalog."""

from licet_server.catalog.service import files
from licet_server.kit.platform import Platform


async def sweep_files(platform: Platform) -> int:
    """Delete stored files that no row refers to; return how many objects."""
    return await files.sweep_files(platform)
