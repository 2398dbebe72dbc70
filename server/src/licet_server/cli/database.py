"""Commands on the database: schema, backup, restore, upgrade, master key."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from licet_server import restoring, rotation
from licet_server.cli.options import DataDir, counting, ready_database, say, settings_with
from licet_server.kit.backups.archiver import open_vault
from licet_server.kit.backups.model import BackupError, unbroken
from licet_server.kit.backups.recovery import recover
from licet_server.kit.backups.vault import Vault, opened, sealed
from licet_server.kit.clock import system_clock
from licet_server.kit.keyring import load_keyring
from licet_server.kit.postgres import (
    Address,
    find_binaries,
    upgrade_database,
)
from licet_server.kit.postgres import backup as write_backup
from licet_server.kit.settings import InvalidSetting, Settings
from licet_server.migrations import migrate as migrate_schema
from licet_server.serving import embedded_database

_LATE = timedelta(minutes=2)
"""How much later than the last change the audit log may be anchored: once a minute."""


def migrate(*, data_dir: DataDir = None) -> None:
    """Migrate the database schema to the current version, and exit."""
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate_schema(str(ready.database_url), say))
    say("The database schema is up to date")


def backup(target: Path, *, data_dir: DataDir = None) -> None:
    """Write the whole database to a file. The service may keep running.

    The backup does not contain release files: copy the folder `files` in the data folder too, or
    turn on versioning for the bucket.

    The backup is sealed under the master key, and does not contain it: store the file master.key
    from the data folder somewhere else. Without it, the backup can never be read.

    Parameters
    ----------
    target
        The file to write. An existing file is replaced once the backup is complete.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        address = Address.of_url(str(ready.database_url))
        seal = partial(sealed, load_keyring(ready), system_clock())
        size = write_backup(find_binaries(), address, target, through=seal)
        foreign = restoring.list_foreign(find_binaries(), address)
    say(f"Wrote {target} ({size:,} bytes). It is sealed: store master.key separately")
    if foreign:
        say(
            f"A restore will refuse this backup, because the database contains {', '.join(foreign)}"
            ". Move what is not of Licet to another database, and back up again"
        )
    say("Release files are not included; copy the file store as well")


def restore(
    source: Path | None = None,
    *,
    at: str | None = None,
    base: str | None = None,
    expect_after: str | None = None,
    unsealed: bool = False,
    lost_key: bool = False,
    data_dir: DataDir = None,
) -> None:
    """Restore a backup: a file that `backup` wrote, or the object store's, up to any time.

    With a file, the database is replaced; the old one is kept under another name. Stop the service
    first, and put the master.key of the backup in place. Without a file, the embedded database is
    restored into a data folder that has none but master.key.

    Parameters
    ----------
    source
        A file that `backup` wrote.
    at
        A time with a zone, for example 2026-11-22T09:30:00Z. Without it, the newest state.
    base
        The ID of the base backup to begin with, as `backups` lists it.
    expect_after
        A time with a zone, of a change that must be there. Without it in the object store, nothing
        is restored.
    unsealed
        Accept a file that is not sealed: one of pg_dump, or of Licet 0.2 and before. Who wrote it
        decides what the database contains, its accounts included.
    lost_key
        Accept a file whose secrets this machine's master key does not open. Afterwards, run
        `replace-lost-master-key`.
    """
    settings = settings_with(data_dir=data_dir)
    if source is None:
        _restore_from_store(settings, at, base, expect_after)
        return
    if at is not None or base is not None or expect_after is not None:
        message = "Leave out --at, --base and --expect-after."
        raise BackupError(f"A file has the state of one time. {message}")
    with opened(source, partial(load_keyring, settings)) as (content, written_at):
        if written_at is None and not unsealed:
            raise BackupError(
                f"{source} is not sealed, so anyone could have written it. If you know that it is "
                "yours, use --unsealed. Nothing has changed."
            )
        if written_at is not None:
            say(f"{source} was written at {written_at:%Y-%m-%dT%H:%M:%SZ}")
        accept = restoring.accept_lost_key if lost_key else restoring.require_same_key
        restore_file = partial(restoring.restore_file, settings, content, system_clock, accept)
        if settings.database_url is not None:
            address = Address.of_url(settings.database_url)
            kept = restore_file(binaries=find_binaries(), address=address)
        else:
            with embedded_database(settings, say) as cluster:
                kept = restore_file(
                    binaries=cluster.binaries, address=cluster.address, admin=cluster.admin
                )
    say(f"Restored {source}. The previous database is kept as {kept}")


