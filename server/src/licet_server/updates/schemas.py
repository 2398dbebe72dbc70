"""Wire shapes of the check for updates."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.schemas.files import DownloadView, download_view
from licet_server.updates.service import Offer


class UpdateAnswer(Struct, rename="camel"):
    """The newest release of the channel, if there is one; `files` only where it is an update."""

    update_available: bool
    version: str | None
    channel: str
    release_id: UUID | None
    notes: str | None
    published_at: datetime | None
    files: list[DownloadView]


def update_answer(offer: Offer | None, channel: str) -> UpdateAnswer:
    if offer is None:
        return UpdateAnswer(False, None, channel, None, None, None, [])
    release = offer.release
    files = [download_view(file, address) for file, address in offer.files]
    return UpdateAnswer(
        offer.is_update,
        release.version,
        release.channel,
        release.id,
        release.notes,
        release.published_at,
        files,
    )
