"""What a release's file may be called, and which form fields go with it."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.kit.errors import FieldError, bad_fields

NAME_MAX = 200
PLATFORM_MAX = 50
UNNAMED_TYPE = "application/octet-stream"
UPLOAD_MAX = timedelta(hours=12)
LEFTOVER_AFTER = timedelta(days=1)

_PLATFORM = re.compile(rf"[A-Za-z0-9._-]{{1,{PLATFORM_MAX}}}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_TYPE = re.compile(r"[a-z0-9.+-]{1,50}/[a-z0-9.+-]{1,80}")
_FIELDS = {"platform", "sha256"}
_JOINERS = {"\u200c", "\u200d"}
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A file to be kept, as its uploader describes it; `sha256` is what he says it has."""

    name: str
    platform: str | None
    content_type: str
    sha256: bytes | None


def draft_of(filename: str, content_type: str | None, fields: Mapping[str, str]) -> FileDraft:
    """The draft that an upload's form describes; empty fields count as absent.

    Raises:
        Refused: `InvalidRequest` naming every bad field.
    """
    name = re.split(r"[/\\]", filename)[-1]
    platform, sha256 = fields.get("platform") or None, fields.get("sha256") or None
    breaches = [*_name_breaches(name), *_field_breaches(fields, platform, sha256)]
    if breaches:
        raise bad_fields(breaches)
    known = content_type is not None and _TYPE.fullmatch(content_type)
    return FileDraft(
        name,
        platform,
        content_type if known and content_type is not None else UNNAMED_TYPE,
        None if sha256 is None else bytes.fromhex(sha256),
    )


def is_leftover(file_id: UUID, now: datetime) -> bool:
    """Whether a file that no row tells of is old enough to be one that a crash left behind.

    Its id (UUIDv7) tells when its upload began, and no upload takes so long.
    """
    begun = (file_id.int >> 80) / 1000
    return begun <= (now - LEFTOVER_AFTER).timestamp()


def _name_breaches(name: str) -> Iterator[FieldError]:
    if not 1 <= len(name) <= NAME_MAX or name in {".", ".."}:
        yield FieldError("file", f"must have a name of 1 to {NAME_MAX} characters.")
    elif name != name.strip():
        yield FieldError("file", "must have a name that neither begins nor ends with a space.")
    elif any(unicodedata.category(item) in _UNSEEN and item not in _JOINERS for item in name):
        yield FieldError(
            "file", "must have a name without control characters and marks of direction."
        )


def _field_breaches(
    fields: Mapping[str, str], platform: str | None, sha256: str | None
) -> Iterator[FieldError]:
    if platform is not None and not _PLATFORM.fullmatch(platform):
        yield FieldError(
            "platform", f"must be 1 to {PLATFORM_MAX} letters, digits, dots, dashes, underscores."
        )
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        yield FieldError("sha256", "must be a SHA-256 in 64 hexadecimal digits.")
    for name in fields:
        if name not in _FIELDS:
            yield FieldError(name, "is not a field of this request.")
