"""Wire shapes of the files of releases."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.files import PLATFORM_MAX
from licet_server.catalog.rules.model import ReleaseFile
from licet_server.kit.web.uploads import FORM
from licet_server.kit.web.views import view_of

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
                        "description": "For example windows-x64; by default for all platforms.",
                    },
                    "sha256": {
                        "type": "string",
                        "pattern": "^[0-9a-fA-F]{64}$",
                        "description": "Checked against the uploaded file.",
                    },
                },
            }
        }
    },
}
"""The form of an upload, for the OpenAPI document."""


class ReleaseFileView(Struct, rename="camel"):
    """A file of a release. `contentType` is as the uploader sent it."""

    id: UUID
    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    content_type: str
    created_at: datetime


class UpdateFileView(Struct, rename="camel"):
    """A file to download. `downloadUrl` works for 15 minutes, without any credential."""

    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    download_url: str


def download_view(file: ReleaseFile, address: str) -> UpdateFileView:
    return view_of(UpdateFileView, file, sha256=file.sha256.hex(), download_url=address)


def file_view(file: ReleaseFile) -> ReleaseFileView:
    return view_of(ReleaseFileView, file, sha256=file.sha256.hex())
