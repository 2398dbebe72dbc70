"""Names of release files, and the fields of an upload form."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.kit.errors import FieldError, bad_fields

NAME_MAX = 200
PLATFORM_MAX = 50
DEFAULT_CONTENT_TYPE = "application/octet-stream"
UPLOAD_MAX = timedelta(hours=12)
ORPHAN_AFTER = timedelta(days=1)

_PLATFORM = re.compile(rf"[A-Za-z0-9._-]{{1,{PLATFORM_MAX}}}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_TYPE = re.compile(r"[a-z0-9.+-]{1,50}/[a-z0-9.+-]{1,80}")
_FIELDS = {"platform", "sha256"}
_JOINERS = {"\u200c", "\u200d"}
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDraft:
    """A file to be stored, as its uploader describes it; `sha256` is the expected hash."""

    name: str
    platform: str | None
    content_type: str
    sha256: bytes | None


def parse_file_form(
    filename: str, content_type: str | None, fields: Mapping[str, str]
) -> FileDraft:
    """Validate the form of an upload; empty fields count as missing.

    Raises:
        Refused: `InvalidRequest` naming every invalid field.
    """
    name = re.split(r"[/\\]", filename)[-1]
    platform, sha256 = fields.get("platform") or None, fields.get("sha256") or None
    breaches = [*_name_breaches(name), *_field_breaches(fields, platform, sha256)]
    if breaches:
        raise bad_fields(breaches)
    known = content_type is not None and _TYPE.fullmatch(content_type)
    return FileDraft(
        name=name,
        platform=platform,
        content_type=content_type if known and content_type is not None else DEFAULT_CONTENT_TYPE,
        sha256=None if sha256 is None else bytes.fromhex(sha256),
    )


def is_orphaned(file_id: UUID, now: datetime) -> bool:
    """Check whether a stored file without a row is old enough to be a leftover of a crash.

    Its id (UUIDv7) contains the time when its upload began, and no upload takes that long.
    """
    started_at = (file_id.int >> 80) / 1000
    return started_at <= (now - ORPHAN_AFTER).timestamp()


def _name_breaches(name: str) -> Iterator[FieldError]:
    if not 1 <= len(name) <= NAME_MAX or name in {".", ".."}:
        yield FieldError("file", f"must have a name of 1 to {NAME_MAX} characters.")
    elif name != name.strip():
        yield FieldError("file", "must have a name that does not begin or end with a space.")
    elif any(unicodedata.category(item) in _INVISIBLE and item not in _JOINERS for item in name):
        yield FieldError("file", "must have a name without control or text direction characters.")


def _field_breaches(
    fields: Mapping[str, str], platform: str | None, sha256: str | None
) -> Iterator[FieldError]:
    if platform is not None and not _PLATFORM.fullmatch(platform):
        yield FieldError(
            "platform", f"must be 1 to {PLATFORM_MAX} letters, digits, dots, dashes, underscores."
        )
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        yield FieldError("sha256", "must be a SHA-256 of 64 hexadecimal digits.")
    for name in fields:
        if name not in _FIELDS:
            yield FieldError(name, "is not a field of this request.")
