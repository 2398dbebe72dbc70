"""Backup and restore of a database: the embedded one, or any that `DATABASE_URL` names.

A backup is written completely or not at all. A restore loads a new database first, then swaps it
with the current one by renaming both in one transaction; the previous database is kept.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from licet_server.kit.clock import Clock
from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.contents import (
    Item,
    differing,
    list_contents,
    only_value,
    require_tables,
    structure,
    tables,
)
from licet_server.kit.postgres.errors import InUse, NotOurs, PostgresError, ToolFailed
from licet_server.kit.postgres.layout import rename_durably
from licet_server.kit.postgres.loading import (
    create_database,
    drop_database,
    drop_leftovers,
    forget_settings,
    lent_database,
    load,
)
from licet_server.kit.postgres.programs import (
    Filter,
    Program,
    identifier,
    literal,
    query,
    tool_environment,
)

MAINTENANCE_DATABASE = "postgres"
_PIECE_BYTES = 1024 * 1024


def backup(binaries: Binaries, address: Address, target: Path, *, through: Filter = iter) -> int:
    """Write the database to `target`, readable only by its owner, and return its size in bytes.

    An existing file is replaced once the backup is complete. `through` changes the bytes on their
    way, to seal them. Of a distributed database, it contains the tables and rows of all nodes, and
    not how they were spread.

    Raises:
        ToolFailed: when pg_dump fails, for example because the server is newer.
    """
    target = target.absolute()
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    command: list[str | Path] = [binaries.program("pg_dump"), "--format=custom", "--no-password"]
    if address.is_distributed:
        command.append("--exclude-extension=citus*")
    dump = Program(command, tool_environment(address))
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.writelines(through(_written_by(dump)))
            file.flush()
            os.fsync(file.fileno())
        rename_durably(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return target.stat().st_size


def _written_by(program: Program) -> Iterator[bytes]:
    with program.running(stdout=subprocess.PIPE) as running:
        assert running.process.stdout is not None  # noqa: S101 - it is a pipe
        while piece := running.process.stdout.read(_PIECE_BYTES):
            yield piece
        running.process.wait()
        if running.has_failed:
            raise running.failure()


@dataclass(frozen=True, slots=True)
class Schema:
    """What makes a database one of this Licet.

    `build` brings the schema of a revision into an empty database, and raises if it knows no such
    revision; `version_table` has the revision. `accept` raises for what is not of this instance.
    """

    version_table: str
    build: Callable[[Address, str], None]
    accept: Callable[[Address], None]


def restore(
    binaries: Binaries,
    address: Address,
    source: BinaryIO,
    clock: Clock,
    schema: Schema,
    *,
    admin: Address | None = None,
) -> str:
    """Replace the database with the backup, and return the name of the previous database.

    `admin` must be able to create roles, and to create and rename databases; by default it is the
    address's own role. The database is unchanged until the last step. What the file contains runs
    as a role that has nothing but the new database, and is compared with the schema that this
    release creates before anything else looks at it.

    Raises:
        InUse: when someone else is connected to the database.
        NotOurs: when the file is a backup of something else.
        PostgresError: when the role may not create databases or roles, or rename this one.
        ToolFailed: when the file is not a backup.
    """
    admin = (admin or address).of_database(MAINTENANCE_DATABASE)
    contents = list_contents(binaries, source)
    revision = only_value(binaries, source, schema.version_table)
    if revision is None:
        raise NotOurs("it does not say of which version its schema is")
    _require_rights(binaries, admin, address.database)
    _refuse_if_used(binaries, admin, address.database)
    stamp = clock().strftime("%Y%m%d%H%M%S")
    stem = address.database[:35]
    restored, kept = (f"{stem}_{middle}_{stamp}" for middle in ("restore", "before_restore"))
    owner, borrower = address.user, f"{stem}_loading"
    drop_leftovers(binaries, admin, borrower)
    expected = _expected(binaries, admin, address, schema, revision)
    require_tables(contents, tables(expected))
    with lent_database(binaries, admin, restored, owner=owner, borrower=borrower) as borrowed:
        load(binaries, borrowed, source)
        forget_settings(binaries, admin, restored)
        differences = list(differing(structure(binaries, borrowed), expected))
        if differences:
            raise NotOurs(
                f"its schema is not that of version {revision}: {', '.join(differences[:5])}"
            )
        schema.accept(borrowed)
        query(binaries, borrowed, "ANALYZE;")
    try:
        _keep_open(binaries, admin, address.database, restored)
        _swap(binaries, admin, address.database, restored=restored, kept=kept)
    except BaseException:
        drop_database(binaries, admin, restored)
        raise
    return kept


def _expected(
    binaries: Binaries, admin: Address, address: Address, schema: Schema, revision: str
) -> frozenset[Item]:
    """Return what a database of a revision consists of, from one that is created and dropped."""
    sample = f"{address.database[:35]}_reference"
    drop_database(binaries, admin, sample)
    create_database(binaries, admin, sample, owner=address.user, template="template0")
    try:
        schema.build(address.of_database(sample), revision)
        return structure(binaries, address.of_database(sample))
    finally:
        drop_database(binaries, admin, sample)


def _keep_open(binaries: Binaries, admin: Address, database: str, restored: str) -> None:
    """Let everybody connect to the new database if everybody may to the old one."""
    name = literal(database)
    sql = f"SELECT has_database_privilege('public', {name}, 'CONNECT');"
    if query(binaries, admin, sql) == [["t"]]:
        query(
            binaries,
            admin,
            f"GRANT CONNECT, TEMPORARY ON DATABASE {identifier(restored)} TO PUBLIC;",
        )


def _require_rights(binaries: Binaries, admin: Address, database: str) -> None:
    sql = (
        "SELECT rolsuper OR rolcreatedb, rolsuper OR rolcreaterole,"  # noqa: S608
        " rolsuper OR pg_has_role(datdba, 'USAGE')"
        " FROM pg_roles, pg_database WHERE rolname = current_user"
        f" AND datname = {literal(database)};"
    )
    for [may_create, may_lend, owns] in query(binaries, admin, sql):
        role, name = identifier(admin.user), identifier(database)
        if may_create != "t":
            raise PostgresError(
                f"A restore creates a database, which the role {admin.user} may not. As a "
                f"superuser, run: ALTER ROLE {role} CREATEDB;"
            )
        if may_lend != "t":
            raise PostgresError(
                "A restore loads the file as a role of its own, which the role "
                f"{admin.user} may not create. As a superuser, run: ALTER ROLE {role} CREATEROLE; "
                f"and after the restore: ALTER ROLE {role} NOCREATEROLE;"
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
