"""Rotates the master key: reseals every column that is marked as sealed."""

import asyncio
from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, Table, select, update

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.app import build_platform, open_platform
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import record_for_instance
from licet_server.identity.service.sessions import end_every_session
from licet_server.kit.database import SEALED, Connection, metadata
from licet_server.kit.keyring import (
    Keyring,
    MasterKeyMissing,
    create_key_file,
    new_master_key,
    read_key_file,
    write_key_file,
)
from licet_server.kit.master_key import WrongMasterKey, seal_canary
from licet_server.kit.origin import CONSOLE
from licet_server.kit.settings import Settings
from licet_server.kit.unit_of_work import UnitOfWork

_KEPT_KEYS = 2


def rotate_master_key(
    settings: Settings, say: Callable[[str], None], *, compromised: bool = False
) -> int:
    """Reseal all secrets under the newest master key, and return how many there are.

    From then on older keys open what they sealed, and verify nothing. If one is compromised, its
    holder may have signed access tokens of others, so every session ends as well.

    With a key file, a new key is added first; at the end all keys except it and its predecessor
    are removed. The predecessor stays because a running server may have sealed something under it
    at the last moment. After a crash, run the command again. With LICET_MASTER_KEY, the first key
    is the new one: set `new,old`, restart, run this, and remove the old key at the next rotation.
    """
    path = settings.key_file
    in_file = not settings.master_keys
    if in_file:
        asyncio.run(_require_master_key(settings))
        write_key_file(path, [new_master_key(), *read_key_file(path)])
        say("Added a new master key to the key file")
    count = asyncio.run(_rotate(settings, say, compromised=compromised))
    if in_file:
        write_key_file(path, read_key_file(path)[:_KEPT_KEYS])
        say("Removed older master keys from the key file")
    return count


def replace_lost_master_key(settings: Settings, say: Callable[[str], None]) -> bool:
    """Go on with the key of the settings or the key file, or with a new one if there is none.

    What the lost key has sealed stays unreadable. Returns False, and changes nothing, if the key
    is the one of the database.
    """
    try:
        asyncio.run(_require_master_key(settings))
    except MasterKeyMissing:
        create_key_file(settings.key_file)
        say(f"Created a new master key in {settings.key_file}")
    except WrongMasterKey:
        pass
    else:
        return False
    asyncio.run(_replace_lost(settings))
    return True


async def _require_master_key(settings: Settings) -> None:
    async with open_platform(settings):
        pass


async def _replace_lost(settings: Settings) -> None:
    platform = build_platform(settings)
    try:
        async with platform.unit_of_work(CONSOLE) as work:
            await seal_canary(work.db, work.keyring)
            data = {"lost": True}
            kind = EventKind.INSTANCE_MASTER_KEY_ROTATED
            await record_for_instance(work, kind, subject_id=INSTANCE, data=data)
    finally:
        await platform.database.close()


async def _rotate(settings: Settings, say: Callable[[str], None], *, compromised: bool) -> int:
    async with open_platform(settings) as platform, platform.unit_of_work(CONSOLE) as work:
        total = await _reseal_all(work, say)
        await seal_canary(work.db, work.keyring)
        data = {"resealed": total, "compromised": compromised}
        kind = EventKind.INSTANCE_MASTER_KEY_ROTATED
        await record_for_instance(work, kind, subject_id=INSTANCE, data=data)
        if compromised:
            ended = await end_every_session(work)
            say(f"Ended {ended} session{'' if ended == 1 else 's'}; everybody signs in again")
    return total


async def _reseal_all(work: UnitOfWork, say: Callable[[str], None]) -> int:
    total = 0
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.info == SEALED:
                say(f"Resealing {table.name}.{column.name}")
                total += await _reseal(work.db, table, column, work.keyring)
    return total


async def _reseal(db: Connection, table: Table, column: Column[Any], keyring: Keyring) -> int:
    keys = list(table.primary_key.columns)
    rows = (await db.execute(select(*keys, column).where(column.is_not(None)))).all()
    for row in rows:
        if keyring.is_current(row[-1]):
            continue
        place = f"{table.name}.{column.name}:{row.id}"
        sealed = keyring.seal(keyring.open(row[-1], place), place)
        # A value that was cleared or replaced in the meantime is left alone.
        found = zip((*keys, column), row, strict=True)
        same = [place == value for place, value in found]
        await db.execute(update(table).where(*same).values({column.name: sealed}))
    return len(rows)
