"""`archives list`, `archives export`, `archives unknown` and `files verify`."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.service import files
from licet_server.catalog.service.files import verify_files
from licet_server.cli.options import DataDir, on_platform, say, settings_with
from licet_server.kit.platform import Platform


def list_archives(*, institution_id: UUID | None = None, data_dir: DataDir = None) -> None:
    """List the archives, one per line: institution, kind, number, rows, bytes, first and last time.

    Parameters
    ----------
    institution_id
        List the archives of this institution only.
    """
    for item in on_platform(
        settings_with(data_dir=data_dir), lambda platform: _list(platform, institution_id)
    ):
        times = (item.first_at.isoformat(), item.last_at.isoformat())
        print(item.institution_id, item.kind, item.number, item.rows, item.size, *times)


def export_archives(
    institution_id: UUID, kind: ArchiveKind, file: Path, *, data_dir: DataDir = None
) -> None:
    """Write the archived rows of an institution to a file, one JSON object per line, oldest first.

    Parameters
    ----------
    institution_id
        The institution.
    kind
        Which rows: Events, Ledger, Sessions or AccessAttempts.
    file
        The file, which must not exist.
    """
    rows = on_platform(
        settings_with(data_dir=data_dir),
        lambda platform: _export(platform, institution_id, kind, file),
    )
    say(f"Wrote {rows:,} rows")


def list_unknown(*, delete: bool = False, data_dir: DataDir = None) -> None:
    """List the objects among the archives that the database does not know.

    A crash while an archive was being stored leaves one. So does a backup that was restored: the
    rows in them are in their tables again. The exit code is 1 if any are left.

    Parameters
    ----------
    delete
        Delete them. No other database may use the same object store.
    """
    names = on_platform(
        settings_with(data_dir=data_dir), lambda platform: _unknown(platform, delete=delete)
    )
    for name in names:
        print(name)
    say(f"{'Deleted' if delete else 'Found'} {len(names):,} objects")
    if names and not delete:
        sys.exit(1)


async def _list(platform: Platform, institution_id: UUID | None) -> list[Archive]:
    async with platform.database.reading() as db:
        institution_ids = (
            await files.list_institutions(db) if institution_id is None else [institution_id]
        )
        return [
            archive for item in institution_ids for archive in await files.list_archives(db, item)
        ]


async def _export(platform: Platform, institution_id: UUID, kind: ArchiveKind, file: Path) -> int:
    rows = 0
    async with platform.database.reading() as db:
        archives = await files.list_archives(db, institution_id, kind)
    with _new(file) as target:
        for archive in archives:
            lines = await files.read_lines(platform, archive)
            target.writelines(line + b"\n" for line in lines)
            rows += len(lines)
    return rows


def _new(file: Path) -> BinaryIO:
    """Create a file: its rows name persons, so nobody else reads it, or chooses another one."""
    return open(file, "xb", opener=partial(os.open, mode=0o600))


async def _unknown(platform: Platform, *, delete: bool) -> list[str]:
    names = await files.list_unknown(platform)
    if delete:
        await files.delete_unknown(platform, names)
    return names


def verify_store(*, data_dir: DataDir = None) -> None:
    """Read all files in the file store, and name those that are missing, changed or extra.

    Release files and archives are compared with the SHA-256 in the database. An extra file belongs
    to nothing; a crash or a restored backup leaves some. The exit code is 1 if anything is named.
    """
    count = on_platform(settings_with(data_dir=data_dir), _verify_all)
    say(f"Found {count:,} differences")
    if count:
        sys.exit(1)


async def _verify_all(platform: Platform) -> int:
    count = 0
    for faults in (verify_files(platform), files.verify_archives(platform)):
        async for line in faults:
            print(line)
            count += 1
    return count
