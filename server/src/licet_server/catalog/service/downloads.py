"""Download URLs: signed, and valid for 15 minutes for anyone who has them.

A token contains the institution, the file and the second at which it expires, and their
HMAC-SHA256 under a derived key. A download that has begun may continue after that.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import ReleaseFile
from licet_server.catalog.storage import files as storage
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.platform import Platform

DOWNLOAD_SECONDS = 15 * 60

_PURPOSE = "download"
_ID_BYTES, _TIME_BYTES = 16, 8
_CLAIM_BYTES = 2 * _ID_BYTES + _TIME_BYTES


def download_address(platform: Platform, file: ReleaseFile, now: datetime) -> str:
    """Return a URL at which anyone can download the file for 15 minutes."""
    token = _write(platform.keyring, file, now)
    return f"{platform.settings.address}/api/downloads/{token}"


def _write(keyring: Keyring, file: ReleaseFile, now: datetime) -> str:
    ends = int(now.timestamp()) + DOWNLOAD_SECONDS
    claim = file.institution_id.bytes + file.id.bytes + ends.to_bytes(_TIME_BYTES)
    signature = _signature(keyring.derive(_PURPOSE), claim)
    return urlsafe_b64encode(claim + signature).rstrip(b"=").decode()


async def find_download(db: Connection, keyring: Keyring, token: str, now: datetime) -> ReleaseFile:
    """Fetch the file of a token.

    Raises:
        Refused: `Unauthorized` for an expired or forged token, `NotFound` if the release is no
            longer published or the file was deleted.
    """
    institution_id, file_id = _read(keyring, token, now)
    file = await storage.fetch_published_file(db, institution_id, file_id)
    if file is None:
        raise not_found("file")
    return file


def _read(keyring: Keyring, token: str, now: datetime) -> tuple[UUID, UUID]:
    try:
        raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
    except ValueError:
        raise errors.invalid_download_url() from None
    claim, signature = raw[:_CLAIM_BYTES], raw[_CLAIM_BYTES:]
    is_ours = hmac.compare_digest(signature, _signature(keyring.derive(_PURPOSE), claim))
    if not is_ours or int.from_bytes(claim[2 * _ID_BYTES :]) <= now.timestamp():
        raise errors.invalid_download_url()
    return UUID(bytes=claim[:_ID_BYTES]), UUID(bytes=claim[_ID_BYTES : 2 * _ID_BYTES])


def _signature(key: bytes, claim: bytes) -> bytes:
    return hmac.digest(key, claim, hashlib.sha256)
