"""Wire shapes of the files of releases."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.files import PLATFORM_MAX
from licet_server.catalog.rules.model import ReleaseFile
from licet_server.kit.web.uploads import FORM

FILE_FORM: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        FORM: {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "platform": {
                        "type": "string",
                        "pattern": "^[A-Za-z0-9._-]+$",
                        "maxLength": PLATFORM_MAX,
                        "description": "Such as windows-x64; without it, the file is for all.",
                    },
                    "sha256": {
                        "type": "string",
                        "pattern": "^[0-9a-fA-F]{64}$",
                        "description": "Checked against what has come.",
                    },
                },
            }
        }
    },
}
"""The form of an upload, for the API page."""


class ReleaseFileView(Struct, rename="camel"):
    """A file of a release. `contentType` is what its uploader called it."""

    id: UUID
    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    content_type: str
    created_at: datetime


class DownloadView(Struct, rename="camel"):
    """A file to download. `downloadUrl` works for 15 minutes, without any credential."""

    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    download_url: str


def download_view(file: ReleaseFile, address: str) -> DownloadView:
    return DownloadView(file.name, file.platform, file.size_bytes, file.sha256.hex(), address)


def file_view(file: ReleaseFile) -> ReleaseFileView:
    return ReleaseFileView(
        file.id,
        file.name,
        file.platform,
        file.size_bytes,
        file.sha256.hex(),
        file.content_type,
        file.created_at,
    )