def list_backups(*, data_dir: DataDir = None) -> None:
    """List the base backups in the object store: ID, time, series, newest WAL, bytes."""
    vault = _vault(settings_with(data_dir=data_dir))
    backups, unreadable = vault.list_backups()
    for item in backups:
        following = unbroken(item.last_segment, vault.list_segments(item.series))
        newest = following[-1] if following else item.last_segment
        print(item.id, item.finished_at.isoformat(), item.series, newest, item.size)
    for reason in unreadable:
        say(reason)


def _restore_from_store(
    settings: Settings, at: str | None, base: str | None, expect_after: str | None
) -> None:
    if settings.database_url is not None:
        raise InvalidSetting(
            "DATABASE_URL",
            "must be unset to restore the embedded database from the object store. With a "
            "PostgreSQL of your own, use its own backups, or name a file.",
        )
    restored = recover(
        _vault(settings),
        settings.data_dir,
        say,
        counting,
        at=None if at is None else _time("--at", at),
        expect_after=None if expect_after is None else _time("--expect-after", expect_after),
        backup_id=base,
        user=settings.run_as,
    )
    changed = _written(restored.last_change) or "before the base backup"
    say(f"Restored to {restored.cluster}. The last change in it was {changed}")
    say(f"The newest object in the store was written at {_written(restored.newest_object_at)}")
    if at is None:
        _compare_with_heads(settings, restored.last_change)
    say("Start the service. `licet-server audit verify` shows what has been missing since then")


def _vault(settings: Settings) -> Vault:
    vault = open_vault(settings)
    if vault is None:
        message = "is not set, and neither is LICET_STORAGE_URL, so there are no backups."
        raise InvalidSetting("LICET_BACKUP_URL", message)
    return vault


def _compare_with_heads(settings: Settings, last_change: datetime | None) -> None:
    """Say so if the audit log was anchored on this machine after the last change."""
    heads = settings.audit_heads_file
    if not heads.exists():
        return
    anchored = datetime.fromtimestamp(heads.stat().st_mtime, UTC)
    if last_change is None or anchored > last_change + _LATE:
        say(
            f"The audit log was last anchored in {heads} at {_written(anchored)}: what came after "
            "the last change is missing. Look for newer objects of the store before you go on"
        )


def _written(at: datetime | None) -> str | None:
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _time(option: str, text: str) -> datetime:
    with suppress(ValueError):
        if (at := datetime.fromisoformat(text)).tzinfo is not None:
            return at
    raise BackupError(f"{option} must be a time with a zone, for example 2026-11-22T09:30:00Z.")


def upgrade(*, data_dir: DataDir = None) -> None:
    """Upgrade the embedded database to the PostgreSQL version of this release."""
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is not None:
        raise InvalidSetting(
            "DATABASE_URL", "must be unset: only the embedded database can be upgraded."
        )
    kept = upgrade_database(settings.data_dir, system_clock, say)
    say("Nothing to do" if kept is None else f"Upgraded. The old database is kept in {kept}")


def rotate_master_key(*, compromised: bool = False, data_dir: DataDir = None) -> None:
    """Encrypt every stored secret with a new master key. The service may keep running.

    Parameters
    ----------
    compromised
        The old master key may have leaked: also sign everybody out.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        count = rotation.rotate_master_key(ready, say, compromised=compromised)
    say(f"{count} secrets are sealed under the newest master key")
    if compromised:
        say("Anyone who had the old key and the database knows these secrets: replace them, too")


def replace_lost_master_key(*, data_dir: DataDir = None) -> None:
    """Go on with another master key after the one of the database was lost. Stop the service first.

    The secrets that the lost key has sealed can never be read again: private keys, product keys,
    secrets of webhooks and of second factors. Create them again.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate_schema(str(ready.database_url), say))
        replaced = rotation.replace_lost_master_key(ready, say)
    if replaced:
        say("The database now belongs to this master key. Secrets of the lost one are unreadable")
    else:
        say("Nothing to do: the master key is the one of the database")
