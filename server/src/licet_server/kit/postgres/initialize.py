"""Creates a cluster beside its final location, and moves it there once it is complete."""

import os
import secrets
import shutil
from pathlib import Path

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError, ToolFailed
from licet_server.kit.postgres.layout import rename_durably, write_durably
from licet_server.kit.postgres.programs import identifier, literal, query

ADMIN_ROLE = "licet_admin"
"""Creates and renames databases. The service itself connects as `SERVICE_ROLE`."""

SERVICE_ROLE = "licet"
"""Owns its database but is not a superuser, to limit the damage of an SQL injection."""

DATABASE = "licet"

_BUILTIN_LOCALE_SINCE = 17


def cluster_version(cluster: Path) -> int:
    """Return the PostgreSQL major version that created the cluster."""
    return int((cluster / "PG_VERSION").read_text().strip())


def read_password(path: Path) -> str:
    """Read the password of a role of an existing cluster.

    Raises:
        PostgresError: when the file is missing, or cannot be read by this user.
    """
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        raise PostgresError(
            f"{path} is missing; the database cannot be opened without it. Restore it from a copy."
        ) from None
    except PermissionError:
        raise PostgresError(
            f"{path} can be read only by its owner. Use the account that the service runs as."
        ) from None


def create_password(path: Path) -> str:
    """Create a file with a random password for its owner only, or read the existing one."""
    if not path.exists():
        write_durably(path, secrets.token_urlsafe(32) + "\n")
    return read_password(path)


def create_cluster(
    binaries: Binaries, account: Account, cluster: Path, password: str, *, fsync: bool
) -> None:
    """Create a cluster with SCRAM passwords only, UTF-8, and sorting by code point.

    Raises:
        ToolFailed: when `initdb` fails; the cluster's folder then does not exist.
    """
    building = cluster.with_name(f"{cluster.name}.new")
    shutil.rmtree(building, ignore_errors=True)
    account.create_folder(building)
    password_file = building.with_name(f".{building.name}.pw")
    password_file.unlink(missing_ok=True)
    try:
        descriptor = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w") as file:  # noqa: PTH123 - a descriptor has no path
            account.take_ownership(file)
            file.write(password)
        _initdb(binaries, account, building, password_file, fsync=fsync)
    finally:
        password_file.unlink(missing_ok=True)
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
    output = ""
    for locale in _locales(binaries.major):
        result = account.run([*command, *locale])
        if result.returncode == 0:
            return
        output = result.stderr or result.stdout
        if "locale" not in output:
            break
    raise ToolFailed("initdb", output)


def _locales(major: int) -> tuple[tuple[str, ...], ...]:
    if major >= _BUILTIN_LOCALE_SINCE:
        return (("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),)
    return (("--locale=C.UTF-8", "--lc-messages=C"), ("--locale=C",))


def provision(binaries: Binaries, admin: Address, password: str) -> None:
    """Create the service's role and database if they are missing, and set the role's password.

    It is set at each start: the role of a folder from before has the superuser's password, and a
    crash may have come between the file and the role.
    """
    role, database = identifier(SERVICE_ROLE), identifier(DATABASE)
    found = query(
        binaries,
        admin,
        f"SELECT 'role' FROM pg_roles WHERE rolname = {literal(SERVICE_ROLE)}"  # noqa: S608
        f" UNION ALL SELECT 'db' FROM pg_database WHERE datname = {literal(DATABASE)};",
    )
    statements = []
    if ["role"] not in found:
        statements.append(f"CREATE ROLE {role} LOGIN;")
    statements.append(f"ALTER ROLE {role} PASSWORD {literal(password)};")
    if ["db"] not in found:
        statements += [
            f"CREATE DATABASE {database} OWNER {role};",
            f"REVOKE CONNECT, TEMPORARY ON DATABASE {database} FROM PUBLIC;",
        ]
    query(binaries, admin, "\n".join(statements))
