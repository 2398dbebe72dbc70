"""The check for updates."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from licet._api import call
from licet._clock import parse_rfc3339
from licet._core import LicenseCore
from licet._enrollment import enrolled
from licet._error_codes import optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._jose import RejectedTokenError
from licet._keys import key_hash
from licet._release import ReleaseRequest, check_update_answer
from licet.errors import UnexpectedReplyError, UntrustedUpdateError

LATEST = "/updates/latest"
DEFAULT_CHANNEL = "Stable"

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class UpdateFile:
    """A file of an update; pass it to ``download()``.

    Attributes:
        platform: ``None`` if the file is for all platforms.
        size: In bytes.
        sha256: In hexadecimal.
        channel: The channel of the update.
        download_url: Works for about 15 minutes, for anyone who has it.
    """

    name: str
    platform: str | None
    size: int
    sha256: str
    channel: str
    download_url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewerRelease:
    """A newer release that the license would cover if its updates were renewed.

    Attributes:
        reason: ``MaintenanceEnded``; a newer server may send others.
        renew_url: Where the vendor renews them, if the vendor says so.
    """

    version: str
    reason: str
    renew_url: str | None


@dataclass(frozen=True, slots=True)
class Update:
    """The newest release of a channel that the license covers.

    Attributes:
        available: Whether the release is newer than this application.
        version: ``None`` if the channel has no release; then ``notes``, ``published_at`` and
            ``release_id`` are ``None`` too.
        files: The files for the requested platform; empty if no update is available.
        newer: A newer release that the license does not cover.
    """

    available: bool
    version: str | None
    channel: str
    notes: str | None
    published_at: datetime | None
    release_id: str | None
    files: tuple[UpdateFile, ...]
    newer: NewerRelease | None = None


@enrolled
def check_for_update(core: LicenseCore, channel: str, platform: str | None) -> Flow[Update]:
    """Ask the server for the newest release, and verify the answer and what it offers."""
    key, config = core.known_key(), core.config
    request = ReleaseRequest(
        config.product_id,
        secrets.token_urlsafe(24),
        channel or DEFAULT_CHANNEL,
        platform or None,
        config.app_version,
        config.app_released_at,
        key_hash(key) if key is not None else None,
    )
    fields = {
        "currentVersion": request.current_version,
        "channel": request.channel,
        "platform": request.platform,
        "nonce": request.nonce,
        "licenseKey": key,
        "hardwareId": core.hardware_id if key is not None else None,
    }
    headers = core.credential_headers if key is not None else {}
    response, request_id = yield from call(core, LATEST, fields, method="GET", headers=headers)
    try:
        update = _read(response)
    except (KeyError, TypeError, ValueError):
        raise _unexpected_reply(request_id) from None
    try:
        check_update_answer(response, config.public_keys, request)
    except RejectedTokenError as reason:
        raise UntrustedUpdateError(
            f"The answer about updates cannot be trusted: {reason}. Nothing was downloaded. Check "
            "that the application has the product's current public key and the right server "
            "address, and that the vendor has signed the release."
        ) from None
    return update


def _unexpected_reply(request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        "The response about updates does not come from a license server.",
        hint=CHECK_ADDRESS,
        http_status=200,
        request_id=request_id,
    )


def _read(response: Mapping[str, Any]) -> Update:
    published_at, channel = response.get("publishedAt"), _string(response["channel"])
    return Update(
        available=response["updateAvailable"] is True,
        version=_optional_string(response.get("version")),
        channel=channel,
        notes=_optional_string(response.get("notes")),
        published_at=None if published_at is None else parse_rfc3339(published_at),
        release_id=_optional_string(response.get("releaseId")),
        files=tuple(_read_file(item, channel) for item in response["files"]),
        newer=_read_newer(response.get("newer")),
    )


def _read_newer(item: Mapping[str, Any] | None) -> NewerRelease | None:
    if item is None:
        return None
    return NewerRelease(
        version=_string(item["version"]),
        reason=_string(item["reason"]),
        renew_url=_optional_string(item.get("renewUrl")),
    )


def _read_file(item: Mapping[str, Any], channel: str) -> UpdateFile:
    size, sha256 = optional_int(item["sizeBytes"]), _string(item["sha256"])
    if size is None or size < 1 or not _SHA256.fullmatch(sha256):
        raise ValueError("invalid size or SHA-256")
    return UpdateFile(
        name=_string(item["name"]),
        platform=_optional_string(item.get("platform")),
        size=size,
        sha256=sha256,
        channel=channel,
        download_url=_string(item["downloadUrl"]),
    )


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value


def _optional_string(value: object) -> str | None:
    return None if value is None else _string(value)
