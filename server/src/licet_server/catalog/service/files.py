"""Release files: uploaded, downloaded, deleted, and swept after a crash.

A file is stored before its row, and deleted after its row. No database connection is held while
bytes are transferred.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterable, AsyncIterator, Callable
from datetime import datetime
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Release, ReleaseFile
from licet_server.catalog.rules.releases import (
    UPLOAD_MAX,
    FileDraft,
    ReleaseClaims,
    is_orphaned,
    with_file,
    without_file,
)
from licet_server.catalog.service.recording import data_of
from licet_server.catalog.service.releases import fetch_release
from licet_server.catalog.service.signing import hold_signing_key, sign_again
from licet_server.catalog.storage import releases as storage
from licet_server.catalog.storage.releases import FILES, RELEASES, fetch_published, update_token
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import Recorder
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, bad_field, not_found
from licet_server.kit.files import FileChanged, FileKey, FileMissing, StepSums
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility

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


_SWEEP_BATCH = 1_000


async def check_release(platform: Platform, operator: Operator, release_id: UUID) -> Release:
    """Fetch the release of an upload, before the upload is read."""
    async with platform.database.reading() as db:
        return await fetch_release(db, operator, release_id)


async def add_file(
    platform: Platform,
    origin: Origin,
    release: Release,
    chunks: AsyncIterable[bytes],
    describe: Callable[[], FileDraft],
) -> ReleaseFile:
    """Store a file as it is uploaded; `describe` is called when the upload is complete.

    If anything fails, nothing is kept.

    Raises:
        Refused: `InvalidRequest` for an empty file or a wrong hash, `Conflict` if the name is
            taken for this platform, or the release's stored signature does not verify, `NotFound`
            if the release was deleted meanwhile, and what `chunks` and `describe` raise.
        FilesUnavailable: the file could not be stored.
    """
    started_at = platform.clock()
    key = (release.institution_id, new_id(started_at))
    sums = StepSums()
    size = await platform.files.write(key, _hashed(chunks, sums.update))
    try:
        draft = describe()
        if size == 0:
            raise bad_field("file", "is empty.")
        if draft.sha256 not in {None, sums.whole()}:
            raise errors.hash_mismatch(sums.whole().hex())
        async with platform.unit_of_work(origin) as work:
            if work.now - started_at > UPLOAD_MAX:
                raise errors.upload_too_slow()
            file = ReleaseFile(
                institution_id=release.institution_id,
                id=key[1],
                release_id=release.id,
                name=draft.name,
                platform=draft.platform,
                size_bytes=size,
                sha256=sums.whole(),
                content_type=draft.content_type,
                created_at=work.now,
            )
            await _sign(work, release, lambda claims: with_file(claims, file))
            await FILES.insert(work.db, file)
            await storage.insert_sums(work.db, file, sums.steps())
            await _events(release).created(work, EventKind.RELEASE_FILE_ADDED, file)
    except Refused:
        # Any other failure may follow the commit; the sweep removes the file if it has no row.
        await platform.files.delete(key, size)
        raise
    return file


async def _hashed(
    chunks: AsyncIterable[bytes], update: Callable[[bytes], None]
) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        update(chunk)
        yield chunk


async def list_files(
    db: Connection, operator: Operator, release_id: UUID, paging: Paging
) -> Listing[ReleaseFile]:
    """List the files of a release that is visible to the operator."""
    release = await fetch_release(db, operator, release_id)
    return await FILES.page(db, release, paging)


async def fetch_file(
    db: Connection, operator: Operator, release_id: UUID, file_id: UUID
) -> ReleaseFile:
    """Fetch a file of a release that is visible to the operator."""
    release = await fetch_release(db, operator, release_id)
    return _require_file(await FILES.fetch(db, release, file_id))


async def delete_file(
    platform: Platform, origin: Origin, operator: Operator, release_id: UUID, file_id: UUID
) -> None:
    """Delete a file of a release permanently.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the release's stored signature does not
            verify.
        FilesUnavailable: the row is deleted; the next sweep deletes the bytes.
    """
    async with platform.unit_of_work(origin) as work:
        release = await fetch_release(work.db, operator, release_id)
        file = _require_file(await FILES.fetch(work.db, release, file_id))
        await _sign(work, release, lambda claims: without_file(claims, file))
        if not await FILES.delete(work.db, file):
            raise not_found("file")
        await _events(release).deleted(work, EventKind.RELEASE_FILE_DELETED, file)
    await platform.files.delete((file.institution_id, file.id), file.size_bytes)


async def published_files(
    db: Connection, institution_id: UUID, product_id: UUID, limit: int
) -> list[tuple[Release, list[ReleaseFile]]]:
    """Fetch the latest published releases of a product, newest first, with their files."""
    found = await fetch_published(db, institution_id, product_id, limit)
    files = await storage.fetch_files_of(db, institution_id, [item.id for item in found])
    return [(item, files[item.id]) for item in found]


async def fetch_sums(platform: Platform, file: ReleaseFile) -> bytes:
    """Fetch the checksums of a file; one from before there were any is read as a whole first.

    Raises:
        FileMissing: a piece of that file does not exist.
        FileChanged: it is not the one that was uploaded.
        FilesUnavailable: the store does not respond.
    """
    async with platform.database.reading() as db:
        known = await storage.fetch_sums(db, file)
    if known is not None:
        return known
    sums = StepSums()
    async for part in platform.files.read((file.institution_id, file.id), 0, file.size_bytes):
        sums.update(part)
    if sums.whole() != file.sha256:
        raise FileChanged(f"{_stored(file)} in the file store is not what was uploaded")
    async with platform.database.transaction() as db:
        await storage.insert_sums(db, file, sums.steps())
    return sums.steps()


async def read_file(
    platform: Platform, file: ReleaseFile, start: int, end: int
) -> AsyncIterator[bytes]:
    """Yield a range of a file, nothing of which differs from what was uploaded.

    Raises:
        FileMissing: a piece does not exist.
        FileChanged: the next bytes are not those that were uploaded.
        FilesUnavailable: the store does not respond.
    """
    sums = await fetch_sums(platform, file)
    key = (file.institution_id, file.id)
    async for part in platform.files.read_checked(key, file.size_bytes, sums, start, end):
        yield part


async def verify_files(platform: Platform) -> AsyncIterator[str]:
    """Yield a line for each file that is missing or changed, and each object without a row.

    Files are compared with the hash of their upload, so it is not enough to edit the checksums.

    Raises:
        FilesUnavailable: the store does not respond.
    """
    known: set[FileKey] = set()
    after: FileKey | None = None
    while True:
        async with platform.database.reading() as db:
            files = await storage.fetch_all_files(db, after, _SWEEP_BATCH)
        if not files:
            break
        for file in files:
            after = (file.institution_id, file.id)
            known.add(after)
            if (fault := await _fault(platform, file)) is not None:
                yield f"{fault} {_stored(file)} {file.name}"
    async for key, name in platform.files.objects():
        if key not in known:
            yield f"extra {name}"


async def _fault(platform: Platform, file: ReleaseFile) -> str | None:
    whole = StepSums()
    try:
        async for part in read_file(platform, file, 0, file.size_bytes):
            whole.update(part)
    except FileMissing:
        return "missing"
    except FileChanged:
        return "changed"
    return None if whole.whole() == file.sha256 else "changed"


def _stored(file: ReleaseFile) -> str:
    return f"{file.institution_id}/{file.id}"


async def sweep_files(platform: Platform) -> int:
    """Delete stored files that have had no row for a day; return how many objects.

    These are leftovers of interrupted uploads, and the files of deleted releases. Files of unknown
    institutions are kept: they may belong to another instance.
    """
    now = platform.clock()
    objects: dict[FileKey, list[str]] = {}
    async for key, name in platform.files.objects():
        if is_orphaned(key[1], now):
            objects.setdefault(key, []).append(name)
    keys, swept = list(objects), 0
    for first in range(0, len(keys), _SWEEP_BATCH):
        batch = keys[first : first + _SWEEP_BATCH]
        async with platform.database.reading() as db:
            known = await storage.known_files(db, batch)
            ours = await institution_names(db, {institution for institution, _ in batch})
        for key in batch:
            if key not in known and key[0] in ours:
                await platform.files.delete_objects(objects[key])
                swept += len(objects[key])
    return swept


async def _sign(
    work: UnitOfWork, release: Release, change: Callable[[ReleaseClaims], ReleaseClaims]
) -> None:
    """Sign a published release with a change of its files; lock it until the transaction ends."""
    await hold_signing_key(work, release.institution_id, release.product_id)
    current = await RELEASES.lock(work.db, Visibility((release.institution_id,)), release.id)
    if current is not None and current.token is not None:
        await update_token(work.db, await sign_again(work, current, change))


def _require_file(file: ReleaseFile | None) -> ReleaseFile:
    if file is None:
        raise not_found("file")
    return file


def _events(release: Release) -> Recorder[ReleaseFile]:
    return Recorder(data_of, product_of=lambda _: release.product_id)
