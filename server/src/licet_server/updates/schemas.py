"""Wire shapes of update checks."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.schemas.products import UpdateFileView, download_view
from licet_server.kit.web.views import view_of
from licet_server.updates.service import AvailableUpdate


class UpdateAnswer(Struct, rename="camel"):
    """The newest release of the channel, if there is one; `files` is empty if it is not newer.

    `token` is signed with the product's key (JWS, `release+jwt`); applications verify it before
    they download. It is null if the release is not signed. `answer` is signed with the same key for
    the request's nonce (`update+jwt`), also if there is no update; it is null without a nonce, and
    before the product has a key.
    """

    update_available: bool
    version: str | None
    channel: str
    release_id: UUID | None
    notes: str | None
    published_at: datetime | None
    files: list[UpdateFileView]
    token: str | None
    answer: str | None


def update_answer(update: AvailableUpdate | None, channel: str, answer: str | None) -> UpdateAnswer:
    if update is None:
        return UpdateAnswer(
            update_available=False,
            version=None,
            channel=channel,
            release_id=None,
            notes=None,
            published_at=None,
            files=[],
            token=None,
            answer=answer,
        )
    return view_of(
        UpdateAnswer,
        update.release,
        update_available=update.is_newer,
        release_id=update.release.id,
        answer=answer,
        files=[download_view(file, url) for file, url in update.files],
    )
