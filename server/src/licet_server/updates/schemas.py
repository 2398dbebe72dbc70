"""Wire shapes of update checks."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from licet_server.catalog.schemas.products import UpdateFileView, download_view
from licet_server.updates.service import FoundUpdate


class UncoveredReason(StrEnum):
    """Why a license does not cover a release."""

    MAINTENANCE_ENDED = "MaintenanceEnded"


class NewerRelease(Struct, rename="camel", omit_defaults=True):
    """A release that is newer than what the license covers, and why it is not offered.

    `renewUrl` is that of the license's metadata, if it has one.
    """

    version: str
    reason: UncoveredReason
    renew_url: str | None = None


class UpdateAnswer(Struct, rename="camel"):
    """The newest release of the channel, if there is one; `files` is empty if it is not newer.

    `token` is signed with the product's key (JWS, `release+jwt`); applications verify it before
    they download. It is null if the release is not signed. `answer` is signed with the same key for
    the request's nonce (`update+jwt`), also if there is no update; it is null without a nonce, and
    before the product has a key. `newer` is a newer release, if the maintenance of the license
    ended before it.
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
    newer: NewerRelease | UnsetType = UNSET


def update_answer(found: FoundUpdate, channel: str, answer: str | None) -> UpdateAnswer:
    update, newer = found.update, found.newer
    beyond: NewerRelease | UnsetType = UNSET
    if newer is not None:
        beyond = NewerRelease(newer.version, UncoveredReason.MAINTENANCE_ENDED, newer.renew_url)
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
            newer=beyond,
        )
    release = update.release
    return UpdateAnswer(
        update_available=update.is_newer,
        version=release.version,
        channel=release.channel,
        release_id=release.id,
        notes=release.notes,
        published_at=release.published_at,
        files=[download_view(file, url) for file, url in update.files],
        token=release.token,
        answer=answer,
        newer=beyond,
    )
