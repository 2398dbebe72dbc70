"""Commands on the database: schema, backup, restore, upgrade, master key."""

import asyncio
from pathlib import Path

from cyclopts import App

from licet_server import rotation
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.kit.clock import system_clock
from licet_server.kit.postgres import (
    Address,
    EmbeddedPostgres,
    find_binaries,
    upgrade_database,
)
from licet_server.kit.postgres import backup as write_backup
from licet_server.kit.postgres import restore as read_backup
from licet_server.kit.settings import InvalidSetting
from licet_server.migrations import migrate as migrate_schema


def migrate(*, data_dir: DataDir = None) -> None:
    """Migrate the database schema to the current version, and exit."""
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate_schema(str(ready.database_url), say))
    say("The database schema is up to date")


def backup(target: Path, *, data_dir: DataDir = None) -> None:
    """Write the whole database to a file. The service may keep running.

    The backup does not contain release files: copy the folder `files` in the data folder too, or
    turn on versioning for the bucket.

    The backup does not contain the master key: store the file master.key from the data folder
    somewhere else. The secrets in the backup cannot be decrypted without it.

    Parameters
    ----------
    target
        The file to write. An existing file is replaced once the backup is complete.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        address = Address.of_url(str(ready.database_url))
        size = write_backup(find_binaries(), address, target)
    say(f"Wrote {target} ({size:,} bytes). Store master.key separately")
    say("Release files are not included; copy the file store as well")


def restore(source: Path, *, data_dir: DataDir = None) -> None:
    """Replace the database with a backup; the old database is kept under another name.

    Parameters
    ----------
    source
        A file that `backup` wrote. Stop the service first.
    """
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is not None:
        address = Address.of_url(settings.database_url)
        kept = read_backup(find_binaries(), address, source, system_clock)
    else:
        with EmbeddedPostgres(settings.data_dir, log=say) as cluster:
            kept = read_backup(
                cluster.binaries, cluster.address, source, system_clock, admin=cluster.admin
            )
    say(f"Restored {source}. The previous database is kept as {kept}")


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
        say("Whoever had the old key and the database knows these secrets: renew them, too")


def replace_lost_master_key(*, data_dir: DataDir = None) -> None:
    """Go on with another master key after the one of the database was lost. Stop the service first.

    The secrets that the lost key has sealed can never be read again: private keys, product keys,
    secrets of webhooks and of second factors. Create them anew.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate_schema(str(ready.database_url), say))
        replaced = rotation.replace_lost_master_key(ready, say)
    if replaced:
        say("The database now belongs to this master key. Secrets of the lost one are unreadable")
    else:
        say("Nothing to do: the master key is the one of the database")


def register(app: App) -> None:
    """Add the commands."""
    app.command(migrate)
    app.command(backup)
    app.command(restore)
    app.command(upgrade, name="upgrade-database")
    app.command(rotate_master_key, name="rotate-master-key")
    app.command(replace_lost_master_key, name="replace-lost-master-key")
