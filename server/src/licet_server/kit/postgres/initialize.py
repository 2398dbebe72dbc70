"""A new cluster: made beside its place, and moved there only when it is whole."""

import os
import secrets
import shutil
from pathlib import Path

from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError, ToolFailed
from licet_server.kit.postgres.files import rename_durably, write_durably
from licet_server.kit.postgres.tools import identifier, literal, query

ADMIN_ROLE = "licet_admin"
"""Makes and renames databases. The service itself signs in as `SERVICE_ROLE`."""

SERVICE_ROLE = "licet"
"""Owns its database and is no superuser: a hole in a query is not one in the machine."""

DATABASE = "licet"

_BUILTIN_LOCALE_SINCE = 17


def cluster_version(cluster: Path) -> int:
    """The major version of PostgreSQL that made the cluster."""
    return int((cluster / "PG_VERSION").read_text().strip())


def read_password(path: Path) -> str:
    """The password of an existing cluster's roles.

    Raises:
        PostgresError: when the file is gone, or another user's.
    """
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        raise PostgresError(
            f"{path} is missing; the database does not open without it. Bring it back from a copy."
        ) from None
    except PermissionError:
        raise PostgresError(
            f"{path} may be read by its owner alone. Use the account that the service runs as."
        ) from None


def create_password(path: Path) -> str:
    """A random password in a file for the owner alone; the one there, when there is one."""
    if not path.exists():
        write_durably(path, secrets.token_urlsafe(32) + "\n")
    return read_password(path)


def create_cluster(
    binaries: Binaries, account: Account, cluster: Path, password: str, *, fsync: bool
) -> None:
    """Make a cluster that takes SCRAM passwords only, in UTF-8, sorted by code point.

    Raises:
        ToolFailed: when `initdb` fails; nothing is left in the cluster's place then.
    """
    building = cluster.with_name(f"{cluster.name}.new")
    shutil.rmtree(building, ignore_errors=True)
    account.create_folder(building)
    handed_over = building.with_name(f".{building.name}.pw")
    handed_over.unlink(missing_ok=True)
    try:
        descriptor = os.open(handed_over, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w") as file:  # noqa: PTH123 - a descriptor has no path
            account.give(file)
            file.write(password)
        _initdb(binaries, account, building, handed_over, fsync=fsync)
    finally:
        handed_over.unlink(missing_ok=True)
    account.create_folder(building / "log")
    rename_durably(building, cluster)


def _initdb(
    binaries: Binaries, account: Account, building: Path, password_file: Path, *, fsync: bool
) -> None:
    command = [
        str(binaries.program("initdb")),
        f"--pgdata={building}",
        f"--username={ADMIN_ROLE}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--data-checksums",
        "--no-instructions",
        *([] if fsync else ["--no-sync"]),
    ]
    said = ""
    for locale in _locales(binaries.major):
        answer = account.run([*command, *locale])
        if answer.returncode == 0:
            return
        said = answer.stderr or answer.stdout
        if "locale" not in said:
            break
    raise ToolFailed("initdb", said)


def _locales(major: int) -> tuple[tuple[str, ...], ...]:
    if major >= _BUILTIN_LOCALE_SINCE:
        return (("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),)
    return (("--locale=C.UTF-8", "--lc-messages=C"), ("--locale=C",))


def provision(binaries: Binaries, admin: Address) -> None:
    """Make the service's role and database where they are missing."""
    role, database = identifier(SERVICE_ROLE), identifier(DATABASE)
    found = query(
        binaries,
        admin,
        f"SELECT 'role' FROM pg_roles WHERE rolname = {literal(SERVICE_ROLE)}"  # noqa: S608
        f" UNION ALL SELECT 'db' FROM pg_database WHERE datname = {literal(DATABASE)};",
    )
    statements = []
    if ["role"] not in found:
        statements.append(f"CREATE ROLE {role} LOGIN PASSWORD {literal(admin.password)};")
    if ["db"] not in found:
        statements += [
            f"CREATE DATABASE {database} OWNER {role};",
            f"REVOKE CONNECT, TEMPORARY ON DATABASE {database} FROM PUBLIC;",
        ]
    if statements:
        query(binaries, admin, "\n".join(statements))
