"""`archives list`, `archives export` and `archives unknown`."""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from licet_server.app import open_platform
from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.service import reading
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.kit.settings import Settings
from licet_server.serving import prepare


def list_archives(*, institution_id: UUID | None = None, data_dir: DataDir = None) -> None:
    """List the archives, one per line: institution, kind, number, rows, bytes, first and last time.

    Parameters
    ----------
    institution_id
        List the archives of this institution only.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        for item in asyncio.run(_list(ready, institution_id)):
            print(
                item.institution_id,
                item.kind,
                item.number,
                item.rows,
                item.size,
                item.first_at.isoformat(),
                item.last_at.isoformat(),
            )


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
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        rows = asyncio.run(_export(ready, institution_id, kind, file))
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
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        names = asyncio.run(_unknown(ready, delete=delete))
    for name in names:
        print(name)
    say(f"{'Deleted' if delete else 'Found'} {len(names):,} objects")
    if names and not delete:
        sys.exit(1)


async def _list(settings: Settings, institution_id: UUID | None) -> list[Archive]:
    async with open_platform(settings) as platform, platform.database.reading() as db:
        institution_ids = (
            await reading.list_institutions(db) if institution_id is None else [institution_id]
        )
        return [
            archive for item in institution_ids for archive in await reading.list_archives(db, item)
        ]


async def _export(settings: Settings, institution_id: UUID, kind: ArchiveKind, file: Path) -> int:
    rows = 0
    async with open_platform(settings) as platform:
        async with platform.database.reading() as db:
            archives = await reading.list_archives(db, institution_id, kind)
        with _new(file) as target:
            for archive in archives:
                lines = await reading.read_lines(platform, archive)
                target.writelines(line + b"\n" for line in lines)
                rows += len(lines)
    return rows


def _new(file: Path) -> BinaryIO:
    """Create a file: its rows name persons, so nobody else reads it, or chooses another one."""
    return open(file, "xb", opener=partial(os.open, mode=0o600))


async def _unknown(settings: Settings, *, delete: bool) -> list[str]:
    async with open_platform(settings) as platform:
        names = await reading.list_unknown(platform)
        if delete:
            await reading.delete_unknown(platform, names)
    return names
