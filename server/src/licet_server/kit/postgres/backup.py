"""Backup and restore of a database: the embedded one, or any that `DATABASE_URL` names.

A backup is written completely or not at all. A restore loads a new database first, then swaps it
with the current one by renaming both in one transaction; the previous database is kept.
"""

import os
from pathlib import Path

from licet_server.kit.clock import Clock
from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.databases import create_database, drop_database
from licet_server.kit.postgres.errors import InUse, PostgresError, ToolFailed
from licet_server.kit.postgres.files import rename_durably
from licet_server.kit.postgres.loading import load
from licet_server.kit.postgres.tools import identifier, literal, query, run_tool

MAINTENANCE_DATABASE = "postgres"


def backup(binaries: Binaries, address: Address, target: Path) -> int:
    """Write the database to `target`, readable only by its owner, and return its size in bytes.

    An existing file is replaced once the backup is complete.

    Raises:
        ToolFailed: when pg_dump fails, for example because the server is newer.
    """
    target = target.absolute()
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            run_tool(
                binaries, "pg_dump", ["--format=custom", "--no-password"], address, stdout=file
            )
            file.flush()
            os.fsync(file.fileno())
        rename_durably(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return target.stat().st_size


def restore(
    binaries: Binaries,
    address: Address,
    source: Path,
    clock: Clock,
    *,
    admin: Address | None = None,
) -> str:
    """Replace the database with the backup, and return the name of the previous database.

    `admin` must be able to create and rename databases; by default it is the address's own role.
    The database is unchanged until the last step.

    Raises:
        InUse: when someone else is connected to the database.
        PostgresError: when the role may not create databases, or rename this one.
        ToolFailed: when the file is not a backup.
    """
    admin = (admin or address).of_database(MAINTENANCE_DATABASE)
    if not source.is_file():
        raise PostgresError(f"The backup {source} does not exist.")
    run_tool(binaries, "pg_restore", ["--list", source], address)
    _require_rights(binaries, admin, address.database)
    _refuse_if_used(binaries, admin, address.database)
    stamp = clock().strftime("%Y%m%d%H%M%S")
    restored, kept = (
        f"{address.database[:35]}_{middle}_{stamp}" for middle in ("restore", "before_restore")
    )
    owner = address.user
    create_database(binaries, admin, restored, owner=owner, template="template0")
    try:
        role = None if admin.user == owner else owner
        load(binaries, admin.of_database(restored), source, role=role)
        query(binaries, admin.of_database(restored), "ANALYZE;")
        _swap(binaries, admin, address.database, restored=restored, kept=kept)
    except BaseException:
        drop_database(binaries, admin, restored)
        raise
    return kept


def _require_rights(binaries: Binaries, admin: Address, database: str) -> None:
    sql = (
        "SELECT rolsuper OR rolcreatedb, rolsuper OR pg_has_role(datdba, 'USAGE')"  # noqa: S608
        " FROM pg_roles, pg_database WHERE rolname = current_user"
        f" AND datname = {literal(database)};"
    )
    for [may_create, owns] in query(binaries, admin, sql):
        role, name = identifier(admin.user), identifier(database)
        if may_create != "t":
            raise PostgresError(
                f"A restore creates a database, which the role {admin.user} may not. As a "
                f"superuser, run: ALTER ROLE {role} CREATEDB;"
            )
        if owns != "t":
            raise PostgresError(
                f"A restore renames the database {database}, which the role {admin.user} does "
                f"not own. As a superuser, run: ALTER DATABASE {name} OWNER TO {role};"
            )


def _refuse_if_used(binaries: Binaries, admin: Address, database: str) -> None:
    # Without the right to see other sessions, a role gets rows without a backend type.
    sql = (
        "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"  # noqa: S608
        f" AND datname = {literal(database)}"
        " AND coalesce(backend_type, 'client backend') = 'client backend';"
    )
    [[count]] = query(binaries, admin, sql)
    if int(count):
        raise InUse(
            f"The database {database} has {count} other connections. Stop the service and all "
            "other clients, then restore again."
        )


def _swap(binaries: Binaries, admin: Address, database: str, *, restored: str, kept: str) -> None:
    old, new = identifier(database), identifier(restored)
    try:
        query(
            binaries,
            admin,
            f"BEGIN; ALTER DATABASE {old} RENAME TO {identifier(kept)};"
            f" ALTER DATABASE {new} RENAME TO {old}; COMMIT;",
        )
    except ToolFailed as error:
        if "being accessed by other users" not in error.output:
            raise
        raise InUse(
            f"A client connected to the database {database} during the restore; nothing has "
            "changed. Stop the service, then restore again."
        ) from error
