"""Background jobs of customers."""

from collections.abc import Sequence

from licet_server.archives.service.archiving import ArchiveSource
from licet_server.customers.service import archived
from licet_server.customers.service.hooks import PersonalDataOfFeatures
from licet_server.kit.platform import Platform


async def erase_archived(
    platform: Platform, sources: Sequence[ArchiveSource], data: PersonalDataOfFeatures
) -> int:
    """Erase everybody from archives who was erased from the tables; returns how many are done."""
    return await archived.erase_archived(platform, sources=sources, data=data)
