"""Upgrades the cluster of an older major version to the installed programs.

The old cluster is only read. A new one is created beside it, filled by dump and restore, compared,
and swapped in by a journaled rename. A crash before the swap leaves only a folder that the next
attempt removes.
"""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from licet_server.kit.clock import Clock
from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account, owner_of
from licet_server.kit.postgres.binaries import Binaries, find_binaries
from licet_server.kit.postgres.cluster import STATE_DIR, begin_swap, finish_swap
from licet_server.kit.postgres.contents import differences, fingerprint
from licet_server.kit.postgres.errors import PostgresError, VersionMismatch
from licet_server.kit.postgres.initialize import (
    ADMIN_ROLE,
    DATABASE,
    SERVICE_ROLE,
    cluster_version,
    create_cluster,
    create_password,
    provision,
    read_password,
)
from licet_server.kit.postgres.layout import DataDir, socket_folder
from licet_server.kit.postgres.loading import copy, drop_database, forget_settings, lent_database
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import ServerCommand
from licet_server.kit.postgres.programs import query
from licet_server.kit.postgres.relocation import reachable_binaries
from licet_server.kit.postgres.settings import server_settings
from licet_server.kit.postgres.supervisor import Supervisor

Progress = Callable[[str], None]

_LOADING_ROLE = "licet_loading"
_START_TIMEOUT_S = 120.0


def upgrade_database(
    data_dir: Path | str,
    clock: Clock,
    progress: Progress,
    *,
    binaries: Binaries | None = None,
    state_dir: Path = STATE_DIR,
) -> Path | None:
    """Upgrade the embedded database, and return where the old one is kept.

    Returns None if there is nothing to do. The service must be stopped.

    Raises:
        InUse: when the service is running.
        NoBinaries: when the programs of the old version are not installed.
        PostgresError: when the copy differs from the old database, which then stays in use.
    """
    data = DataDir(Path(data_dir).resolve())
    new_binaries = binaries or find_binaries()
    if not data.path.is_dir():
        progress("This folder contains no database yet.")
        return None
    with FileLock(data.lock_file):
        finish_swap(data, progress)
        cluster = data.find_cluster()
        old_major = cluster_version(cluster) if cluster is not None else new_binaries.major
        if cluster is None or old_major == new_binaries.major:
            progress(f"Nothing to do: the database already has version {old_major}.")
            return None
        if old_major > new_binaries.major:
            raise VersionMismatch(cluster=old_major, binaries=new_binaries.major)
        account = owner_of(cluster)
        old_binaries, _ = reachable_binaries(find_binaries(old_major), account, state_dir)
        new_binaries, _ = reachable_binaries(new_binaries, account, state_dir)
        with data.cluster_lock(cluster):
            new = cluster.with_name(f"{cluster.name}.upgraded")
            shutil.rmtree(new, ignore_errors=True)
            password = read_password(data.password_file)
            progress(f"Creating a database of version {new_binaries.major}.")
            create_cluster(new_binaries, account, new, password, fsync=True)
            with (
                _running(old_binaries, cluster, account, password, progress) as old_admin,
                _running(new_binaries, new, account, password, progress) as new_admin,
            ):
                service_password = create_password(data.service_password_file)
                provision(new_binaries, new_admin, service_password)
                _copy_databases(new_binaries, old_admin, new_admin, progress)
            stamp = clock().strftime("%Y%m%dT%H%M%SZ")
            keep_as = cluster.with_name(f"{cluster.name}-{old_major}-{stamp}")
            begin_swap(data, cluster=cluster, new=new, keep_as=keep_as)
            finish_swap(data, progress)
    return keep_as


@contextlib.contextmanager
def _running(
    binaries: Binaries, cluster: Path, account: Account, password: str, log: Progress
) -> Iterator[Address]:
    sockets = socket_folder(cluster, account)
    settings = server_settings(fsync=True, overrides={"autovacuum": "off"})
    command = ServerCommand(binaries, cluster, sockets, account, settings)
    supervisor = Supervisor(command, log, _START_TIMEOUT_S)
    supervisor.start()
    try:
        yield Address(str(sockets), ADMIN_ROLE, password, "postgres")
    finally:
        supervisor.stop()
        with contextlib.suppress(OSError):
            sockets.rmdir()


def _copy_databases(binaries: Binaries, old: Address, new: Address, progress: Progress) -> None:
    names = [
        name
        for [name] in query(
            binaries,
            old,
            "SELECT datname FROM pg_database WHERE NOT datistemplate AND datallowconn"
            " AND datname <> 'postgres' ORDER BY datname;",
        )
    ]
    drop_database(binaries, new, DATABASE)
    for name in names:
        source = old.of_database(name)
        with lent_database(
            binaries, new, name, owner=SERVICE_ROLE, borrower=_LOADING_ROLE
        ) as target:
            progress(f"Copying the database {name}.")
            copy(binaries, source, target)
            forget_settings(binaries, new, name)
            query(binaries, target, "ANALYZE;")
            progress(f"Comparing the database {name}.")
            before, after = fingerprint(binaries, source), fingerprint(binaries, target)
        differing = differences(before, after)
        if differing:
            raise PostgresError(
                f"The copy of {name} differs in {', '.join(differing[:10])}. Nothing has changed: "
                "the old database stays in use."
            )
        tables = sum(1 for entry in after if entry.startswith("table "))
        progress(f"The copy of the database {name} is identical: {tables} tables.")
