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
    """Bring the database schema up to date, and stop."""
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        asyncio.run(migrate_schema(str(ready.database_url)))
    say("The schema is up to date")


def backup(target: Path, *, data_dir: DataDir = None) -> None:
    """Write the whole database to a file; the service may go on meanwhile.

    The files of releases are not in it: copy the folder `files` of the data folder too, or have the
    bucket keep versions.

    The master key is not in it: keep the file master.key of the data folder in another place,
    since the secrets in the backup open with that key alone.

    Parameters
    ----------
    target
        The file to write; one that is there is replaced by a whole one.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        address = Address.of_url(str(ready.database_url))
        size = write_backup(find_binaries(), address, target)
    say(f"Wrote {target} ({size:,} bytes). Keep master.key too, in another place")
    say("The files of releases are not in it; copy the place where they are kept as well")


def restore(source: Path, *, data_dir: DataDir = None) -> None:
    """Put a backup in the place of the database; the old one is kept under another name.

    Parameters
    ----------
    source
        A file that `backup` wrote. The service must be stopped.
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
    say(f"Restored {source}. The database from before is kept as {kept}")


def upgrade(*, data_dir: DataDir = None) -> None:
    """Bring the embedded database over to the PostgreSQL version of this release."""
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is not None:
        raise InvalidSetting("DATABASE_URL", "only the embedded database is upgraded; unset it.")
    kept = upgrade_database(settings.data_dir, system_clock, say)
    say("Nothing to do" if kept is None else f"Done. The old database is kept in {kept}")


def rotate_master_key(*, data_dir: DataDir = None) -> None:
    """Encrypt every stored secret under a new master key; the service may go on meanwhile."""
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        count = rotation.rotate_master_key(ready, say)
    say(f"Done: {count} secrets are sealed under the newest key")


def register(app: App) -> None:
    """Add the commands."""
    app.command(migrate)
    app.command(backup)
    app.command(restore)
    app.command(upgrade, name="upgrade-database")
    app.command(rotate_master_key, name="rotate-master-key")
